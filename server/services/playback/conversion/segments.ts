/** Divides a video into the segments of an HLS playlist (RFC 8216), before any of them exists. */

/** Length of the segments of converted video: short, because playback starts when the first one is complete. */
export const ENCODED_SEGMENT_SECONDS = 3
/** Minimum length of the segments of copied video, which can start at keyframes only. */
const COPIED_SEGMENT_SECONDS = 4
/** A rest shorter than this belongs to the segment before it. */
const MIN_LAST_SECONDS = 0.5
/** Frames may be late by this much against the index of their container, which rounds to milliseconds. */
const TOLERANCE_SECONDS = 0.02

export interface SegmentTimes {
  /** Start times in ascending order; the first is 0. */
  starts: number[]
  durationSeconds: number
}

/** `keyframes` are the possible starts of copied video; null for converted video, which can start anywhere. */
export function divideIntoSegments(
  durationSeconds: number,
  keyframes: readonly number[] | null,
): SegmentTimes {
  const starts = [0]
  const lastStart = durationSeconds - MIN_LAST_SECONDS
  if (keyframes) {
    for (const seconds of keyframes)
      if (seconds - (starts.at(-1) ?? 0) >= COPIED_SEGMENT_SECONDS && seconds <= lastStart)
        starts.push(seconds)
  } else {
    const count = Math.ceil(lastStart / ENCODED_SEGMENT_SECONDS)
    for (let index = 1; index < count; index++) starts.push(index * ENCODED_SEGMENT_SECONDS)
  }
  return { starts, durationSeconds }
}

/** Returns the index of the segment that contains a time. */
export function findSegment({ starts }: SegmentTimes, seconds: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= seconds + TOLERANCE_SECONDS) low = middle
    else high = middle - 1
  }
  return low
}

export const getSegmentEnd = ({ starts, durationSeconds }: SegmentTimes, index: number): number =>
  starts[index + 1] ?? durationSeconds

/** Returns the playlist with all segments. `startIndex` names the segment that the player loads first. */
export function formatPlaylist(times: SegmentTimes, startIndex: number): string {
  const durations = times.starts.map((start, index) => getSegmentEnd(times, index) - start)
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...durations))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="init-${startIndex}.mp4"`,
    ...durations.map((seconds, index) => `#EXTINF:${seconds.toFixed(6)},\n${index}.m4s`),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
}
