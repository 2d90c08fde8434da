/** The people of the demo catalogue: `people/` and `places.json` in data/demo/. */
import { existsSync, readFileSync } from 'node:fs'
import { LOCALES, type Locale } from '../../src/lib/i18n/locales.ts'
import type { PersonRecord } from '../queries/title-record.ts'

export interface DemoPerson {
  name: string
  names?: Record<string, string>
  birthday?: string | null
  deathday?: string | null
  place?: string
  bio?: Record<string, string>
}
/**
 * Translations of place names. The outer key is the English name: a town, state or country, or a whole place such as
 * `Cairo, New York, USA`. The inner key is the language.
 */
export type DemoPlaceNames = Record<string, Record<string, string>>

export const readPlaceNames = (filePath: string): DemoPlaceNames =>
  existsSync(filePath) ? (JSON.parse(readFileSync(filePath, 'utf8')) as DemoPlaceNames) : {}

export function toPersonRecord(person: DemoPerson, placeNames: DemoPlaceNames): PersonRecord {
  const { place, bio } = person
  const texts = LOCALES.flatMap((lang) => {
    const placeName = place && translatePlace(place, lang, placeNames)
    const biography = lang !== 'en' && bio?.[lang]
    return placeName || biography
      ? [{ lang, ...(placeName && { place_of_birth: placeName }), ...(biography && { biography }) }]
      : []
  })
  return {
    name: person.name,
    ...(person.names && {
      names: Object.entries(person.names).map(([lang, name]) => ({ lang, text: name })),
    }),
    ...(person.birthday && { birthday: person.birthday }),
    ...(person.deathday && { deathday: person.deathday }),
    ...(place && { place_of_birth: place }),
    ...(bio?.['en'] && { biography: bio['en'] }),
    ...(texts.length > 0 && { texts }),
  }
}

/**
 * Translates each part of `Concord, California, USA`. A place with an entry of its own is translated as a whole: the
 * Cairo of `Cairo, New York, USA` is not the Cairo in Egypt. A part without a translation keeps its name. Returns
 * undefined if no part has a translation.
 */
function translatePlace(place: string, lang: Locale, placeNames: DemoPlaceNames): string | undefined {
  const translatedParts = place
    .split(', ')
    .map((placePart) => ({ part: placePart, name: placeNames[placePart]?.[lang] }))
  if (placeNames[place]?.[lang] || translatedParts.every(({ name }) => !name))
    return placeNames[place]?.[lang]
  return translatedParts
    .map(({ part: placePart, name }) => name ?? placePart)
    .join(lang === 'ar' ? '، ' : ', ')
}
