/** Record of a file of unknown origin, such as a row of a table or an object of a JSON file. */
import type { FilePurpose } from './file-purpose.ts'
import type { HistoryTitleType } from './history-row.ts'
import type { FieldReader } from './record-title.ts'

export interface HistoryRecord {
  line: number
  get: FieldReader
  /** Type of the title, if the place of the record in its file shows the type. */
  defaultType?: HistoryTitleType | undefined
  purpose: FilePurpose | null
  /** Name of the list to which the record belongs, if the place of the record in its file shows the list. */
  listName?: string | undefined
  /** Names of further lists that the record itself names. */
  listNames?: readonly string[]
  /**
   * Name of the file. It is used as the list name if the record has the date of a list entry and no other sign of its
   * meaning.
   */
  fileListName?: string | undefined
  /** Scale of the ratings of the file; absent if the file does not state one. */
  ratingScale?: number | undefined
  /** Viewings that the record contains: those of the title itself, or of its episodes. */
  viewings?: readonly EpisodeViewing[]
}

export interface EpisodeViewing {
  season?: number | undefined
  episode?: number | undefined
  at: string
  plays?: number | undefined
  /** Watched part of the runtime in percent, if the viewing was not completed. */
  percent?: number | undefined
  isCounted?: true | undefined
}
