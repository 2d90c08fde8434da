/** Finds a title in the operator's media folder: by the id in file names or NFO files, otherwise by an unambiguous name and year. */
import { setTimeout } from 'node:timers/promises'
import { fold } from '../../src/lib/rules/fold.ts'
import type { Deps } from '../deps.ts'
import type { Library, Video } from '../providers/library/library.ts'
import type { Work } from '../providers/library/shelf.ts'
import type { Sidecar } from '../providers/library/sidecars.ts'
import type { TitleRow, TitleType } from '../queries/catalogue.ts'
import { foldedNames, titlesCalled } from '../queries/stream-title.ts'

export interface Found {
  videos: Video[]
  subtitles: Sidecar[]
}

/** Maximum time that a lookup waits for the first scan of the folder after process start. */
const MAX_SCAN_WAIT_MS = 5_000

/** Files and subtitles of a title; null when there are none. `episodeKey` is `season:episode`, or `0:0` for a movie. */
export async function inLibrary(deps: Deps, title: TitleRow, episodeKey: string): Promise<Found | null> {
  const { library } = deps.streams
  if (!library) return null
  await Promise.race([library.ready(), setTimeout(MAX_SCAN_WAIT_MS, undefined, { ref: false })])
  const libraryTitles = await findLibraryTitles(deps, library, title)
  const paths = [
    ...new Set(libraryTitles.flatMap((libraryTitle) => libraryTitle.files.get(episodeKey) ?? [])),
  ]
  const videos = (await Promise.all(paths.map((path) => library.describe(path)))).filter(
    (video) => video !== null,
  )
  if (videos.length === 0) return null
  const subtitles = new Map<string, Sidecar>()
  for (const { path } of videos)
    for (const subtitle of library.subtitles(path)) subtitles.set(subtitle.path, subtitle)
  return { videos, subtitles: [...subtitles.values()] }
}

async function findLibraryTitles(deps: Deps, library: Library, title: TitleRow): Promise<Work[]> {
  const type = title.type as TitleType
  const libraryTitles = new Set<Work>(title.imdb_id ? library.find(type, { imdb: title.imdb_id }) : [])
  if (title.tmdb_id)
    for (const libraryTitle of library.find(type, { tmdb: title.tmdb_id })) libraryTitles.add(libraryTitle)
  for (const name of await foldedNames(deps.database.reader, title.title_id)) {
    for (const libraryTitle of library.find(type, { name })) {
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

/** Id of the catalogue title that a library title's name refers to; null when no title or several match. */
async function resolveTitleId(deps: Deps, type: TitleType, libraryTitle: Work): Promise<number | null> {
  for (const { title, year } of libraryTitle.readings) {
    const named = await titlesCalled(deps.database.reader, type, fold(title))
    const exact = year === null ? named : named.filter((title) => title.year === year)
    // Release years differ by one between festivals, cinemas and countries, so accept a neighbouring year without an exact match.
    const nearYear = named.filter((title) => title.year === null || Math.abs(title.year - (year ?? 0)) === 1)
    const likely = exact.length > 0 ? exact : nearYear
    if (likely.length > 1) return null
    if (likely[0]) return likely[0].title_id
  }
  return null
}
