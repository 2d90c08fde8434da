/** The result of the classification of a file. */
import type { EpisodeNumbers } from './episode-numbers.ts'
import type { NamedTitle } from './title-name.ts'

/** For a movie, the season is 0 and there are no episodes. */
export interface ClassifiedFile extends NamedTitle, Omit<EpisodeNumbers, 'textBefore'> {
  kind: 'movie' | 'tv'
  quality: string | null
  /** Folder that may contain `tvshow.nfo` (series) or `movie.nfo`; relative path, empty for the root. */
  titleFolder: string
}
