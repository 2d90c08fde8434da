/** Derives the positions of the intro and the end credits from chapter titles. */

export interface Chapter {
  /** Start of the chapter in seconds. */
  start: number
  title: string
}
export interface PlaybackMarks {
  /** Start and end of the intro, in seconds. */
  intro?: { start: number; end: number }
  creditsAtSeconds?: number
}

export const MAX_CHAPTERS = 250

const INTRO_TITLE_PATTERN =
  /^(?:intro(?:duction)?|opening(?: (?:credits|titles|theme))?|op|title sequence|main titles?|g[ée]n[ée]rique(?: de d[ée]but)?|vorspann|sigla|شارة البداية|المقدمة)$/iu
const CREDITS_TITLE_PATTERN =
  /^(?:(?:end(?:ing)?|closing) ?(?:credits|titles)|credits|ending|ed|outro|g[ée]n[ée]rique de fin|abspann|titoli di coda|cr[ée]ditos|شارة النهاية)$/iu
/** A chapter longer than this does not count as an intro, even if its title says so. */
const MAX_INTRO_SECONDS = 300

/**
 * Returns the marks found in chapter titles. Credits are accepted only in the second half of the video. If
 * `durationSeconds` is null, the start of the last chapter is used as the duration.
 */
export function findPlaybackMarks(chapters: Chapter[], durationSeconds: number | null): PlaybackMarks {
  const sortedChapters = chapters.toSorted((a, b) => a.start - b.start)
  const marks: PlaybackMarks = {}
  const introIndex = sortedChapters.findIndex(({ title }) => INTRO_TITLE_PATTERN.test(title.trim()))
  const introChapter = sortedChapters[introIndex]
  const nextChapter = sortedChapters[introIndex + 1]
  if (
    introChapter &&
    nextChapter &&
    nextChapter.start > introChapter.start &&
    nextChapter.start - introChapter.start <= MAX_INTRO_SECONDS
  )
    marks.intro = { start: introChapter.start, end: nextChapter.start }
  const creditsChapter = sortedChapters.findLast(({ title }) => CREDITS_TITLE_PATTERN.test(title.trim()))
  if (creditsChapter && creditsChapter.start > (durationSeconds ?? sortedChapters.at(-1)?.start ?? 0) / 2)
    marks.creditsAtSeconds = creditsChapter.start
  return marks
}

/**
 * Titles that programs create from the number of a chapter. They are removed, because the player numbers chapters in
 * the language of the viewer.
 */
const NUMBERED_TITLE_PATTERN = /^(?:chapter|chapitre|kapitel|cap[ií]tulo|capitolo)[ _.-]*\d+$/i
/** Shortest time between two chapters. Viewers cannot tell closer ones apart on the seek bar. */
const MIN_CHAPTER_SECONDS = 1

/**
 * Returns the chapters in the order of the video, with times relative to `startSeconds`. Empty when there is only one,
 * which is of no use to a viewer.
 */
export function normaliseChapters(chapters: readonly Chapter[], startSeconds = 0): Chapter[] {
  const normalisedChapters: Chapter[] = []
  for (const { start, title } of chapters.toSorted((a, b) => a.start - b.start)) {
    const chapter = {
      start: Math.max(0, start - startSeconds),
      title: NUMBERED_TITLE_PATTERN.test(title.trim()) ? '' : title.trim(),
    }
    const previousChapter = normalisedChapters.at(-1)
    if (previousChapter && chapter.start - previousChapter.start < MIN_CHAPTER_SECONDS) continue
    normalisedChapters.push(chapter)
  }
  return normalisedChapters.length > 1 ? normalisedChapters : []
}
