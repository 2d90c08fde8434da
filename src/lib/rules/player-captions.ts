/** Choice and style of the displayed subtitles. The preferences are stored per profile on the device. */

export const CAPTION_SIZES = ['small', 'medium', 'large', 'huge'] as const
export const CAPTION_COLOURS = ['white', 'yellow', 'green'] as const
export const CAPTION_BACKGROUNDS = ['none', 'half', 'solid'] as const
export const CAPTION_EDGES = ['none', 'shadow', 'outline'] as const
/** Content of a track: all dialogue (`main`), only foreign dialogue (`forced`), or dialogue and sounds (`sdh`). */
const CAPTION_KINDS = ['main', 'forced', 'sdh'] as const
type CaptionKind = (typeof CAPTION_KINDS)[number]

interface CaptionTrack {
  lang: string
  label?: string
  forced?: boolean | undefined
  sdh?: boolean | undefined
}
export const getCaptionKind = ({ forced, sdh }: CaptionTrack): CaptionKind =>
  forced ? 'forced' : sdh ? 'sdh' : 'main'

export interface CaptionPreferences {
  /**
   * Language of the track that was chosen last. It is kept while subtitles are off, so that the C key can turn them on
   * again. Null before the first choice.
   */
  lang: string | null
  /** Kind of the track that was chosen last. A language may have tracks of several kinds. */
  kind: CaptionKind
  /** Label of the track that was chosen last. It distinguishes tracks with the same language and kind. */
  label: string | null
  /** Null until the viewer turns subtitles on or off. */
  on: boolean | null
  size: (typeof CAPTION_SIZES)[number]
  color: (typeof CAPTION_COLOURS)[number]
  background: (typeof CAPTION_BACKGROUNDS)[number]
  edge: (typeof CAPTION_EDGES)[number]
}
export const DEFAULT_CAPTION_PREFERENCES: CaptionPreferences = {
  lang: null,
  kind: 'main',
  label: null,
  on: null,
  size: 'medium',
  color: 'white',
  background: 'half',
  edge: 'shadow',
}

/** Longest delay of subtitles, in either direction. */
const MAX_CAPTION_DELAY_SECONDS = 300
export const SHORT_CAPTION_DELAY_STEP_SECONDS = 0.1
export const LONG_CAPTION_DELAY_STEP_SECONDS = 0.5

/**
 * Adds a change to a delay, both in seconds. The result is rounded to tenths of a second, and is at most
 * MAX_CAPTION_DELAY_SECONDS in either direction.
 */
export function addCaptionDelay(delaySeconds: number, delayChangeSeconds: number): number {
  const roundedSeconds = Math.round((delaySeconds + delayChangeSeconds) * 10) / 10
  return Math.max(-MAX_CAPTION_DELAY_SECONDS, Math.min(MAX_CAPTION_DELAY_SECONDS, roundedSeconds)) || 0
}

/** Returns the times of a cue with a delay. A cue that would end before the start of the video gets the length 0. */
export function shiftCueTimes(
  { start, end }: { start: number; end: number },
  delaySeconds: number,
): { start: number; end: number } {
  return { start: Math.max(0, start + delaySeconds), end: Math.max(0, end + delaySeconds) }
}

const getBaseLanguage = (lang: string) => lang.toLowerCase().split('-')[0] ?? ''

/**
 * Returns a track in `language`, else a track with the same base language (`pt` for `pt-BR`), else null. Of several
 * tracks in the language, prefers the tracks of the wanted kind, and of these tracks the one with the wanted label.
 */
export function findTrackByLanguage<T extends CaptionTrack>(
  tracks: readonly T[],
  language: string | null,
  kind: CaptionKind = 'main',
  label: string | null = null,
): T | null {
  if (!language) return null
  const tracksInSameLanguage = tracks.filter((track) => track.lang.toLowerCase() === language.toLowerCase())
  const candidateTracks =
    tracksInSameLanguage.length > 0
      ? tracksInSameLanguage
      : tracks.filter((track) => getBaseLanguage(track.lang) === getBaseLanguage(language))
  const candidatesOfSameKind = candidateTracks.filter((track) => getCaptionKind(track) === kind)
  return (
    candidatesOfSameKind.find((track) => track.label === label) ??
    candidatesOfSameKind[0] ??
    candidateTracks[0] ??
    null
  )
}

