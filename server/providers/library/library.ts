/** The operator's own files (`MEDIA_DIR`): found by name and note, kept up with, opened safely. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { insideOf, type OpenFile, openInside } from './confine.ts'
import { extensionOf, PLAYLIST_TYPE, typeOf } from './media-types.ts'
import { NFO_MOST_BYTES, type Nfo, readNfo } from './nfo.ts'
import { probe } from './probe.ts'
import { qualityOfPicture } from './quality.ts'
import { arrange, type Shelf, type Work } from './shelf.ts'
import { type Sidecar, sidecarsOf } from './sidecars.ts'
import { list, type Tree, under, walk } from './tree.ts'
import { type FolderWatch, watchFolders } from './watch.ts'

export interface Video {
  path: string
  type: string
  /** `auto` where nothing says it, and for HLS, which chooses by itself. */
  quality: string
  /** Bytes; null for HLS. */
  size: number | null
}
export interface Library {
  /** Finds all files, then follows changes. Rejects when the folder cannot be read. */
  start: () => Promise<void>
  stop: () => void
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
interface Options {
  /** Waits so long after a change for the next one. */
  settleMs?: number
  /** A slow look at everything, for what no watch tells: network folders, limits of the system. */
  rescanMs?: number
  onNews?: (event: string, fields: Record<string, unknown>) => void
}

const SETTLE_MS = 1_500
const RESCAN_MS = 15 * 60_000
const PROBED = 20_000

export async function openLibrary(folder: string, options: Options = {}): Promise<Library> {
  const root = await realpath(folder)
  if (!(await stat(root)).isDirectory()) throw new Error('not a folder')
  return createLibrary(root, options)
}

function createLibrary(root: string, options: Options): Library {
  const { settleMs = SETTLE_MS, rescanMs = RESCAN_MS, onNews = () => {} } = options
  let tree: Tree = new Map()
  let shelf: Shelf | null = null
  const notes = new Map<string, Nfo | null>()
  const dirty = new Set<string>()
  let work: Promise<void> = Promise.resolve()
  let settling: NodeJS.Timeout | undefined
  let slow: NodeJS.Timeout | undefined
  let watching: FolderWatch | undefined
  const qualities = createQualities(root)

  const readNotes = async (path: string) => {
    if (!notes.has(path)) notes.set(path, await readNote(root, path))
    return notes.get(path) ?? null
  }
  const shelve = async () => {
    shelf = await arrange(tree, readNotes)
    await watching?.follow(tree.keys())
  }
  const scan = async () => {
    const started = performance.now()
    const fresh: Tree = new Map()
    await walk(root, '', fresh)
    tree = fresh
    notes.clear()
    dirty.clear()
    await shelve()
    onNews('library', {
      files: shelf?.count,
      folders: tree.size,
      ms: Math.round(performance.now() - started),
    })
  }
  const update = async () => {
    const folders = [...dirty].sort()
    dirty.clear()
    for (const folder of folders) await refresh(root, tree, notes, folder)
    if (folders.length > 0) await shelve()
  }
  const after = (task: () => Promise<void>) => {
    work = work.then(task).catch((error: Error) => onNews('library-unread', { error: error.message }))
  }
  const onChange = (path: string) => {
    dirty.add(path)
    settling ??= setTimeout(() => {
      settling = undefined
      after(update)
    }, settleMs)
    settling.unref()
  }
  return {
    async start() {
      watching = watchFolders(root, onChange, (code) => onNews('library-watch-limit', { code }))
      await scan()
      slow = setInterval(() => after(scan), rescanMs)
      slow.unref()
    },
    stop() {
      clearTimeout(settling)
      clearInterval(slow)
      watching?.stop()
    },
    idle: () => work,
    find(type, by) {
      const drawers = shelf?.[type]
      if ('imdb' in by) return drawers?.imdb.get(by.imdb) ?? []
      return ('tmdb' in by ? drawers?.tmdb.get(by.tmdb) : drawers?.name.get(by.name)) ?? []
    },
    async describe(path) {
      const real = await insideOf(root, path)
      const stats = real === null ? null : await stat(real).catch(() => null)
      const type = typeOf(path)
      if (real === null || !stats?.isFile() || !type) return null
      if (type === PLAYLIST_TYPE) return { path, type, quality: 'auto', size: null }
      const quality = shelf?.quality.get(path) ?? (await qualities(real, stats.size, stats.mtimeMs))
      return { path, type, quality, size: stats.size }
    },
    subtitles: (path) => sidecarsOf(tree, path),
    open: (path) => openInside(root, path),
    count: () => shelf?.count ?? 0,
  }
}

/** Lists one folder anew: new ones below it are walked, lost ones forgotten. */
async function refresh(
  root: string,
  tree: Tree,
  notes: Map<string, Nfo | null>,
  folder: string,
): Promise<void> {
  if (!tree.has(folder) && folder !== '') return
  for (const note of notes.keys())
    if (note.slice(0, Math.max(note.lastIndexOf('/'), 0)) === folder) notes.delete(note)
  const before = tree.get(folder)?.folders ?? []
  const found = await list(root, folder)
  if (!found) {
    if (folder !== '') forget(tree, folder)
    return
  }
  tree.set(folder, found)
  const now = new Set(found.folders)
  for (const name of before) if (!now.has(name)) forget(tree, under(folder, name))
  for (const name of found.folders)
    if (!tree.has(under(folder, name))) await walk(root, under(folder, name), tree)
}

function forget(tree: Tree, folder: string): void {
  for (const path of tree.keys()) if (path === folder || path.startsWith(`${folder}/`)) tree.delete(path)
}

async function readNote(root: string, path: string): Promise<Nfo | null> {
  const real = await insideOf(root, path)
  const stats = real === null ? null : await stat(real).catch(() => null)
  if (real === null || !stats?.isFile() || stats.size > NFO_MOST_BYTES) return null
  return readFile(real).then(readNfo, () => null)
}

/** Headers are read once per file and change of it, when somebody asks for the title. */
function createQualities(root: string) {
  const known = new Map<string, string>()
  return async (real: string, size: number, mtimeMs: number): Promise<string> => {
    const key = `${real.slice(root.length)} ${size} ${mtimeMs}`
    const before = known.get(key)
    if (before) return before
    const picture = await probe(join(real)).catch(() => null)
    const quality = picture ? qualityOfPicture(picture) : 'auto'
    if (known.size >= PROBED) known.clear()
    known.set(key, quality)
    return quality
  }
}

/** Whether a file is one that HLS may name: a playlist, a segment, a subtitle. */
export function isStreamPart(path: string): boolean {
  return ['m3u8', 'ts', 'm4s', 'mp4', 'm4v', 'm4a', 'aac', 'mp3', 'cmfv', 'cmfa', 'vtt'].includes(
    extensionOf(path),
  )
}
