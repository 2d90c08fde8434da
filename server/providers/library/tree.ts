/** Lists the library's folders: names only, in batches, so that a hundred thousand files hold nobody up. */
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { insideOf } from './confine.ts'
import { extensionOf, VIDEO_TYPES } from './media-types.ts'

export interface Folder {
  /** Videos, subtitles, notes and playlists; other files are not kept. */
  files: string[]
  folders: string[]
  /** Holds one HLS stream; its segments and what lies deeper belong to it. */
  hls: boolean
}
/** By path relative to the root, `/` between names, the root itself empty. */
export type Tree = Map<string, Folder>

const AT_ONCE = 8
const DEEPEST = 12
const IGNORED =
  /^(?:\..*|@eaDir|#recycle|\$RECYCLE\.BIN|lost\+found|System Volume Information|@Recycle|@tmp|Network Trash Folder)$/i
const KEPT = new Set([...Object.keys(VIDEO_TYPES), 'm3u8', 'srt', 'vtt', 'nfo'])
const SUBTITLE_FOLDER = /^(?:subs|subtitles|subtitle)$/i
const PLAYLIST = /^(?:master|index|playlist|main|stream)\.m3u8$/i
const SEGMENTS = new Set(['ts', 'm4s', 'cmfv', 'cmfa'])

export const under = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

/** Lists `from` and all below it into `tree`. Folders that cannot be read are left out; the root throws. */
export async function walk(root: string, from: string, tree: Tree): Promise<void> {
  const waiting = [from]
  const real = new Set<string>()
  const visit = async (path: string) => {
    const found = await list(root, path, real)
    if (!found) return
    tree.set(path, found)
    if (path.split('/').length < DEEPEST) waiting.push(...found.folders.map((name) => under(path, name)))
  }
  if (from === '') await readdir(root)
  while (waiting.length > 0) await Promise.all(waiting.splice(-AT_ONCE).map(visit))
}

/** One folder; null when it cannot be read or asks to be ignored (`.ignore`, `.nomedia`). */
export async function list(root: string, path: string, seen = new Set<string>()): Promise<Folder | null> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => null)
  if (!entries || entries.some(({ name }) => name === '.ignore' || name === '.nomedia')) return null
  const files: string[] = []
  const folders: string[] = []
  for (const entry of entries) {
    if (IGNORED.test(entry.name) || /[\\\0\ufffd]/.test(entry.name)) continue
    const kind = entry.isSymbolicLink() ? await linked(root, under(path, entry.name), seen) : kindOf(entry)
    if (kind === 'folder') folders.push(entry.name)
    if (kind === 'file' && KEPT.has(extensionOf(entry.name))) files.push(entry.name)
  }
  const hls = path !== '' && isStream(entries)
  return hls ? streamFolder(files, folders) : { files: files.sort(), folders: folders.sort(), hls }
}

const kindOf = (entry: Dirent) => (entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : null)

/** A link counts when it stays inside; a folder reached by a link counts once, so that circles end. */
async function linked(root: string, path: string, seen: Set<string>): Promise<'file' | 'folder' | null> {
  const real = await insideOf(root, path)
  if (real === null || seen.has(real)) return null
  const stats = await stat(real).catch(() => null)
  if (stats?.isFile()) return 'file'
  if (!stats?.isDirectory() || join(root, path).startsWith(`${real}/`)) return null
  seen.add(real)
  return 'folder'
}

function isStream(entries: Dirent[]): boolean {
  const names = entries.map((entry) => entry.name)
  if (names.some((name) => PLAYLIST.test(name))) return true
  return (
    names.some((name) => extensionOf(name) === 'm3u8') &&
    names.some((name) => SEGMENTS.has(extensionOf(name)))
  )
}

/** One playlist stands for the folder: the master, or what is called like one, or the first. */
function streamFolder(files: string[], folders: string[]): Folder {
  const playlists = files.filter((name) => extensionOf(name) === 'm3u8').sort()
  const first =
    playlists.find((name) => /^master\.m3u8$/i.test(name)) ??
    playlists.find((name) => PLAYLIST.test(name)) ??
    playlists[0]
  const rest = files.filter((name) => extensionOf(name) !== 'm3u8' && !SEGMENTS.has(extensionOf(name)))
  return {
    files: [...(first ? [first] : []), ...rest].sort(),
    folders: folders.filter((name) => SUBTITLE_FOLDER.test(name)),
    hls: true,
  }
}
