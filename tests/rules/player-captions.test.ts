/** Which subtitles show, and what is remembered of them. */
import { describe, expect, test } from 'vitest'
import {
  type CaptionPreferences,
  chooseCaptionTrack,
  chooseTrackToTurnOn,
  DEFAULT_CAPTION_PREFERENCES,
  findTrackByLanguage,
  parseCaptionPreferences,
} from '../../src/lib/rules/player-captions.ts'

const TRACKS = ['en', 'fr', 'ar', 'pt-BR'].map((lang) => ({ lang }))
const memory = (change: Partial<CaptionPreferences>): CaptionPreferences => ({
  ...DEFAULT_CAPTION_PREFERENCES,
  ...change,
})
const shown = (kept: Partial<CaptionPreferences>, reader: string, spoken: string | null, tracks = TRACKS) =>
  chooseCaptionTrack(memory(kept), tracks, { reader, spoken })?.lang ?? null

test('a language is found exactly, or by its relative', () => {
  expect(findTrackByLanguage(TRACKS, 'FR')?.lang).toBe('fr')
  expect(findTrackByLanguage(TRACKS, 'pt')?.lang).toBe('pt-BR')
  expect(findTrackByLanguage(TRACKS, 'en-GB')?.lang).toBe('en')
  expect(findTrackByLanguage(TRACKS, 'de')).toBeNull()
  expect(findTrackByLanguage(TRACKS, null)).toBeNull()
})

describe('who never chose', () => {
  test.each([
    ['reads their language when the title speaks another', 'fr', 'en', 'fr'],
    ['reads nothing in their own language', 'en', 'en', null],
    ['reads nothing when nobody knows what is spoken', 'ar', null, null],
    ['reads nothing where there is nothing in it', 'de', 'en', null],
  ])('%s', (_, reader, spoken, expected) => expect(shown({}, reader, spoken)).toBe(expected))
})

describe('who chose', () => {
  test('keeps the language from title to title', () => {
    expect(shown({ on: true, lang: 'ar' }, 'en', 'en')).toBe('ar')
  })
  test('keeps it off, whatever is spoken', () => {
    expect(shown({ on: false, lang: 'fr' }, 'fr', 'en')).toBeNull()
  })
  test('is not given another language than theirs', () => {
    expect(shown({ on: true, lang: 'de' }, 'en', 'ko')).toBeNull()
  })
})

test('"C" turns on the last language, else the reader’s, else any', () => {
  const on = (kept: Partial<CaptionPreferences>, reader: string) =>
    chooseTrackToTurnOn(memory(kept), TRACKS, reader)?.lang
  expect(on({ on: false, lang: 'ar' }, 'fr')).toBe('ar')
  expect(on({}, 'fr')).toBe('fr')
  expect(on({ lang: 'de' }, 'de')).toBe('en')
  expect(chooseTrackToTurnOn(DEFAULT_CAPTION_PREFERENCES, [], 'en')).toBeNull()
})

describe('what is stored', () => {
  test('comes back as it was', () => {
    const kept = memory({ lang: 'fr', on: true, size: 'huge', color: 'yellow', background: 'none' })
    expect(parseCaptionPreferences(JSON.stringify(kept))).toEqual(kept)
  })
  test.each([null, '', '{', '[]', '"x"', '{"size":"enormous","lang":3,"on":"yes"}', 'null'])(
    '%s is nothing to go by',
    (text) => expect(parseCaptionPreferences(text)).toEqual(DEFAULT_CAPTION_PREFERENCES),
  )
})

test('a profile that wants subtitles from the start has them in any title, until it turns them off', () => {
  const show = (kept: Partial<CaptionPreferences>, reader = 'en', tracks = TRACKS) =>
    chooseCaptionTrack(memory(kept), tracks, { reader, spoken: 'en', always: true })?.lang ?? null
  expect(show({})).toBe('en')
  expect(show({}, 'de')).toBe('en')
  expect(show({ lang: 'fr' })).toBe('fr')
  expect(show({ on: false })).toBeNull()
  expect(show({}, 'en', [])).toBeNull()
})
