/** Finds the keyframes of files without an index by reading them as a whole. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildInputArguments } from './input-arguments.ts'

const runFile = promisify(execFile)
const SCAN_TIMEOUT_MS = 15_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** Returns the times of the keyframes in seconds, ascending; null when there are none, or reading takes too long. */
export async function scanKeyframes(
  ffprobePath: string,
  path: string,
  streamIndex: number,
): Promise<number[] | null> {
  const args = ['-v', 'error', '-select_streams', String(streamIndex), '-of', 'csv=p=0']
  try {
    const { stdout } = await runFile(
      ffprobePath,
      [...args, '-show_entries', 'packet=pts_time,flags', ...buildInputArguments(path)],
      { timeout: SCAN_TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES },
    )
    const times = [...stdout.matchAll(/^([\d.]+),K/gm)].map(([, seconds]) => Number(seconds))
    return times.length > 0 ? times.sort((a, b) => a - b) : null
  } catch {
    return null
  }
}
