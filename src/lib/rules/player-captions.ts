/** Which subtitles are displayed and how. The preferences are stored per profile on the device. */

export const CAPTION_SIZES = ['small', 'medium', 'large', 'huge'] as const
export const CAPTION_COLORS = ['white', 'yellow', 'green'] as const
export const CAPTION_BACKGROUNDS = ['none', 'half', 'solid'] as const

export interface CaptionPreferences {
  /**
   * Language chosen last, remembered while subtitles are off so that the C key can turn them on again. Null before the
   * first choice.
   */
  lang: string | null
  /** Null until the viewer turns subtitles on or off. */
  on: boolean | null
  size: (typeof CAPTION_SIZES)[number]
  color: (typeof CAPTION_COLORS)[number]
  background: (typeof CAPTION_BACKGROUNDS)[number]
}
export const DEFAULT_CAPTION_PREFERENCES: CaptionPreferences = {
  lang: null,
  on: null,
  size: 'medium',
  color: 'white',
  background: 'half',
}

const getBaseLanguage = (lang: string) => lang.toLowerCase().split('-')[0] ?? ''

/** Returns the track in a language, else one with the same base language (`pt` for `pt-BR`), else null. */
export function findTrackByLanguage<T extends { lang: string }>(
  tracks: readonly T[],
  lang: string | null,
): T | null {
  if (!lang) return null
  return (
    tracks.find((track) => track.lang.toLowerCase() === lang.toLowerCase()) ??
    tracks.find((track) => getBaseLanguage(track.lang) === getBaseLanguage(lang)) ??
    null
  )
}

/**
 * Returns the track to display. A stored choice is followed. Without one, it is the track in the language of the viewer
 * (`reader`) when the title is `spoken` in another language; with `always`, any available track.
 */
export function chooseCaptionTrack<T extends { lang: string }>(
  preferences: CaptionPreferences,
  tracks: readonly T[],
  { reader, spoken, always = false }: { reader: string; spoken: string | null; always?: boolean },
): T | null {
  if (preferences.on === false) return null
  if (preferences.on === true) return findTrackByLanguage(tracks, preferences.lang) ?? null
  if (always) return chooseTrackToTurnOn(preferences, tracks, reader)
  return spoken !== null && getBaseLanguage(spoken) !== getBaseLanguage(reader)
    ? findTrackByLanguage(tracks, reader)
    : null
}

/**
 * Returns the track to display when the viewer turns subtitles on: in the language chosen last, else in their own,
 * else the first.
 */
export function chooseTrackToTurnOn<T extends { lang: string }>(
  preferences: CaptionPreferences,
  tracks: readonly T[],
  reader: string,
): T | null {
  return (
    findTrackByLanguage(tracks, preferences.lang) ?? findTrackByLanguage(tracks, reader) ?? tracks[0] ?? null
  )
}

/**
 * Parses the stored preferences. Missing and invalid values become defaults, so that any stored version is accepted.
 */
export function parseCaptionPreferences(text: string | null): CaptionPreferences {
  try {
    const value = JSON.parse(text ?? '{}') as Partial<Record<keyof CaptionPreferences, unknown>>
    const parseChoice = <V extends string>(choices: readonly V[], storedValue: unknown, defaultChoice: V) =>
      choices.find((choice) => choice === storedValue) ?? defaultChoice
    return {
      lang: typeof value.lang === 'string' ? value.lang : null,
      on: typeof value.on === 'boolean' ? value.on : null,
      size: parseChoice(CAPTION_SIZES, value.size, DEFAULT_CAPTION_PREFERENCES.size),
      color: parseChoice(CAPTION_COLORS, value.color, DEFAULT_CAPTION_PREFERENCES.color),
      background: parseChoice(CAPTION_BACKGROUNDS, value.background, DEFAULT_CAPTION_PREFERENCES.background),
    }
  } catch {
    return DEFAULT_CAPTION_PREFERENCES
  }
}
