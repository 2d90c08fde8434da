/** The library in order: which files stand for which title, by id and by name. Made anew from the tree after each change. */
import { setImmediate } from 'node:timers/promises'
import { fold } from '../../../src/lib/rules/fold.ts'
import { classify, type Named } from './classify.ts'
import { extensionOf } from './media-types.ts'
import type { Nfo } from './nfo.ts'
import type { Reading, TitleIds } from './title-name.ts'
import { type Folder, type Tree, under } from './tree.ts'

/** Files of one movie, or of one series by episode. */
export interface Work {
  ids: TitleIds
  readings: Reading[]
  /** Paths by `season:episode`; of a movie under `0:0`. */
  files: Map<string, string[]>
}
export interface Shelf {
  movie: Drawers
  tv: Drawers
  /** What a name says about a file's quality. */
  quality: Map<string, string>
  count: number
}
interface Drawers {
  imdb: Map<string, Work[]>
  tmdb: Map<number, Work[]>
  /** By folded title, of works without ids. */
  name: Map<string, Work[]>
}
export type ReadNotes = (path: string) => Promise<Nfo | null>

/** Files looked at before others get a turn: about two milliseconds. */
const AT_ONCE = 100
const STACKED = /^(.*?)[ ._-]+(?:cd|dis[ck]|dvd|part|pt)[ ._-]*([1-9a-d])$/i

export async function arrange(tree: Tree, readNotes: ReadNotes): Promise<Shelf> {
  const shelf: Shelf = { movie: drawers(), tv: drawers(), quality: new Map(), count: 0 }
  const works = new Map<string, Work & { kind: 'movie' | 'tv' }>()
  let looked = 0
  for (const [path, folder] of tree) {
    const stacked = stackedIn(folder)
    for (const file of folder.files) {
      looked += 1
      if (looked % AT_ONCE === 0) await setImmediate()
      const named = isVideo(file) && !stacked.has(file) ? classify(under(path, file)) : null
      if (!named || !belongs(named, file, folder)) continue
      await put({ works, shelf, readNotes, tree }, under(path, file), named)
    }
  }
  for (const work of works.values()) file(shelf[work.kind], work)
  return shelf
}

const isVideo = (file: string) => !['nfo', 'srt', 'vtt'].includes(extensionOf(file))

/** Beside a stream only its playlist counts, and films that are plainly another version: their name has the year. */
function belongs(named: Named, file: string, folder: Folder): boolean {
  return (
    !folder.hls ||
    extensionOf(file) === 'm3u8' ||
    /[([]\d{4}[)\]]|s\d+e\d+/i.test(file) ||
    named.ids.imdb !== undefined
  )
}

/** Files that are one part of several ("cd1", "cd2"): they cannot be played as one, so they are left out. */
function stackedIn({ files }: Folder): Set<string> {
  const parts = new Map<string, string[]>()
  for (const name of files) {
    const found = isVideo(name) ? STACKED.exec(name.slice(0, -extensionOf(name).length - 1)) : null
    if (found) parts.set(fold(found[1] ?? ''), [...(parts.get(fold(found[1] ?? '')) ?? []), name])
  }
  return new Set([...parts.values()].filter((names) => names.length > 1).flat())
}

interface Making {
  works: Map<string, Work & { kind: 'movie' | 'tv' }>
  shelf: Shelf
  readNotes: ReadNotes
  tree: Tree
}

async function put(making: Making, path: string, named: Named): Promise<void> {
  const { works, shelf } = making
  const title = named.readings.map((one) => `${fold(one.title)}/${one.year}`).join('|')
  const key = `${named.kind} ${named.home} ${named.ids.imdb ?? named.ids.tmdb ?? ''} ${title}`
  let work = works.get(key)
  if (!work) {
    const notes = named.ids.imdb ? null : await notesOf(making, path, named)
    work = {
      kind: named.kind,
      ids: { ...notes?.ids, ...named.ids },
      readings: [...named.readings, ...noted(notes)],
      files: new Map(),
    }
    works.set(key, work)
  }
  const places =
    named.kind === 'movie' ? ['0:0'] : named.episodes.map((episode) => `${named.season}:${episode}`)
  for (const place of places) work.files.set(place, [...(work.files.get(place) ?? []), path])
  if (named.quality) shelf.quality.set(path, named.quality)
  shelf.count += 1
}

/** A note names its title with its year, or it does not help. */
function noted(notes: Nfo | null): Reading[] {
  return notes?.title && notes.year ? [{ title: notes.title, year: notes.year }] : []
}

async function notesOf({ tree, readNotes }: Making, path: string, named: Named): Promise<Nfo | null> {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  const own = `${path.slice(0, -extensionOf(path).length - 1)}.nfo`
  const wanted =
    named.kind === 'tv'
      ? [under(named.home, 'tvshow.nfo')]
      : [own, under(folder, 'movie.nfo'), under(named.home, 'movie.nfo')]
  for (const note of wanted) {
    const at = note.lastIndexOf('/')
    if (tree.get(note.slice(0, Math.max(at, 0)))?.files.includes(note.slice(at + 1))) return readNotes(note)
  }
  return null
}

const drawers = (): Drawers => ({ imdb: new Map(), tmdb: new Map(), name: new Map() })

/** Ids win: a work with one is never found by name, unless it only has an id that the catalogue does not know. */
function file(into: Drawers, work: Work): void {
  if (work.ids.imdb) {
    add(into.imdb, work.ids.imdb, work)
    return
  }
  if (work.ids.tmdb) add(into.tmdb, work.ids.tmdb, work)
  for (const name of new Set(work.readings.map((one) => fold(one.title))))
    if (name) add(into.name, name, work)
}

function add<K>(map: Map<K, Work[]>, key: K, work: Work): void {
  const there = map.get(key)
  if (there) there.push(work)
  else map.set(key, [work])
}
