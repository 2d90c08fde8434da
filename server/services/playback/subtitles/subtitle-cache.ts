/**
 * Stores subtitles and fonts that were extracted from video files, in `DATA_DIR/transcode/subtitles`. File
 * names start with a hash of path, size and modification time of the video. A changed video therefore gets
 * new files.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_SUBTITLE_BYTES } from '../../../../src/lib/rules/webvtt.ts'
import { extractSubtitles, listAttachedFonts } from '../../../providers/ffmpeg/extract-subtitles.ts'
import type { Ffmpeg } from '../../../providers/ffmpeg/ffmpeg-binary.ts'
import type { SubtitleTrack } from '../../../providers/ffmpeg/media-probe.ts'
import { isStyledSubtitle, isTextSubtitle } from '../../../providers/ffmpeg/subtitle-formats.ts'
import type { Deps } from '../../deps.ts'
import { throwIfTemporaryFailure } from '../ffmpeg-failure.ts'
import type { ExaminedFile } from '../media-information.ts'
import { isFont } from './check-track.ts'

const SUBTITLE_FOLDER_NAME = 'subtitles'
/** Beyond these limits, the oldest files are deleted. */
const MAX_STORED_FILES = 4_000
const MAX_STORED_BYTES = 2 * 1024 ** 3
export const MAX_PICTURE_TRACK_BYTES = 64 * 1024 * 1024
const MAX_FONTS = 64
const MAX_FONT_BYTES = 32 * 1024 * 1024

export interface SubtitleFiles {
  getPath: (suffix: string) => string
  folder: string
}

export function getSubtitleFiles({ config }: Pick<Deps, 'config'>, file: ExaminedFile): SubtitleFiles {
  const folderPath = join(config.dataDir, 'transcode', SUBTITLE_FOLDER_NAME)
  const { sizeBytes, modifiedAtMs } = file.location
  const identityHash = createHash('sha256')
    .update(`${file.path}\n${sizeBytes}\n${modifiedAtMs}`)
    .digest('hex')
    .slice(0, 32)
  return { folder: folderPath, getPath: (suffix) => join(folderPath, `${identityHash}-${suffix}`) }
}

/**
 * Extracts all text tracks of a file as WebVTT. Styled tracks are also copied in their own format, with the
 * fonts of the file. After a temporary failure, throws the error of `throwIfTemporaryFailure`.
 */
export async function extractTextTracks(deps: Deps, ffmpeg: Ffmpeg, file: ExaminedFile) {
  const tracks = file.information?.subtitles.filter(isTextSubtitle) ?? []
  const styledTracks = tracks.filter(isStyledSubtitle)
  const plainOutputs = tracks.map((track) => createTextOutput(track, 'webvtt', 'vtt'))
  const styledOutputs = styledTracks.map((track) => createTextOutput(track, 'ass', 'ass'))
  const fonts = styledTracks.length > 0 ? await listFontOutputs(ffmpeg, file) : []
  await writeSubtitleFiles(deps, file, async (getPartialPath) => {
    const runExtraction = (outputs: typeof plainOutputs, attachedFonts: typeof fonts) =>
      extractSubtitles(
        ffmpeg.ffmpegPath,
        file.location.realPath,
        outputs.map((output) => ({ ...output, file: getPartialPath(output.suffix) })),
        attachedFonts.map((font) => ({ index: font.index, file: getPartialPath(font.suffix) })),
      )
    const allOutputs = [...plainOutputs, ...styledOutputs]
    const isComplete = await runExtraction(allOutputs, fonts).then(
      () => true,
      () => false,
    )
    if (isComplete) return [...allOutputs, ...fonts].map(({ suffix }) => suffix)
    // Extract at least the plain text when ffmpeg cannot copy a font or a styled track.
    await runExtraction(plainOutputs, [])
    return plainOutputs.map(({ suffix }) => suffix)
  })
}

