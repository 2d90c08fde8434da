/**
 * The operator's media folder (`MEDIA_DIR`): lists its files with the information in their names, follows changes, and
 * opens files safely.
 */

import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { MAX_SUBTITLE_BYTES } from '../../../src/lib/rules/webvtt.ts'
import { type ContentProblem, findContentProblem } from './content-problem.ts'
import type { MountPoints } from './empty-folders.ts'
import type { LibraryFile } from './library-index.ts'
import { createLibraryIndexer, type LibraryIndexerOptions } from './library-indexer.ts'
import { getContentType, getFileExtension, PLAYLIST_TYPE } from './media-types.ts'
import { type Chapter, findPlaybackMarks, type PlaybackMarks } from './playback-marks.ts'
import { probeVideo } from './probe.ts'
import { getQualityOfSize } from './quality.ts'
import { type OpenedFile, openFileInside, resolvePathInside } from './safe-open.ts'
import { findSubtitleFiles, type SubtitleFile } from './subtitle-files.ts'
import type { VideoHeader } from './video-header.ts'

export interface LibraryVideo {
  path: string
  type: string
  /**
   * Quality of the video, such as `1080p`. It is `auto` when the quality is unknown, and for HLS, whose player chooses
   * the quality.
   */
  quality: string
  /**
   * True when the name states the quality. Otherwise the quality is computed from the size of the picture.
   */
  isQualityNamed: boolean
  /** Size of the file in bytes; null for HLS. */
  sizeBytes: number | null
  /** Positions of intro and credits, from the chapters of the file. */
  marks: PlaybackMarks
  chapters: Chapter[]
}
export interface LocatedFile {
  /** Absolute path without symbolic links. It never leaves the server. */
  realPath: string
  sizeBytes: number
  modifiedAtMs: number
}
export interface Library {
  /** Scans the folder, and follows its changes from then on. Rejects when the folder cannot be read. */
  start: () => Promise<void>
  stop: () => void
  /** Resolves when the first scan has ended or failed; immediately when no scan was started. */
  whenScanned: () => Promise<void>
  /** Resolves when no scan or update is running. */
  whenIdle: () => Promise<void>
  /** Returns all video files with the information in their names; null before the first scan has ended. */
  listFiles: () => readonly LibraryFile[] | null
  /** Calls `listener` after each scan or update, until the returned function is called. */
  onUpdate: (listener: (isFullScan: boolean) => void) => () => void
  /** Scans all folders again, after the scans and updates that were already requested. Rejects when the scan fails. */
  rescan: () => Promise<void>
  /** Returns the information in the header of a file; null when the header cannot be read. */
  probeFile: (path: string) => Promise<VideoHeader | null>
  /**
   * Returns type, quality, size and marks of a file; null when it does not exist, is empty or has a type that is not
   * served.
   */
  describeVideo: (path: string) => Promise<LibraryVideo | null>
  /** Returns the subtitle files of a video that can be served: they have content, but at most MAX_SUBTITLE_BYTES. */
  listSubtitles: (path: string) => Promise<SubtitleFile[]>
  openFile: (path: string) => Promise<OpenedFile | null>
  /**
   * Returns the real path, the size and the modification time of a file, which ffmpeg needs; null when the file does
   * not exist or is outside the folder.
   */
  locateFile: (path: string) => Promise<LocatedFile | null>
  /** Returns why the content of a file cannot be played; null when it can be played or the file does not exist. */
  findContentProblem: (path: string) => Promise<ContentProblem | null>
  countFiles: () => number
  /** Sets the mount points in the folder that an earlier run of the server has listed. Call it before `start`. */
  setKnownMountPoints: (mountPoints: MountPoints) => void
  /** Returns the mount points in the folder, including those whose disk is not mounted now. */
  listMountPoints: () => MountPoints
  /** Returns the folders whose files may still exist although they cannot be listed now; `['']` for all folders. */
  findUnreadableFolders: () => Promise<string[]>
}
const MAX_CACHED_HEADERS = 20_000

/**
 * Opens a library without scanning it. `folder` may be a symbolic link. Rejects when `folder` is not an existing
 * folder.
 */
