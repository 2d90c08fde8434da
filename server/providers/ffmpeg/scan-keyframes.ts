/** Finds the keyframes of a file without an index by reading the whole file. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { FileUnreadableError, isTemporaryProbeFailure } from './ffprobe-failure.ts'
import { buildInputArguments } from './input-arguments.ts'
import { lowerPriority } from './lower-priority.ts'

const runFile = promisify(execFile)
/** Time limit of a scan for which a viewer waits. */
const SCAN_TIMEOUT_MS = 15_000
/** Time limit of a scan in the background, which reads the file once from start to end, perhaps over a network. */
const BACKGROUND_SCAN_TIMEOUT_MS = 60 * 60_000
const BACKGROUND_SCAN_PRIORITY = 19
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

export interface VideoScan {
  /** Time stamps of the keyframes in seconds, ascending. They need not start at 0. */
  keyframesSeconds: number[]
  /** Set when the time stamps jump, as in recordings that were interrupted or joined. */
  joinedRecording: JoinedRecording | null
}
/**
 * A recording whose time stamps jump, described without the jumps: all times are in seconds since the start of the
 * video.
 */
interface JoinedRecording {
  durationSeconds: number
  /** Positions at which reading can start: keyframes in the order of the file. */
  entryPoints: EntryPoint[]
}
export type EntryPoint = [seconds: number, bytePosition: number]

/**
 * Reads the whole file and returns its keyframes. Returns null when the video has no keyframes or ffprobe rejects the
 * file. With a signal, the scan runs in the background, and returns null after it was aborted.
 * @throws FileUnreadableError when ffprobe could not start, took too long or could not read the disk.
 */
export async function scanKeyframes(
  ffprobePath: string,
  path: string,
  streamIndex: number,
  signal?: AbortSignal,
): Promise<VideoScan | null> {
  const ffprobeArguments = ['-v', 'error', '-select_streams', String(streamIndex), '-of', 'csv=p=0']
  try {
    const scanPromise = runFile(
      ffprobePath,
      [
        ...ffprobeArguments,
        '-show_entries',
        'packet=pts_time,dts_time,pos,flags',
        ...buildInputArguments(path),
      ],
      {
        timeout: signal ? BACKGROUND_SCAN_TIMEOUT_MS : SCAN_TIMEOUT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
        ...(signal && { signal }),
      },
    )
    if (signal) lowerPriority(scanPromise.child, BACKGROUND_SCAN_PRIORITY)
    const { stdout } = await scanPromise
    const keyframesSeconds = [...stdout.matchAll(/^(-?[\d.]+),.*,K/gm)].map(([, seconds]) => Number(seconds))
    return keyframesSeconds.length > 0
      ? {
          keyframesSeconds: keyframesSeconds.sort((a, b) => a - b),
          joinedRecording: findJoinedRecording(stdout),
        }
      : null
  } catch (error) {
    if (signal?.aborted || !isTemporaryProbeFailure(error)) return null
    throw new FileUnreadableError('the keyframes could not be read', { cause: error })
  }
}

/**
 * A time stamp counts as a jump if its difference from the previous time stamp is outside these limits. ffmpeg uses
 * similar limits for formats in which jumps are common.
 */
const MAX_STEP_SECONDS = 10
const MAX_STEP_BACK_SECONDS = 0.1
/**
 * Jumps are considered only if they change the duration of the video by at least this much. A single wrong time stamp
 * does not change the duration.
 */
const MIN_DISPLACEMENT_SECONDS = 2
const PACKET_PATTERN = /^(?:-?[\d.]+|N\/A),(-?[\d.]+),(\d+),([K_])/gm

function findJoinedRecording(packets: string): JoinedRecording | null {
  const entryPoints: EntryPoint[] = []
  let [elapsedSeconds, frameDurationSeconds] = [0, 0]
  let firstFrameAtSeconds: number | null = null
  let previousFrameAtSeconds = 0
  for (const [, decodingText, bytePositionText, keyframeFlag] of packets.matchAll(PACKET_PATTERN)) {
    const frameAtSeconds = Number(decodingText)
    const stepSeconds = firstFrameAtSeconds === null ? 0 : frameAtSeconds - previousFrameAtSeconds
    firstFrameAtSeconds ??= frameAtSeconds
    previousFrameAtSeconds = frameAtSeconds
    const isJump = stepSeconds < -MAX_STEP_BACK_SECONDS || stepSeconds > MAX_STEP_SECONDS
    if (!isJump && stepSeconds > 0) frameDurationSeconds = stepSeconds
    elapsedSeconds += isJump ? frameDurationSeconds : stepSeconds
    if (keyframeFlag === 'K') entryPoints.push([elapsedSeconds, Number(bytePositionText)])
  }
  const displacementSeconds = Math.abs(elapsedSeconds - (previousFrameAtSeconds - (firstFrameAtSeconds ?? 0)))
  return displacementSeconds < MIN_DISPLACEMENT_SECONDS
    ? null
    : { durationSeconds: elapsedSeconds + frameDurationSeconds, entryPoints }
}

/**
 * Returns the second to last keyframe at or before `startSeconds`, or the start of the file. ffmpeg decodes nothing
 * before it has read a program table, which may come after the last keyframe. The earlier start leaves time to read
 * that table.
 */
export function chooseEntryPoint(entryPoints: readonly EntryPoint[], startSeconds: number): EntryPoint {
  const entryPointIndex = entryPoints.findLastIndex(([seconds]) => seconds <= startSeconds)
  return entryPoints[entryPointIndex - 1] ?? [0, 0]
}
