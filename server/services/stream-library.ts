/** A title in the operator's own folder: by id where names or notes have one, else by name and year when that is plain. */
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

/** Just after a start, a lookup waits so long for the first look through the folder. */
const READY_MS = 5_000

/** Null when no file plays it. `place` is `season:episode`, of a movie `0:0`. */
export async function inLibrary(deps: Deps, title: TitleRow, place: string): Promise<Found | null> {
  const { library } = deps.streams
  if (!library) return null
  await Promise.race([library.ready(), setTimeout(READY_MS, undefined, { ref: false })])
  const works = await worksOf(deps, library, title)
  const paths = [...new Set(works.flatMap((work) => work.files.get(place) ?? []))]
  const videos = (await Promise.all(paths.map((path) => library.describe(path)))).filter(
    (one) => one !== null,
  )
  if (videos.length === 0) return null
  const subtitles = new Map<string, Sidecar>()
  for (const { path } of videos) for (const one of library.subtitles(path)) subtitles.set(one.path, one)
  return { videos, subtitles: [...subtitles.values()] }
}

async function worksOf(deps: Deps, library: Library, title: TitleRow): Promise<Work[]> {
  const type = title.type as TitleType
  const works = new Set<Work>(title.imdb_id ? library.find(type, { imdb: title.imdb_id }) : [])
  if (title.tmdb_id) for (const work of library.find(type, { tmdb: title.tmdb_id })) works.add(work)
  for (const name of await foldedNames(deps.database.reader, title.title_id)) {
    for (const work of library.find(type, { name })) {
      const other = work.ids.tmdb !== undefined && title.tmdb_id !== null && work.ids.tmdb !== title.tmdb_id
      if (!other && !works.has(work) && (await meant(deps, type, work)) === title.title_id) works.add(work)
    }
  }
  return [...works]
}

/** The one title that a work's name means; null when none does, or more than one might. */
async function meant(deps: Deps, type: TitleType, work: Work): Promise<number | null> {
  for (const { title, year } of work.readings) {
    const called = await titlesCalled(deps.database.reader, type, fold(title))
    const exact = year === null ? called : called.filter((one) => one.year === year)
    // Festivals and cinemas, one country and the next: a year beside is still the same film when there is no other.
    const near = called.filter((one) => one.year === null || Math.abs(one.year - (year ?? 0)) === 1)
    const likely = exact.length > 0 ? exact : near
    if (likely.length > 1) return null
    if (likely[0]) return likely[0].title_id
  }
  return null
}