export async function openLibrary(folder: string, options: LibraryIndexerOptions = {}): Promise<Library> {
  const root = await realpath(folder)
  if (!(await stat(root)).isDirectory()) throw new Error('not a directory')
  const indexer = createLibraryIndexer(root, options)
  const readHeader = createHeaderCache(root)
  const locateFile = async (path: string): Promise<LocatedFile | null> => {
    const realPath = await resolvePathInside(root, path)
    const stats = realPath === null ? null : await stat(realPath).catch(() => null)
    if (realPath === null || !stats?.isFile()) return null
    return { realPath, sizeBytes: stats.size, modifiedAtMs: Math.round(stats.mtimeMs) }
  }
  const { start, stop, whenScanned, whenIdle } = indexer
  return {
    start,
    stop,
    whenScanned,
    whenIdle,
    listFiles: () => indexer.getIndex()?.files ?? null,
    onUpdate: indexer.onUpdate,
    rescan: indexer.rescan,
    async probeFile(path) {
      const realFilePath = await resolvePathInside(root, path)
      return realFilePath === null ? null : probeVideo(realFilePath).catch(() => null)
    },
    async describeVideo(path) {
      const realFilePath = await resolvePathInside(root, path)
      const stats = realFilePath === null ? null : await stat(realFilePath).catch(() => null)
      const type = getContentType(path)
      if (realFilePath === null || !stats?.isFile() || stats.size === 0 || !type) return null
      const baseFields = { path, type, isQualityNamed: false }
      if (type === PLAYLIST_TYPE)
        return { ...baseFields, quality: 'auto', sizeBytes: null, marks: {}, chapters: [] }
      const { quality, marks, chapters } = await readHeader(realFilePath, stats)
      const namedQuality = indexer.getIndex()?.qualityByPath.get(path)
      return {
        ...baseFields,
        quality: namedQuality ?? quality,
        isQualityNamed: namedQuality !== undefined,
        sizeBytes: stats.size,
        marks,
        chapters,
      }
    },
    async listSubtitles(path) {
      const subtitleFiles = findSubtitleFiles(indexer.getTree(), path)
      const locations = await Promise.all(subtitleFiles.map((file) => locateFile(file.path)))
      return subtitleFiles.filter((_file, index) => {
        const sizeBytes = locations[index]?.sizeBytes ?? 0
        return sizeBytes > 0 && sizeBytes <= MAX_SUBTITLE_BYTES
      })
    },
    openFile: (path) => openFileInside(root, path),
    locateFile,
    async findContentProblem(path) {
      const realPath = await resolvePathInside(root, path)
      return realPath === null ? null : findContentProblem(realPath)
    },
    countFiles: () => indexer.getIndex()?.usableFileCount ?? 0,
    setKnownMountPoints: indexer.setKnownMountPoints,
    listMountPoints: indexer.listMountPoints,
    findUnreadableFolders: indexer.findUnreadableFolders,
  }
}

interface CachedHeader {
  quality: string
  marks: PlaybackMarks
  chapters: Chapter[]
}

/** Reads file headers on demand and caches them by path, size and modification time. */
function createHeaderCache(root: string) {
  const headersByCacheKey = new Map<string, CachedHeader>()
  return async (realFilePath: string, { size, mtimeMs }: Stats): Promise<CachedHeader> => {
    const cacheKey = `${realFilePath.slice(root.length)} ${size} ${mtimeMs}`
    const cachedHeader = headersByCacheKey.get(cacheKey)
    if (cachedHeader) return cachedHeader
    const videoHeader = await probeVideo(realFilePath).catch(() => 'unreadable' as const)
    const header =
      videoHeader && videoHeader !== 'unreadable'
        ? {
            quality: getQualityOfSize(videoHeader),
            marks: findPlaybackMarks(videoHeader.chapters, videoHeader.durationSeconds),
            chapters: videoHeader.chapters,
          }
        : { quality: 'auto', marks: {}, chapters: [] }
    // The result for an unreadable header is not cached. Otherwise, a disk that fails for a moment would hide the
    // quality until the server restarts.
    if (videoHeader === 'unreadable') return header
    if (headersByCacheKey.size >= MAX_CACHED_HEADERS) headersByCacheKey.clear()
    headersByCacheKey.set(cacheKey, header)
    return header
  }
}

/** True for the file types that an HLS playlist may refer to: playlists, segments and subtitles. */
export function isHlsPartFile(path: string): boolean {
  return ['m3u8', 'ts', 'm4s', 'mp4', 'm4v', 'm4a', 'aac', 'mp3', 'cmfv', 'cmfa', 'vtt'].includes(
    getFileExtension(path),
  )
}
