/** Copies the text subtitles inside a video file to WebVTT files. */
import { execFile } from 'node:child_process'
import { setPriority } from 'node:os'
import { buildInputArguments } from './input-arguments.ts'
import type { SubtitleTrack } from './media-probe.ts'

/** Picture subtitles (PGS, VobSub) are not text, so they are not in this list. */
const TEXT_CODECS = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text'])
/** Subtitles are spread over the whole file, so it is read once from start to end. */
const EXTRACTION_TIMEOUT_MS = 10 * 60_000
const PROCESS_PRIORITY = 10

export const isTextSubtitle = ({ codec }: SubtitleTrack) => TEXT_CODECS.has(codec)

/** Writes one file per track. Rejects when the file cannot be read to its end in time. */
export function extractSubtitles(
  ffmpegPath: string,
  path: string,
  outputs: readonly { index: number; file: string }[],
): Promise<void> {
  const args = [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-y'],
    ...buildInputArguments(path),
    ...outputs.flatMap(({ index, file }) => [
      '-map',
      `0:${index}`,
      '-c:s',
      'webvtt',
      '-f',
      'webvtt',
      `file:${file}`,
    ]),
  ]
  return new Promise((resolve, reject) => {
    const child = execFile(
      ffmpegPath,
      args,
      { timeout: EXTRACTION_TIMEOUT_MS, killSignal: 'SIGKILL' },
      (error) => (error ? reject(error) : resolve()),
    )
    try {
      if (child.pid !== undefined) setPriority(child.pid, PROCESS_PRIORITY)
    } catch {
      // The process has ended already, or the system does not allow it.
    }
  })
}
