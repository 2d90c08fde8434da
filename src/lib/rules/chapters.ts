/** A chapter of a video; `start` is in seconds. The functions of this file need chapters sorted by their start. */
export interface VideoChapter {
  start: number
  title: string
}

/**
 * The previous-chapter key seeks to the start of the current chapter. If the current chapter started less than this
 * time ago, the key seeks to the chapter before it.
 */
const RESTART_THRESHOLD_SECONDS = 3
const MIN_CHAPTER_ADVANCE_SECONDS = 0.5

/** Returns the index of the chapter at a position; -1 before the first chapter. */
export const findChapterIndex = (chapters: readonly VideoChapter[], positionSeconds: number) =>
  chapters.findLastIndex(({ start }) => start <= positionSeconds)

/** Returns the position to which the key for the next (1) or previous (-1) chapter seeks; null when there is none. */
export function findChapterStartSeconds(
  chapters: readonly VideoChapter[],
  positionSeconds: number,
  step: 1 | -1,
): number | null {
  if (step > 0)
    return chapters.find(({ start }) => start > positionSeconds + MIN_CHAPTER_ADVANCE_SECONDS)?.start ?? null
  return chapters.findLast(({ start }) => start < positionSeconds - RESTART_THRESHOLD_SECONDS)?.start ?? null
}
