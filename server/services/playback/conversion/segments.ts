/** Divides a video into the segments of an HLS playlist (RFC 8216), before any segment is produced. */

/**
 * Length of the segments of encoded video. The segments are short, because playback starts when the first segment is
 * complete.
 */
export const ENCODED_SEGMENT_SECONDS = 3
/** Minimum length of the segments of copied video, which can start only at keyframes. */
const COPIED_SEGMENT_SECONDS = 4
/** Minimum length of the last segment. A shorter remainder of the video becomes part of the segment before it. */
const MIN_LAST_SEGMENT_SECONDS = 0.5
/**
 * Allowed difference between the time of a frame and its time in the index of the container, which is rounded
 * to milliseconds.
 */
const FRAME_TIME_TOLERANCE_SECONDS = 0.02

export interface SegmentTimes {
  /** Start times in ascending order; the first is 0. */
  startsSeconds: number[]
  durationSeconds: number
}

/**
 * Returns the times of the segments of a video. `keyframeSeconds` contains the times in seconds at which segments of
 * copied video can start. It is null for encoded video, whose segments can start anywhere.
 */
export function divideIntoSegments(
  durationSeconds: number,
  keyframeSeconds: readonly number[] | null,
): SegmentTimes {
  const startsSeconds = [0]
  const maxLastStartSeconds = durationSeconds - MIN_LAST_SEGMENT_SECONDS
  if (keyframeSeconds) {
    for (const seconds of keyframeSeconds)
      if (seconds - (startsSeconds.at(-1) ?? 0) >= COPIED_SEGMENT_SECONDS && seconds <= maxLastStartSeconds)
        startsSeconds.push(seconds)
  } else {
    const segmentCount = Math.ceil(maxLastStartSeconds / ENCODED_SEGMENT_SECONDS)
    for (let index = 1; index < segmentCount; index++) startsSeconds.push(index * ENCODED_SEGMENT_SECONDS)
  }
  return { startsSeconds, durationSeconds }
}

/** Returns the index of the segment that contains a time. */
export function findSegmentIndex({ startsSeconds }: SegmentTimes, seconds: number): number {
  let [lowIndex, highIndex] = [0, startsSeconds.length - 1]
  while (lowIndex < highIndex) {
    const middleIndex = Math.ceil((lowIndex + highIndex) / 2)
    if ((startsSeconds[middleIndex] ?? 0) <= seconds + FRAME_TIME_TOLERANCE_SECONDS) lowIndex = middleIndex
    else highIndex = middleIndex - 1
  }
  return lowIndex
}

export const getSegmentEndSeconds = (
  { startsSeconds, durationSeconds }: SegmentTimes,
  index: number,
): number => startsSeconds[index + 1] ?? durationSeconds

/**
 * Returns the playlist with all segments. `startIndex` is the index of the segment that the player loads
 * first.
 */
export function formatPlaylist(segmentTimes: SegmentTimes, startIndex: number): string {
  const durationsSeconds = segmentTimes.startsSeconds.map(
    (startSeconds, index) => getSegmentEndSeconds(segmentTimes, index) - startSeconds,
  )
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...durationsSeconds))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="init-${startIndex}.mp4"`,
    ...durationsSeconds.map(
      (durationSeconds, index) => `#EXTINF:${durationSeconds.toFixed(6)},\n${index}.m4s`,
    ),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
}
