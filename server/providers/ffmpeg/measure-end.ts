/**
 * Finds where a video really ends. Recordings often have no duration in their header. The stated duration of
 * a truncated file is too long, and some programs write a wrong one.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildInputArguments } from './input-arguments.ts'

const runFile = promisify(execFile)

/** End times of the tracks in seconds, in the file's own clock; null for a kind without packets. */
interface MeasuredEnd {
  videoSeconds: number | null
  audioSeconds: number | null
}

/** Position after the end of any video. A demuxer that seeks there moves to its last keyframe. */
const BEYOND_END_SECONDS = 172_800
const READ_TIMEOUT_MS = 10_000
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024
/** Number of halvings of the search interval, after which the part that is still to be read is short. */
const MAX_HALVINGS = 8

/**
 * Reads the last packets of a file. Returns null when they cannot be read, or reading takes too long.
 * `statedSeconds` is the duration in the header. If nothing can be read at the end, this function searches
 * for the last readable position before `statedSeconds`.
 */
export async function measureEnd(
  ffprobePath: string,
  path: string,
  videoIndex: number,
  statedSeconds: number | null,
): Promise<MeasuredEnd | null> {
  const end = await readEnd(ffprobePath, path, videoIndex, `${BEYOND_END_SECONDS}%`)
  if (end === 'failed') return null
  if (end.videoSeconds !== null || statedSeconds === null) return end
  let [readableSeconds, unreadableSeconds] = [0, statedSeconds]
  for (let step = 0; step < MAX_HALVINGS; step++) {
    const middleSeconds = (readableSeconds + unreadableSeconds) / 2
    const packet = await readEnd(ffprobePath, path, videoIndex, `${middleSeconds}%+#1`)
    if (packet === 'failed') return null
    if (packet.videoSeconds !== null || packet.audioSeconds !== null) readableSeconds = middleSeconds
    else unreadableSeconds = middleSeconds
  }
  const lastEnd = await readEnd(ffprobePath, path, videoIndex, `${readableSeconds}%`)
  return lastEnd === 'failed' ? null : lastEnd
}

async function readEnd(
  ffprobePath: string,
  path: string,
  videoIndex: number,
  interval: string,
): Promise<MeasuredEnd | 'failed'> {
  const entries = 'packet=codec_type,stream_index,pts_time,dts_time,duration_time'
  const args = ['-v', 'error', '-of', 'csv=p=0', '-read_intervals', interval, '-show_entries', entries]
  try {
    const { stdout } = await runFile(ffprobePath, [...args, ...buildInputArguments(path)], {
      timeout: READ_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
    })
    return findLatest(stdout, videoIndex)
  } catch (error) {
    // ffprobe also fails when it cannot seek so far, which is not an error here. Only a timeout counts as
    // failed.
    return (error as { killed?: boolean }).killed ? 'failed' : { videoSeconds: null, audioSeconds: null }
  }
}

const PACKET = /^(video|audio),(\d+),([-\d.]+|N\/A),([-\d.]+|N\/A),([\d.]+|N\/A)/gm

function findLatest(packets: string, videoIndex: number): MeasuredEnd {
  const latest: MeasuredEnd = { videoSeconds: null, audioSeconds: null }
  for (const [, type, index, presentation = '', decoding = '', duration] of packets.matchAll(PACKET)) {
    const seconds = Number(presentation === 'N/A' ? decoding : presentation)
    if (!Number.isFinite(seconds) || (type === 'video' && Number(index) !== videoIndex)) continue
    const key = type === 'video' ? 'videoSeconds' : 'audioSeconds'
    latest[key] = Math.max(latest[key] ?? Number.NEGATIVE_INFINITY, seconds + (Number(duration) || 0))
  }
  return latest
}

/**
 * A stated duration counts as right if it differs by less than this from the end of a track. The tracks of a
 * file end at slightly different times.
 */
const TOLERANCE_SECONDS = 2
const MAX_DURATION_SECONDS = 48 * 3_600

/**
 * Returns the duration in seconds: the stated duration if a track ends there, otherwise the measured one.
 * Null when neither is known. A sound track that ends much later than the picture is ignored, because its
 * time stamps are wrong.
 */
export function chooseDuration(
  statedSeconds: number | null,
  measured: MeasuredEnd | null,
  startSeconds: number,
): { durationSeconds: number | null; isStatedWrong: boolean } {
  const [video, audio] = [measured?.videoSeconds, measured?.audioSeconds].map((seconds) => {
    const durationSeconds = (seconds ?? Number.NaN) - startSeconds
    return durationSeconds > 0 && durationSeconds <= MAX_DURATION_SECONDS ? durationSeconds : null
  })
  const isNear = (seconds: number | null | undefined) =>
    seconds != null && Math.abs(seconds - (statedSeconds ?? Number.NaN)) <= TOLERANCE_SECONDS
  if (video == null || isNear(video) || isNear(audio))
    return { durationSeconds: statedSeconds, isStatedWrong: statedSeconds === null }
  const isSoundPlausible = audio != null && audio <= 2 * video
  return { durationSeconds: isSoundPlausible ? Math.max(video, audio) : video, isStatedWrong: true }
}
