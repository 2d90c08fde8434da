/** Chapters of a film: the ones that are called so tell where its opening and its credits are. */

export interface Chapter {
  /** Seconds. */
  start: number
  title: string
}
export interface Marks {
  /** Seconds. */
  intro?: { start: number; end: number }
  creditsAt?: number
}

export const MOST_CHAPTERS = 250

const OPENING =
  /^(?:intro(?:duction)?|opening(?: (?:credits|titles|theme))?|op|title sequence|main titles?|g[ée]n[ée]rique(?: de d[ée]but)?|vorspann|sigla|شارة البداية|المقدمة)$/iu
const CREDITS =
  /^(?:(?:end(?:ing)?|closing) ?(?:credits|titles)|credits|ending|ed|outro|g[ée]n[ée]rique de fin|abspann|titoli di coda|cr[ée]ditos|شارة النهاية)$/iu
/** An opening longer than this is a part of the film. */
const LONGEST_INTRO = 300

/** `seconds` is the film's length, if known: credits are only believed in its second half. */
export function marksOf(chapters: Chapter[], seconds: number | null): Marks {
  const sorted = chapters.toSorted((a, b) => a.start - b.start)
  const marks: Marks = {}
  const at = sorted.findIndex(({ title }) => OPENING.test(title.trim()))
  const opening = sorted[at]
  const after = sorted[at + 1]
  if (opening && after && after.start > opening.start && after.start - opening.start <= LONGEST_INTRO)
    marks.intro = { start: opening.start, end: after.start }
  const credits = sorted.findLast(({ title }) => CREDITS.test(title.trim()))
  if (credits && credits.start > (seconds ?? sorted.at(-1)?.start ?? 0) / 2) marks.creditsAt = credits.start
  return marks
}
