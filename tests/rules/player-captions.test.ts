/** Choice of the subtitle track, and the stored caption preferences. */
import { describe, expect, test } from 'vitest'
import {
  addCaptionDelay,
  type CaptionPreferences,
  chooseCaptionTrack,
  chooseTrackToTurnOn,
  DEFAULT_CAPTION_PREFERENCES,
  findTrackByLanguage,
  getSpokenLanguage,
  parseCaptionPreferences,
  shiftCueTimes,
} from '../../src/lib/rules/player-captions.ts'

const TRACKS = ['en', 'fr', 'ar', 'pt-BR'].map((lang) => ({ lang }))
const createPreferences = (overrides: Partial<CaptionPreferences>): CaptionPreferences => ({
  ...DEFAULT_CAPTION_PREFERENCES,
  ...overrides,
})
const getShownLanguage = (
  storedPreferences: Partial<CaptionPreferences>,
  interfaceLanguage: string,
  titleLanguage: string | null,
  tracks = TRACKS,
) =>
  chooseCaptionTrack(createPreferences(storedPreferences), tracks, {
    readerLanguage: interfaceLanguage,
    spokenLanguage: titleLanguage,
  })?.lang ?? null

test('a subtitle track is found by its exact language tag, else by its primary language', () => {
  expect(findTrackByLanguage(TRACKS, 'FR')?.lang).toBe('fr')
  expect(findTrackByLanguage(TRACKS, 'pt')?.lang).toBe('pt-BR')
  expect(findTrackByLanguage(TRACKS, 'en-GB')?.lang).toBe('en')
  expect(findTrackByLanguage(TRACKS, 'de')).toBeNull()
  expect(findTrackByLanguage(TRACKS, null)).toBeNull()
})

describe('a viewer without a stored choice', () => {
  test.each([
    ['gets captions in the interface language when the title is in another language', 'fr', 'en', 'fr'],
    ['gets no captions when the title is in the interface language', 'en', 'en', null],
    ['gets no captions when the language of the title is unknown', 'ar', null, null],
    ['gets no captions when no track has the interface language', 'de', 'en', null],
  ])('a viewer without a stored choice %s', (_, interfaceLanguage, titleLanguage, expectedLanguage) =>
    expect(getShownLanguage({}, interfaceLanguage, titleLanguage)).toBe(expectedLanguage),
  )
})

describe('the spoken language', () => {
  const createTracks = (...languages: string[]) =>
    languages.map((lang, index) => ({ lang, selected: index === languages.length - 1 }))

  test('the spoken language is that of the selected audio track, so that no subtitles are shown for a dub in the language of the viewer', () => {
    const spokenLanguage = getSpokenLanguage(createTracks('en', 'fr'), 'en')
    expect(spokenLanguage).toBe('fr')
    expect(getShownLanguage({}, 'fr', spokenLanguage)).toBeNull()
    expect(getShownLanguage({}, 'fr', getSpokenLanguage(createTracks('fr', 'en'), 'en'))).toBe('fr')
  })
  test('the spoken language is that of the title when the audio tracks have no language or are not known', () => {
    expect(getSpokenLanguage(createTracks('und'), 'en')).toBe('en')
    expect(getSpokenLanguage([], 'en')).toBe('en')
    expect(getSpokenLanguage([], null)).toBeNull()
  })
})

describe('a viewer with a stored choice', () => {
  test('a viewer with a stored choice gets captions in the stored language, even for a title in the interface language', () => {
    expect(getShownLanguage({ on: true, lang: 'ar' }, 'en', 'en')).toBe('ar')
  })
  test('a viewer with a stored choice gets no captions in any language after turning captions off', () => {
    expect(getShownLanguage({ on: false, lang: 'fr' }, 'fr', 'en')).toBeNull()
  })
  test('a viewer with a stored choice gets no captions when no track has the stored language', () => {
    expect(getShownLanguage({ on: true, lang: 'de' }, 'en', 'ko')).toBeNull()
  })
})

