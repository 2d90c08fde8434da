/** Which subtitles show, and how they look: kept per profile on this device. */

export const CAPTION_SIZES = ['small', 'medium', 'large', 'huge'] as const
export const CAPTION_COLORS = ['white', 'yellow', 'green'] as const
export const CAPTION_BACKGROUNDS = ['none', 'half', 'solid'] as const

export interface CaptionMemory {
  /** The language chosen last; kept while they are off, so that "C" finds it again. Null when none was ever chosen. */
  lang: string | null
  /** Null until the viewer said so. */
  on: boolean | null
  size: (typeof CAPTION_SIZES)[number]
  color: (typeof CAPTION_COLORS)[number]
  background: (typeof CAPTION_BACKGROUNDS)[number]
}
export const NO_MEMORY: CaptionMemory = {
  lang: null,
  on: null,
  size: 'medium',
  color: 'white',
  background: 'half',
}

const baseOf = (lang: string) => lang.toLowerCase().split('-')[0] ?? ''

/** The track in a language: exactly, else its relative (`pt` for `pt-BR`). */
export function trackIn<T extends { lang: string }>(tracks: readonly T[], lang: string | null): T | null {
  if (!lang) return null
  return (
    tracks.find((one) => one.lang.toLowerCase() === lang.toLowerCase()) ??
    tracks.find((one) => baseOf(one.lang) === baseOf(lang)) ??
    null
  )
}

/** What shows: the remembered choice; of who never chose, their own language when the title is in another
 * (or `always`, as the profile may ask, in whichever language there is). */
export function captionToShow<T extends { lang: string }>(
  memory: CaptionMemory,
  tracks: readonly T[],
  { reader, spoken, always = false }: { reader: string; spoken: string | null; always?: boolean },
): T | null {
  if (memory.on === false) return null
  if (memory.on === true) return trackIn(tracks, memory.lang) ?? null
  if (always) return captionToTurnOn(memory, tracks, reader)
  return spoken !== null && baseOf(spoken) !== baseOf(reader) ? trackIn(tracks, reader) : null
}

/** What "on" turns on: the language chosen last, else the reader's, else the first there is. */
export function captionToTurnOn<T extends { lang: string }>(
  memory: CaptionMemory,
  tracks: readonly T[],
  reader: string,
): T | null {
  return trackIn(tracks, memory.lang) ?? trackIn(tracks, reader) ?? tracks[0] ?? null
}

/** What was stored, by whatever version wrote it. */
export function readCaptionMemory(text: string | null): CaptionMemory {
  try {
    const value = JSON.parse(text ?? '{}') as Partial<Record<keyof CaptionMemory, unknown>>
    const one = <V extends string>(choices: readonly V[], found: unknown, normal: V) =>
      choices.find((choice) => choice === found) ?? normal
    return {
      lang: typeof value.lang === 'string' ? value.lang : null,
      on: typeof value.on === 'boolean' ? value.on : null,
      size: one(CAPTION_SIZES, value.size, NO_MEMORY.size),
      color: one(CAPTION_COLORS, value.color, NO_MEMORY.color),
      background: one(CAPTION_BACKGROUNDS, value.background, NO_MEMORY.background),
    }
  } catch {
    return NO_MEMORY
  }
}
