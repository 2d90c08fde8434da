/** Finds a title in the operator's media folder: by the id in file names or NFO files, otherwise by an unambiguous name and year. */
import { setTimeout } from 'node:timers/promises'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { Library, LibraryVideo } from '../../providers/library/library.ts'
import type { LibraryTitle } from '../../providers/library/library-index.ts'
import type { SubtitleFile } from '../../providers/library/subtitle-files.ts'
import { selectFoldedNames, selectTitlesByFoldedName } from '../../queries/stream-title.ts'
import type { TitleRow, TitleType } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'

export interface LibraryMatch {
  videos: LibraryVideo[]
  subtitles: SubtitleFile[]
}

/** Maximum time that a lookup waits for the first scan of the folder after process start. */
const MAX_SCAN_WAIT_MS = 5_000

/** Returns the files and subtitles of a title; null when there are none. `episodeKey` is `season:episode`, or `0:0` for a movie. */
export async function findInLibrary(
  deps: Deps,
  title: TitleRow,
  episodeKey: string,
): Promise<LibraryMatch | null> {
  const { library } = deps.streamSources
  if (!library) return null
  await Promise.race([library.whenScanned(), setTimeout(MAX_SCAN_WAIT_MS, undefined, { ref: false })])
  const libraryTitles = await findLibraryTitles(deps, library, title)
  const paths = [
    ...new Set(libraryTitles.flatMap((libraryTitle) => libraryTitle.pathsByEpisode.get(episodeKey) ?? [])),
  ]
  const videos = (await Promise.all(paths.map((path) => library.describeVideo(path)))).filter(
    (video) => video !== null,
  )
  if (videos.length === 0) return null
  const subtitles = new Map<string, SubtitleFile>()
  for (const { path } of videos)
    for (const subtitle of library.listSubtitles(path)) subtitles.set(subtitle.path, subtitle)
  return { videos, subtitles: [...subtitles.values()] }
}

async function findLibraryTitles(deps: Deps, library: Library, title: TitleRow): Promise<LibraryTitle[]> {
  const type = title.type as TitleType
  const libraryTitles = new Set<LibraryTitle>(
    title.imdb_id ? library.findTitles(type, { imdb: title.imdb_id }) : [],
  )
  if (title.tmdb_id)
    for (const libraryTitle of library.findTitles(type, { tmdb: title.tmdb_id }))
      libraryTitles.add(libraryTitle)
  for (const name of await selectFoldedNames(deps.database.reader, title.title_id)) {
    for (const libraryTitle of library.findTitles(type, { name })) {
      const hasOtherId =
        libraryTitle.ids.tmdb !== undefined &&
        title.tmdb_id !== null &&
        libraryTitle.ids.tmdb !== title.tmdb_id
      if (
        !hasOtherId &&
        !libraryTitles.has(libraryTitle) &&
        (await resolveTitleId(deps, type, libraryTitle)) === title.title_id
      )
        libraryTitles.add(libraryTitle)
    }
  }
  return [...libraryTitles]
}

/** Returns the id of the catalogue title that a library title's name refers to; null when no title or several match. */
async function resolveTitleId(
  deps: Deps,
  type: TitleType,
  libraryTitle: LibraryTitle,
): Promise<number | null> {
  for (const { title, year } of libraryTitle.candidates) {
    const namedTitles = await selectTitlesByFoldedName(deps.database.reader, type, foldSearchText(title))
    const exactMatches = year === null ? namedTitles : namedTitles.filter((title) => title.year === year)
    // Release years differ by one between festivals, cinemas and countries, so accept a neighbouring year without an exact match.
    const nearYearMatches = namedTitles.filter(
      (title) => title.year === null || Math.abs(title.year - (year ?? 0)) === 1,
    )
    const likelyTitles = exactMatches.length > 0 ? exactMatches : nearYearMatches
    if (likelyTitles.length > 1) return null
    if (likelyTitles[0]) return likelyTitles[0].title_id
  }
  return null
}