test('the C key turns on a subtitle track in the stored language, else in the interface language, else any subtitle track', () => {
  const getTurnedOnLanguage = (storedPreferences: Partial<CaptionPreferences>, interfaceLanguage: string) =>
    chooseTrackToTurnOn(createPreferences(storedPreferences), TRACKS, interfaceLanguage)?.lang
  expect(getTurnedOnLanguage({ on: false, lang: 'ar' }, 'fr')).toBe('ar')
  expect(getTurnedOnLanguage({}, 'fr')).toBe('fr')
  expect(getTurnedOnLanguage({ lang: 'de' }, 'de')).toBe('en')
  expect(chooseTrackToTurnOn(DEFAULT_CAPTION_PREFERENCES, [], 'en')).toBeNull()
})

describe('stored caption preferences', () => {
  test('parsing stored caption preferences returns the values that were stored', () => {
    const storedPreferences = createPreferences({
      lang: 'fr',
      on: true,
      size: 'huge',
      color: 'yellow',
      background: 'none',
      edge: 'outline',
      kind: 'sdh',
    })
    expect(parseCaptionPreferences(JSON.stringify(storedPreferences))).toEqual(storedPreferences)
  })
  test.each([null, '', '{', '[]', '"x"', '{"size":"enormous","lang":3,"on":"yes"}', 'null'])(
    'parsing the stored text %s returns the default caption preferences',
    (text) => expect(parseCaptionPreferences(text)).toEqual(DEFAULT_CAPTION_PREFERENCES),
  )
})

test('with the preference to always show captions, captions are shown even in the spoken language, until the viewer turns captions off', () => {
  const getShownLanguageWithAlwaysOn = (
    storedPreferences: Partial<CaptionPreferences>,
    interfaceLanguage = 'en',
    tracks = TRACKS,
  ) =>
    chooseCaptionTrack(createPreferences(storedPreferences), tracks, {
      readerLanguage: interfaceLanguage,
      spokenLanguage: 'en',
      isAlwaysOn: true,
    })?.lang ?? null
  expect(getShownLanguageWithAlwaysOn({})).toBe('en')
  expect(getShownLanguageWithAlwaysOn({}, 'de')).toBe('en')
  expect(getShownLanguageWithAlwaysOn({ lang: 'fr' })).toBe('fr')
  expect(getShownLanguageWithAlwaysOn({ on: false })).toBeNull()
  expect(getShownLanguageWithAlwaysOn({}, 'en', [])).toBeNull()
})

test('among several tracks in one language, the track of the stored kind is selected, else the first track', () => {
  const tracks = [
    { lang: 'en', forced: true },
    { lang: 'en' },
    { lang: 'en', sdh: true },
    { lang: 'fr', sdh: true },
  ]
  const findChosenTrackIndex = (storedPreferences: Partial<CaptionPreferences>) => {
    const track = chooseCaptionTrack(createPreferences({ on: true, ...storedPreferences }), tracks, {
      readerLanguage: 'en',
      spokenLanguage: 'en',
    })
    return track && tracks.indexOf(track)
  }
  expect(findChosenTrackIndex({ lang: 'en' })).toBe(1)
  expect(findChosenTrackIndex({ lang: 'en', kind: 'sdh' })).toBe(2)
  expect(findChosenTrackIndex({ lang: 'en-GB', kind: 'forced' })).toBe(0)
  expect(findChosenTrackIndex({ lang: 'fr', kind: 'forced' })).toBe(3)
})

describe('delay of subtitles', () => {
  test('steps of 0.1 and 0.5 seconds add up without rounding errors, to at most five minutes', () => {
    let delaySeconds = 0
    for (let count = 0; count < 3; count++) delaySeconds = addCaptionDelay(delaySeconds, 0.1)
    expect(delaySeconds).toBe(0.3)
    expect(addCaptionDelay(delaySeconds, -0.5)).toBe(-0.2)
    expect(Object.is(addCaptionDelay(0.1, -0.1), 0)).toBe(true)
    expect([addCaptionDelay(299.9, 0.5), addCaptionDelay(-300, -0.1)]).toEqual([300, -300])
  })

  test('cues move by the delay, but never start before time 0', () => {
    expect(shiftCueTimes({ start: 2, end: 4 }, 1.5)).toEqual({ start: 3.5, end: 5.5 })
    expect(shiftCueTimes({ start: 2, end: 4 }, -3)).toEqual({ start: 0, end: 1 })
    expect(shiftCueTimes({ start: 2, end: 4 }, -10)).toEqual({ start: 0, end: 0 })
  })
})
