/**
 * Lists the folders of the library in batches, so that a scan of 100,000 files does not block the event loop. Opens
 * only playlists, to distinguish HLS streams from lists of movies.
 */

import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { getParentFolder } from './file-path.ts'
import { getFileExtension, removeFileExtension, SUBTITLE_EXTENSIONS, VIDEO_TYPES } from './media-types.ts'
import { openFileInside, resolvePathInside } from './safe-open.ts'
import { isSubtitleFolder } from './subtitle-name.ts'

export interface LibraryFolder {
  /** Names of videos, disc images, subtitles, NFO files and HLS playlists; other files are left out. */
  files: string[]
  folders: string[]
  /**
   * True if the folder contains one HLS stream. Its segments belong to the stream, and so do its subfolders, except
   * those with subtitles or with a year in the name (another title).
   */
  isHlsStream: boolean
  /**
   * Number of entries that are left out because no path can name them: their names contain a backslash or are not
   * UTF-8.
   */
  unusableNameCount: number
  /** Device and inode change when another folder or a disk takes the path of the folder. */
  device: number
  inode: number
}
/** Folders by path relative to the root, separated by `/`; the root is the empty string. */
export type FolderTree = Map<string, LibraryFolder>

/** True if a folder, as listed now, may be the mount point of a disk that is not mounted. */
export type UnmountedCheck = (path: string, folder: LibraryFolder, previousFolder?: LibraryFolder) => boolean

const MAX_PARALLEL_FOLDERS = 8
/**
 * Maximum depth of a folder. No folder of movies is deeper. The limit ends the scan of a mount that contains itself, in
 * which the same folders repeat at every depth.
 */
const MAX_FOLDER_DEPTH = 40
/** Hidden entries, folders of the system and of network drives, and downloads that are being unpacked. */
const IGNORED_NAME_PATTERN =
  /^(?:\..*|@eaDir|#recycle|\$RECYCLE\.BIN|lost\+found|System Volume Information|@Recycle|@tmp|Network Trash Folder|#snapshot|@Recently-Snapshot|_UNPACK_.*|_FAILED_.*)$/i
/**
 * Extensions of the files that are listed. Disc images (`iso`, `img`) cannot be played, but are listed so that
 * administrators see the reason.
 */
const INDEXED_EXTENSIONS = new Set([
  ...Object.keys(VIDEO_TYPES),
  'm3u8',
  'iso',
  'img',
  ...SUBTITLE_EXTENSIONS,
  'nfo',
])
const MAIN_PLAYLIST_PATTERN = /^(?:master|index|playlist|main|stream)\.m3u8$/i
/** Number of bytes at the start of a playlist in which an HLS tag is searched for. */
const PLAYLIST_START_BYTES = 16_384
/** A folder with a year contains a movie or series, so it is listed even if its parent folder is an HLS stream. */
const TITLE_FOLDER_PATTERN = /[([](?:1[89]|20)\d\d[)\]]/
const SEGMENT_EXTENSIONS = new Set(['ts', 'm4s', 'cmfv', 'cmfa'])

export const joinPath = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

/**
 * Adds the folder `startFolder` and its subfolders to `tree`. Folders that exist but cannot be read are copied from
 * `previousTree` with their subfolders, and their paths are returned. The same applies to folders whose disk is not
 * mounted, for which `isUnmounted` returns true. Throws when `startFolder` is the root and is unreadable.
 */
export async function walkFolders(
  root: string,
  startFolder: string,
  tree: FolderTree,
  previousTree: FolderTree = new Map(),
  isUnmounted: UnmountedCheck = () => false,
): Promise<string[]> {
  const unreadableFolders: string[] = []
  const folderQueue = [startFolder]
  const visitedLinks = new Set<string>()
  const visitFolder = async (path: string) => {
    const folder = await listFolder(root, path, visitedLinks)
    if (!folder) return
    if (folder === 'unreadable' || isUnmounted(path, folder, previousTree.get(path))) {
      unreadableFolders.push(path)
      if (folder !== 'unreadable') tree.set(path, folder)
      for (const [previousPath, previousFolder] of previousTree)
        if (isInFolder(previousPath, path)) tree.set(previousPath, previousFolder)
      return
    }
    tree.set(path, folder)
    if (path.split('/').length < MAX_FOLDER_DEPTH)
      folderQueue.push(...folder.folders.map((name) => joinPath(path, name)))
  }
  if (startFolder === '') await readdir(root)
  while (folderQueue.length > 0) await Promise.all(folderQueue.splice(-MAX_PARALLEL_FOLDERS).map(visitFolder))
  return unreadableFolders
}

/** True if `path` is `folder` itself or is below it. */
export const isInFolder = (path: string, folder: string) =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

/**
 * Lists one folder. Returns null when it was removed or contains `.ignore` or `.nomedia`, and `unreadable` when it
 * cannot be read, for example while a network share does not answer.
 */
export async function listFolder(
  root: string,
  path: string,
  visitedLinks = new Set<string>(),
): Promise<LibraryFolder | 'unreadable' | null> {
  const stats = await stat(join(root, path)).catch(() => null)
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => null)
  if (!stats || !entries) return (await isFolderRemoved(root, path)) ? null : 'unreadable'
  if (entries.some(({ name }) => name === '.ignore' || name === '.nomedia')) return null
  const files: string[] = []
  const folders: string[] = []
  let unusableNameCount = 0
  const pictureSubtitleNames = findPictureSubtitles(entries)
  const identity = { device: stats.dev, inode: stats.ino }
  for (const entry of entries) {
    if (IGNORED_NAME_PATTERN.test(entry.name)) continue
    if (/[\\\0\ufffd]/.test(entry.name)) {
      unusableNameCount += 1
      continue
    }
    const entryKind = entry.isSymbolicLink()
      ? await resolveLinkKind(root, joinPath(path, entry.name), visitedLinks)
      : getEntryKind(entry)
    if (entryKind === 'folder') folders.push(entry.name)
    if (entryKind !== 'file' || !INDEXED_EXTENSIONS.has(getFileExtension(entry.name))) continue
    if (pictureSubtitleNames.has(entry.name)) continue
    if (isPlaylist(entry.name) && !(await isHlsPlaylist(root, joinPath(path, entry.name)))) continue
    files.push(entry.name)
  }
  const isHlsStream = path !== '' && hasHlsStream(files, entries)
  return isHlsStream
    ? { ...filterHlsFolderEntries(files, folders), unusableNameCount, ...identity }
    : { files: files.sort(), folders: folders.sort(), isHlsStream, unusableNameCount, ...identity }
}

