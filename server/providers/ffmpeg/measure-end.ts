/**
 * Finds where a video really ends. Recordings often have no duration in their header. In a truncated file, the stated
 * duration is too long. Some programs write a wrong duration.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isTemporaryProbeFailure } from './ffprobe-failure.ts'
import { buildInputArguments } from './input-arguments.ts'

const runFile = promisify(execFile)

/**
 * End times in seconds. They are time stamps of the file, which need not start at 0. `videoSeconds` is null when no
 * packet of the video was found, and `audioSeconds` when no packet of an audio track was found.
 */
interface MeasuredEnd {
  videoSeconds: number | null
  audioSeconds: number | null
}

/** Position after the end of any video. A demuxer that seeks there moves to the last keyframe of the video. */
const BEYOND_END_SECONDS = 172_800
const READ_TIMEOUT_MS = 10_000
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024
/** Number of times that the search interval is halved. Afterwards, only a short part of the file must be read. */
const MAX_HALVINGS = 8

/**
 * Reads the last packets of a file, and returns the times at which the video and the audio end. If there is no video
 * packet at the end, searches for the last readable position before `statedDurationSeconds`, which is the duration in
 * the header. Returns null when ffprobe could not start or could not read the packets in time.
 */
export async function measureEnd(
  ffprobePath: string,
  path: string,
  videoIndex: number,
  statedDurationSeconds: number | null,
): Promise<MeasuredEnd | null> {
  const measuredEnd = await readIntervalEnd(ffprobePath, path, videoIndex, `${BEYOND_END_SECONDS}%`)
  if (measuredEnd === 'failed') return null
  if (measuredEnd.videoSeconds !== null || statedDurationSeconds === null) return measuredEnd
  let [readablePositionSeconds, unreadablePositionSeconds] = [0, statedDurationSeconds]
  for (let halvingCount = 0; halvingCount < MAX_HALVINGS; halvingCount++) {
    const middleSeconds = (readablePositionSeconds + unreadablePositionSeconds) / 2
    const packetEnd = await readIntervalEnd(ffprobePath, path, videoIndex, `${middleSeconds}%+#1`)
    if (packetEnd === 'failed') return null
    if (packetEnd.videoSeconds !== null || packetEnd.audioSeconds !== null)
      readablePositionSeconds = middleSeconds
    else unreadablePositionSeconds = middleSeconds
  }
  const lastEnd = await readIntervalEnd(ffprobePath, path, videoIndex, `${readablePositionSeconds}%`)
  return lastEnd === 'failed' ? null : lastEnd
}

async function readIntervalEnd(
  ffprobePath: string,
  path: string,
  videoIndex: number,
  readInterval: string,
): Promise<MeasuredEnd | 'failed'> {
  const entrySelection = 'packet=codec_type,stream_index,pts_time,dts_time,duration_time'
  const ffprobeArguments = [
    '-v',
    'error',
    '-of',
    'csv=p=0',
    '-read_intervals',
    readInterval,
    '-show_entries',
    entrySelection,
  ]
  try {
    const { stdout } = await runFile(ffprobePath, [...ffprobeArguments, ...buildInputArguments(path)], {
      timeout: READ_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
    })
    return findLatestEnd(stdout, videoIndex)
  } catch (error) {
    // ffprobe also fails when it cannot seek to the position. Such a position counts as a position without packets.
    const hasFailed = (error as { killed?: boolean }).killed || isTemporaryProbeFailure(error)
    return hasFailed ? 'failed' : { videoSeconds: null, audioSeconds: null }
  }
}

const PACKET_PATTERN = /^(video|audio),(\d+),([-\d.]+|N\/A),([-\d.]+|N\/A),([\d.]+|N\/A)/gm

function findLatestEnd(packets: string, videoIndex: number): MeasuredEnd {
  const latestEnd: MeasuredEnd = { videoSeconds: null, audioSeconds: null }
  for (const [
    ,
    type,
    streamIndex,
    presentationText = '',
    decodingText = '',
    durationText,
  ] of packets.matchAll(PACKET_PATTERN)) {
    const packetSeconds = Number(presentationText === 'N/A' ? decodingText : presentationText)
    if (!Number.isFinite(packetSeconds) || (type === 'video' && Number(streamIndex) !== videoIndex)) continue
    const durationKey = type === 'video' ? 'videoSeconds' : 'audioSeconds'
    latestEnd[durationKey] = Math.max(
      latestEnd[durationKey] ?? Number.NEGATIVE_INFINITY,
      packetSeconds + (Number(durationText) || 0),
    )
  }
  return latestEnd
}

/**
 * A stated duration counts as right if the difference to the end of a track is at most this. The tracks of a file end
 * at slightly different times.
 */
const DURATION_TOLERANCE_SECONDS = 2
const MAX_DURATION_SECONDS = 48 * 3_600

/**
 * Returns the duration in seconds: the stated duration if a track ends there or if the end of the video track is
 * unknown, otherwise the measured duration. Null when neither is known. An audio track that ends much later than the
 * video track is ignored, because its time stamps are wrong. `isStatedDurationWrong` is also true if no duration is
 * stated.
 */
export function chooseDuration(
  statedDurationSeconds: number | null,
  measuredEnd: MeasuredEnd | null,
  startSeconds: number,
): { durationSeconds: number | null; isStatedDurationWrong: boolean } {
  const [videoSeconds, audioSeconds] = [measuredEnd?.videoSeconds, measuredEnd?.audioSeconds].map(
    (seconds) => {
      const durationSeconds = (seconds ?? Number.NaN) - startSeconds
      return durationSeconds > 0 && durationSeconds <= MAX_DURATION_SECONDS ? durationSeconds : null
    },
  )
  const isNearStatedDuration = (seconds: number | null | undefined) =>
    seconds != null && Math.abs(seconds - (statedDurationSeconds ?? Number.NaN)) <= DURATION_TOLERANCE_SECONDS
  if (videoSeconds == null || isNearStatedDuration(videoSeconds) || isNearStatedDuration(audioSeconds))
    return { durationSeconds: statedDurationSeconds, isStatedDurationWrong: statedDurationSeconds === null }
  const isSoundPlausible = audioSeconds != null && audioSeconds <= 2 * videoSeconds
  return {
    durationSeconds: isSoundPlausible ? Math.max(videoSeconds, audioSeconds) : videoSeconds,
    isStatedDurationWrong: true,
  }
}
