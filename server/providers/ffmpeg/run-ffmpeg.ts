/** Runs ffmpeg until it has written its output files. */
import { execFile } from 'node:child_process'
import { lowerPriority } from './lower-priority.ts'
import { SYSTEM_KILL_SIGNALS } from './output-pipe.ts'

interface FfmpegRunOptions {
  timeoutMs: number
  /** Priority (nice value) of the process. */
  priority: number
  signal?: AbortSignal
}

/**
 * Messages of ffmpeg about an output file whose end could not be written. ffmpeg 5 still exits with 0 in this case.
 * ffmpeg writes the last 32 kB of a file when it closes the file, so a short file on a full disk is empty.
 */
const INCOMPLETE_OUTPUT_PATTERN = /Error (?:writing trailer|closing file)/

/**
 * Rejects when ffmpeg fails, does not end within the time limit, or could not write an output file completely, and when
 * `signal` is aborted.
 */
export function runFfmpeg(
  ffmpegPath: string,
  ffmpegArguments: readonly string[],
  { timeoutMs, priority, signal }: FfmpegRunOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      ffmpegPath,
      ffmpegArguments,
      { timeout: timeoutMs, killSignal: 'SIGKILL', ...(signal && { signal }) },
      (error, _output, errorOutput) => {
        if (error) reject(error)
        else if (INCOMPLETE_OUTPUT_PATTERN.test(errorOutput)) reject(new Error(errorOutput.slice(-2_000)))
        else resolve()
      },
    )
    lowerPriority(child, priority)
  })
}

/** True when the system has stopped ffmpeg, for example for lack of memory; false when the time limit stopped it. */
export function isKilledBySystem(error: unknown): boolean {
  const { signal, killed: isKilledByTimeLimit } = error as { signal?: unknown; killed?: boolean }
  return SYSTEM_KILL_SIGNALS.has(signal) && isKilledByTimeLimit !== true
}