/** Returns the names of the files with the pictures of VobSub. Without an `.idx` beside it, a `.sub` file has text. */
function findPictureSubtitles(entries: readonly Dirent[]): Set<string> {
  const getStem = (name: string) => removeFileExtension(name).toLowerCase()
  const hasExtension = (name: string, extension: string) => getFileExtension(name) === extension
  const idxFileStems = new Set(
    entries.filter(({ name }) => hasExtension(name, 'idx')).map(({ name }) => getStem(name)),
  )
  const names = entries.filter(({ name }) => hasExtension(name, 'sub') && idxFileStems.has(getStem(name)))
  return new Set(names.map(({ name }) => name))
}

/**
 * True when the nearest readable folder above `path` no longer contains `path`. Always false for the root. Also false
 * when that readable folder is an empty root: the root may be the mount point of a network share that is not mounted.
 */
async function isFolderRemoved(root: string, path: string): Promise<boolean> {
  if (path === '') return false
  const parentPath = getParentFolder(path)
  const names = await readdir(join(root, parentPath)).catch(() => null)
  if (!names) return isFolderRemoved(root, parentPath)
  return names.length > 0 || parentPath !== '' ? !names.includes(basename(path)) : false
}

const getEntryKind = (entry: Dirent) => (entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : null)

/**
 * Returns the kind of a symbolic link's target. Null when the target does not exist or is outside the root. To prevent
 * an endless loop, also null for a folder that contains the link, and for a folder that was already reached through
 * another link.
 */
async function resolveLinkKind(
  root: string,
  path: string,
  visitedLinks: Set<string>,
): Promise<'file' | 'folder' | null> {
  const realTargetPath = await resolvePathInside(root, path)
  if (realTargetPath === null || visitedLinks.has(realTargetPath)) return null
  const stats = await stat(realTargetPath).catch(() => null)
  if (stats?.isFile()) return 'file'
  if (!stats?.isDirectory() || join(root, path).startsWith(`${realTargetPath}/`)) return null
  visitedLinks.add(realTargetPath)
  return 'folder'
}

const isPlaylist = (name: string) => getFileExtension(name) === 'm3u8'

/**
 * True for a playlist of HLS. False for a list of movies, such as VLC and Kodi write: such a list has no HLS tag. An
 * unreadable playlist counts as HLS, so that a short failure of the disk does not change the library.
 */
async function isHlsPlaylist(root: string, path: string): Promise<boolean> {
  const openFile = await openFileInside(root, path)
  if (!openFile) return true
  try {
    const buffer = Buffer.alloc(PLAYLIST_START_BYTES)
    const { bytesRead: byteCount } = await openFile.file.read(buffer, 0, buffer.length, 0)
    return /^#EXT-X-/m.test(buffer.toString('latin1', 0, byteCount))
  } catch {
    return true
  } finally {
    await openFile.file.close()
  }
}

function hasHlsStream(files: readonly string[], entries: Dirent[]): boolean {
  if (files.some((name) => MAIN_PLAYLIST_PATTERN.test(name))) return true
  return (
    files.some(isPlaylist) && entries.some((entry) => SEGMENT_EXTENSIONS.has(getFileExtension(entry.name)))
  )
}

/**
 * Keeps only one playlist, which represents the stream: `master.m3u8`, otherwise one with another usual name, otherwise
 * the first one. Leaves out segments, and all subfolders except for those of subtitles and of titles.
 */
function filterHlsFolderEntries(
  files: string[],
  folders: string[],
): Pick<LibraryFolder, 'files' | 'folders' | 'isHlsStream'> {
  const playlists = files.filter(isPlaylist).sort()
  const mainPlaylist =
    playlists.find((name) => /^master\.m3u8$/i.test(name)) ??
    playlists.find((name) => MAIN_PLAYLIST_PATTERN.test(name)) ??
    playlists[0]
  const otherFiles = files.filter(
    (name) => !isPlaylist(name) && !SEGMENT_EXTENSIONS.has(getFileExtension(name)),
  )
  return {
    files: [...(mainPlaylist ? [mainPlaylist] : []), ...otherFiles].sort(),
    folders: folders.filter((name) => isSubtitleFolder(name) || TITLE_FOLDER_PATTERN.test(name)).sort(),
    isHlsStream: true,
  }
}
