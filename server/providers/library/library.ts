/** The operator's own files (`MEDIA_DIR`): found by name and note, kept up with, opened safely. */
import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { type Marks, marksOf } from './chapters.ts'
import { insideOf, type OpenFile, openInside } from './confine.ts'
import { createKeeper, type KeeperOptions } from './keeper.ts'
import { extensionOf, PLAYLIST_TYPE, typeOf } from './media-types.ts'
import { probe } from './probe.ts'
import { qualityOfPicture } from './quality.ts'
import type { Work } from './shelf.ts'
import { type Sidecar, sidecarsOf } from './sidecars.ts'

export interface Video {
  path: string
  type: string
  /** `auto` where nothing says it, and for HLS, which chooses by itself. */
  quality: string
  /** Bytes; null for HLS. */
  size: number | null
  /** Where its chapters say that the opening and the credits are. */
  marks: Marks
}
export interface Library {
  /** Finds all files, then follows changes. Rejects when the folder cannot be read. */
  start: () => Promise<void>
  stop: () => void
  /** Resolves when the first look is over, however it went; at once when none was begun. */
  ready: () => Promise<void>
  /** Resolves once what is there has been looked through. */
  idle: () => Promise<void>
  /** Works that carry the id, or are called so. Whether a name is meant is for the caller to decide. */
  find: (type: 'movie' | 'tv', by: { imdb: string } | { tmdb: number } | { name: string }) => Work[]
  /** Null when the file is gone. */
  describe: (path: string) => Promise<Video | null>
  subtitles: (path: string) => Sidecar[]
  open: (path: string) => Promise<OpenFile | null>
  count: () => number
}
const PROBED = 20_000

/** `folder` may be a link. Rejects when it is no folder that can be read. */
export async function openLibrary(folder: string, options: KeeperOptions = {}): Promise<Library> {
  const root = await realpath(folder)
  if (!(await stat(root)).isDirectory()) throw new Error('not a folder')
  const keeper = createKeeper(root, options)
  const headers = createHeaders(root)
  const { start, stop, ready, idle } = keeper
  return {
    start,
    stop,
    ready,
    idle,
    find(type, by) {
      const drawers = keeper.shelf()?.[type]
      if ('imdb' in by) return drawers?.imdb.get(by.imdb) ?? []
      return ('tmdb' in by ? drawers?.tmdb.get(by.tmdb) : drawers?.name.get(by.name)) ?? []
    },
    async describe(path) {
      const real = await insideOf(root, path)
      const stats = real === null ? null : await stat(real).catch(() => null)
      const type = typeOf(path)
      if (real === null || !stats?.isFile() || !type) return null
      if (type === PLAYLIST_TYPE) return { path, type, quality: 'auto', size: null, marks: {} }
      const { quality, marks } = await headers(real, stats)
      return { path, type, quality: keeper.shelf()?.quality.get(path) ?? quality, size: stats.size, marks }
    },
    subtitles: (path) => sidecarsOf(keeper.tree(), path),
    open: (path) => openInside(root, path),
    count: () => keeper.shelf()?.count ?? 0,
  }
}

interface Header {
  quality: string
  marks: Marks
}

/** Headers are read once per file and change of it, when somebody asks for the title. */
function createHeaders(root: string) {
  const known = new Map<string, Header>()
  return async (real: string, { size, mtimeMs }: Stats): Promise<Header> => {
    const key = `${real.slice(root.length)} ${size} ${mtimeMs}`
    const before = known.get(key)
    if (before) return before
    const picture = await probe(real).catch(() => null)
    const header = picture
      ? { quality: qualityOfPicture(picture), marks: marksOf(picture.chapters, picture.seconds) }
      : { quality: 'auto', marks: {} }
    if (known.size >= PROBED) known.clear()
    known.set(key, header)
    return header
  }
}

/** Whether a file is one that HLS may name: a playlist, a segment, a subtitle. */
export function isStreamPart(path: string): boolean {
  return ['m3u8', 'ts', 'm4s', 'mp4', 'm4v', 'm4a', 'aac', 'mp3', 'cmfv', 'cmfa', 'vtt'].includes(
    extensionOf(path),
  )
}
