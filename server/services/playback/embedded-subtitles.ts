/** Text subtitles inside video files. All tracks of a file are extracted at once, when the first one is requested, and stored. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import { MAX_SUBTITLE_BYTES } from '../../../src/lib/rules/webvtt.ts'
import { toErrorFields } from '../../core/log.ts'
import { extractSubtitles, isTextSubtitle } from '../../providers/ffmpeg/extract-subtitles.ts'
import { formatSubtitleLabel } from '../../providers/library/subtitle-name.ts'
import type { Deps } from '../deps.ts'
import { type ExaminedFile, examineFile } from './media-information.ts'
import type { StreamLookup } from './stream-lookup.ts'

const SUBTITLE_FOLDER_NAME = 'subtitles'
/** The files of the oldest videos are deleted beyond this number. */
const MAX_STORED_FILES = 2_000

type SubtitleInfo = StreamInfo['subtitles'][number]

/** Returns the subtitles inside the files of a title, without those that a subtitle file beside the video provides. */
export function listEmbeddedSubtitles(
  { signUrl }: StreamLookup,
  files: readonly ExaminedFile[],
  sidecars: readonly SubtitleInfo[],
): SubtitleInfo[] {
  const getKey = ({ lang, forced, sdh }: Pick<SubtitleInfo, 'lang' | 'forced' | 'sdh'>) =>
    `${lang} ${forced === true} ${sdh === true}`
  const known = new Set(sidecars.map(getKey))
  const subtitles: SubtitleInfo[] = []
  for (const { path, information } of files)
    for (const track of information?.subtitles.filter(isTextSubtitle) ?? []) {
      const { index, language: lang, isForced: forced, isForHardOfHearing: sdh } = track
      const key = getKey({ lang, forced, sdh })
      if (known.has(key)) continue
      known.add(key)
      subtitles.push({
        lang,
        label: formatSubtitleLabel({ lang, forced, sdh }),
        url: signUrl({ source: 'embedded-subtitle', name: path, hint: String(index) }, 'vtt'),
        ...(forced && { forced }),
        ...(sdh && { sdh }),
      })
    }
  return subtitles
}

const extractions = new WeakMap<Deps, Map<string, Promise<void>>>()

/** Returns an embedded subtitle track as WebVTT; null when the file or the track does not exist, or cannot be extracted. */
export async function loadEmbeddedSubtitle(deps: Deps, path: string, index: number): Promise<Buffer | null> {
  const file = await examineFile(deps, path)
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  const tracks = file?.information?.subtitles.filter(isTextSubtitle) ?? []
  if (!file || ffmpeg.status !== 'available' || !tracks.some((track) => track.index === index)) return null
  const folder = join(deps.config.dataDir, 'transcode', SUBTITLE_FOLDER_NAME)
  const { sizeBytes, modifiedAtMs, realPath } = file.location
  const identity = createHash('sha256')
    .update(`${path}\n${sizeBytes}\n${modifiedAtMs}`)
    .digest('hex')
    .slice(0, 32)
  const getFile = (trackIndex: number) => join(folder, `${identity}-${trackIndex}.vtt`)
  const stored = await readStoredFile(getFile(index))
  if (stored) return stored
  const running = extractions.get(deps) ?? new Map<string, Promise<void>>()
  extractions.set(deps, running)
  const extraction =
    running.get(identity) ??
    extractAll(
      ffmpeg.ffmpeg.ffmpegPath,
      realPath,
      folder,
      tracks.map((track) => [track.index, getFile(track.index)]),
    )
  running.set(identity, extraction)
  try {
    await extraction
  } catch (error) {
    deps.log.warn('subtitle_extraction', toErrorFields(error))
    return null
  } finally {
    running.delete(identity)
  }
  return readStoredFile(getFile(index))
}

async function extractAll(
  ffmpegPath: string,
  realPath: string,
  folder: string,
  outputs: [index: number, file: string][],
): Promise<void> {
  await mkdir(folder, { recursive: true })
  await deleteOldFiles(folder)
  // A file appears under its name when it is complete, so that a crash leaves no half of one.
  const partialFiles = outputs.map(([index, file]) => ({ index, file: `${file}.part` }))
  try {
    await extractSubtitles(ffmpegPath, realPath, partialFiles)
    for (const [, file] of outputs) await rename(`${file}.part`, file)
  } finally {
    for (const { file } of partialFiles) await rm(file, { force: true })
  }
}

async function readStoredFile(file: string): Promise<Buffer | null> {
  const bytes = await readFile(file).catch(() => null)
  return bytes && bytes.length <= MAX_SUBTITLE_BYTES ? bytes : null
}

async function deleteOldFiles(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length < MAX_STORED_FILES) return
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      usedAtMs: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  )
  files.sort((a, b) => a.usedAtMs - b.usedAtMs)
  for (const { name } of files.slice(0, MAX_STORED_FILES / 10)) await rm(join(folder, name), { force: true })
}
