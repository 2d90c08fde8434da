/** Copies the subtitle tracks and fonts of a video file to separate files. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildInputArguments } from './input-arguments.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

const runFile = promisify(execFile)
/** Time limit, which allows reading a whole file from start to end, because its subtitles are spread over the file. */
const EXTRACTION_TIMEOUT_MS = 10 * 60_000
const PROBE_TIMEOUT_MS = 20_000
const PROCESS_PRIORITY = 10

interface TrackToExtract {
  /** Index of the stream in the video file. */
  index: number
  file: string
  /** Text is converted to WebVTT; the other formats are copied. */
  format: 'webvtt' | 'ass' | 'sup'
  maxBytes: number
}
interface FontToExtract {
  index: number
  file: string
}

/**
 * Writes one file per track and font. Rejects when the video cannot be read to its end within the time limit, or when a
 * file cannot be written completely.
 */
export function extractSubtitles(
  ffmpegPath: string,
  path: string,
  tracks: readonly TrackToExtract[],
  fonts: readonly FontToExtract[] = [],
): Promise<void> {
  const ffmpegArguments = [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-y'],
    // This server chooses the name of the output, because the name of an attachment may contain a path.
    ...fonts.flatMap(({ index, file }) => [`-dump_attachment:${index}`, `file:${file}`]),
    ...buildInputArguments(path),
    ...tracks.flatMap(({ index, file, format, maxBytes }) => [
      ...['-map', `0:${index}`, '-c:s', format === 'webvtt' ? 'webvtt' : 'copy'],
      ...['-fs', String(maxBytes), '-f', format, `file:${file}`],
    ]),
  ]
  return runFfmpeg(ffmpegPath, ffmpegArguments, {
    timeoutMs: EXTRACTION_TIMEOUT_MS,
    priority: PROCESS_PRIORITY,
  })
}

interface ProbedAttachment {
  index: number
  extradata_size?: number
  tags?: Record<string, string>
}

/** Returns the fonts that are attached to a Matroska file; empty when there are none or the file cannot be read. */
export async function listAttachedFonts(
  ffprobePath: string,
  path: string,
): Promise<{ index: number; sizeBytes: number }[]> {
  const entrySelection = 'stream=index,extradata_size:stream_tags=filename,mimetype'
  const ffprobeArguments = [
    '-v',
    'error',
    '-of',
    'json',
    '-select_streams',
    't',
    '-show_entries',
    entrySelection,
  ]
  try {
    const { stdout } = await runFile(ffprobePath, [...ffprobeArguments, ...buildInputArguments(path)], {
      timeout: PROBE_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    const { streams = [] } = JSON.parse(stdout) as { streams?: ProbedAttachment[] }
    return streams
      .filter(({ tags }) => isFontName(tags?.['filename']) || isFontType(tags?.['mimetype']))
      .map(({ index, extradata_size = 0 }) => ({ index, sizeBytes: extradata_size }))
  } catch {
    return []
  }
}

const isFontName = (name = '') => /\.(?:ttf|otf|ttc|otc)$/i.test(name)
const isFontType = (type = '') => /font|opentype|truetype/i.test(type)