/** Extracts one PGS track. After a temporary failure, throws the error of `throwIfTemporaryFailure`. */
export async function extractPictureTrack(
  deps: Deps,
  ffmpeg: Ffmpeg,
  file: ExaminedFile,
  trackIndex: number,
): Promise<void> {
  const suffix = `${trackIndex}.sup`
  await writeSubtitleFiles(deps, file, async (getPartialPath) => {
    const output = { index: trackIndex, file: getPartialPath(suffix), format: 'sup' as const }
    await extractSubtitles(ffmpeg.ffmpegPath, file.location.realPath, [
      { ...output, maxBytes: MAX_PICTURE_TRACK_BYTES },
    ])
    return [suffix]
  })
}

function createTextOutput({ index }: SubtitleTrack, format: 'webvtt' | 'ass', extension: string) {
  return { index, format, suffix: `${index}.${extension}`, maxBytes: MAX_SUBTITLE_BYTES }
}

/** Returns the attached fonts that fit within the limits. */
async function listFontOutputs({ ffprobePath }: Ffmpeg, { location }: ExaminedFile) {
  const fonts = await listAttachedFonts(ffprobePath, location.realPath)
  let totalBytes = 0
  return fonts.slice(0, MAX_FONTS).flatMap(({ index, sizeBytes }) => {
    totalBytes += sizeBytes
    return totalBytes <= MAX_FONT_BYTES ? [{ index, suffix: `font-${index}.ttf` }] : []
  })
}

/**
 * Returns the names under which URLs refer to the extracted fonts of a file. Omits files that are not fonts.
 */
export async function listExtractedFonts({ folder, getPath }: SubtitleFiles): Promise<string[]> {
  const pathPrefix = getPath('')
  const fontNames = (await readdir(folder).catch(() => []))
    .filter((name) => join(folder, name).startsWith(pathPrefix) && /-font-\d{1,4}\.ttf$/.test(name))
    .map((name) => join(folder, name).slice(pathPrefix.length))
  const fontChecks = await Promise.all(
    fontNames.map(async (name) => isFont(await readFirstBytes(getPath(name)))),
  )
  return fontNames.filter((_, index) => fontChecks[index]).sort()
}

async function readFirstBytes(path: string): Promise<Uint8Array> {
  const fileHandle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await fileHandle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await fileHandle.close()
  }
}

/**
 * Calls `writePartialFiles`, which writes files to partial paths and returns their suffixes. A file gets its final name
 * only when it is complete, so that a crash leaves no incomplete file under the final name.
 */
async function writeSubtitleFiles(
  deps: Deps,
  file: ExaminedFile,
  writePartialFiles: (getPartialPath: (suffix: string) => string) => Promise<string[]>,
): Promise<void> {
  const { folder, getPath } = getSubtitleFiles(deps, file)
  await mkdir(folder, { recursive: true })
  await deleteOldFiles(folder)
  const partialPaths: string[] = []
  const getPartialPath = (suffix: string) => {
    const partialPath = `${getPath(suffix)}.part`
    partialPaths.push(partialPath)
    return partialPath
  }
  try {
    const suffixes = await writePartialFiles(getPartialPath).catch(async (error: unknown) => {
      await throwIfTemporaryFailure(deps, error, { path: file.path, outputFolder: folder })
      throw error
    })
    for (const suffix of suffixes) await rename(`${getPath(suffix)}.part`, getPath(suffix))
  } finally {
    for (const partialPath of partialPaths) await rm(partialPath, { force: true })
  }
}

async function deleteOldFiles(folder: string): Promise<void> {
  const fileNames = await readdir(folder)
  const fileStats = await Promise.all(
    fileNames.map(async (name) => {
      const stats = await stat(join(folder, name)).catch(() => null)
      return { name, sizeBytes: stats?.size ?? 0, writtenAtMs: stats?.mtimeMs ?? 0 }
    }),
  )
  fileStats.sort((a, b) => b.writtenAtMs - a.writtenAtMs)
  let totalBytes = 0
  for (const [fileIndex, { name, sizeBytes }] of fileStats.entries()) {
    totalBytes += sizeBytes
    if (fileIndex >= MAX_STORED_FILES || totalBytes > MAX_STORED_BYTES)
      await rm(join(folder, name), { force: true })
  }
}