/**
 * Returns the language that the viewer hears: the language of the selected audio track, which may be a dub. If no track
 * is selected or its language is not known, returns the original language of the title, which may be null.
 */
export function getSpokenLanguage(
  audioTracks: readonly { lang: string; selected: boolean }[],
  originalLanguage: string | null,
): string | null {
  const selectedTrack = audioTracks.find(({ selected }) => selected)
  return selectedTrack && selectedTrack.lang !== 'und' ? selectedTrack.lang : originalLanguage
}

/**
 * Returns the track to display; null for none. If the viewer has turned subtitles on or off, follows that choice. Else,
 * with `isAlwaysOn`, returns the track of `chooseTrackToTurnOn`. Else returns a track in the language of the viewer
 * (`readerLanguage`), but only if the spoken language is known and different.
 */
export function chooseCaptionTrack<T extends CaptionTrack>(
  preferences: CaptionPreferences,
  tracks: readonly T[],
  {
    readerLanguage,
    spokenLanguage,
    isAlwaysOn = false,
  }: { readerLanguage: string; spokenLanguage: string | null; isAlwaysOn?: boolean },
): T | null {
  if (preferences.on === false) return null
  const { lang, kind, label } = preferences
  if (preferences.on === true) return findTrackByLanguage(tracks, lang, kind, label)
  if (isAlwaysOn) return chooseTrackToTurnOn(preferences, tracks, readerLanguage)
  return spokenLanguage !== null && getBaseLanguage(spokenLanguage) !== getBaseLanguage(readerLanguage)
    ? findTrackByLanguage(tracks, readerLanguage)
    : null
}

/**
 * Returns the track to display when the viewer turns subtitles on: in the language chosen last, else in the language of
 * the viewer, else the first track.
 */
export function chooseTrackToTurnOn<T extends CaptionTrack>(
  preferences: CaptionPreferences,
  tracks: readonly T[],
  readerLanguage: string,
): T | null {
  const { lang, kind, label } = preferences
  return (
    findTrackByLanguage(tracks, lang, kind, label) ??
    findTrackByLanguage(tracks, readerLanguage) ??
    tracks[0] ??
    null
  )
}

/**
 * Parses the stored preferences. Missing and invalid values become defaults, so that any stored version is accepted.
 */
export function parseCaptionPreferences(json: string | null): CaptionPreferences {
  try {
    const storedPreferences = JSON.parse(json ?? '{}') as Partial<Record<keyof CaptionPreferences, unknown>>
    const parseChoice = <V extends string>(choices: readonly V[], storedValue: unknown, defaultChoice: V) =>
      choices.find((choice) => choice === storedValue) ?? defaultChoice
    return {
      lang: typeof storedPreferences.lang === 'string' ? storedPreferences.lang : null,
      kind: parseChoice(CAPTION_KINDS, storedPreferences.kind, DEFAULT_CAPTION_PREFERENCES.kind),
      label: typeof storedPreferences.label === 'string' ? storedPreferences.label : null,
      on: typeof storedPreferences.on === 'boolean' ? storedPreferences.on : null,
      size: parseChoice(CAPTION_SIZES, storedPreferences.size, DEFAULT_CAPTION_PREFERENCES.size),
      color: parseChoice(CAPTION_COLOURS, storedPreferences.color, DEFAULT_CAPTION_PREFERENCES.color),
      background: parseChoice(
        CAPTION_BACKGROUNDS,
        storedPreferences.background,
        DEFAULT_CAPTION_PREFERENCES.background,
      ),
      edge: parseChoice(CAPTION_EDGES, storedPreferences.edge, DEFAULT_CAPTION_PREFERENCES.edge),
    }
  } catch {
    return DEFAULT_CAPTION_PREFERENCES
  }
}
