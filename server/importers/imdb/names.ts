/** Of a title's names all over the world (title.akas): which is the one in each language, and which are others. */
import type { TitleRecord } from '../../queries/title-record.ts'
import { fitsLetters, isHome, knownLanguage, languageOfCountry, languageOfLetters } from '../languages.ts'
import { NameList } from '../name-list.ts'

export interface Aka {
  text: string
  region: string | null
  lang: string | null
  types: string | null
  attributes: string | null
}
/** More than any other English name. */
const PRIMARY = 99
/** Several types or attributes of one row are joined by this sign. */
const JOINED = '\u0002'
/** What a film was called before it was out, or on one occasion. */
const PASSING = new Set(['working', 'festival', 'dvd', 'video', 'tv', 'alternative'])

/** The language of a row, if it is one of ours; where none is told, by its letters, then by its country. */
function languageOf({ text, region, lang }: Aka): string | undefined {
  if (lang) return knownLanguage(lang)
  const byCountry = region ? languageOfCountry(region) : undefined
  const byLetters = languageOfLetters(text)
  if (!byLetters) return byCountry
  if (byCountry && fitsLetters(text, byCountry)) return byCountry
  return region === 'IN' && byLetters === 'hi' ? 'hi' : undefined
}

/** How well a row serves as the title in its language; 0 when it is only another name. */
function worth({ text, region, types, attributes }: Aka, lang: string): number {
  const kinds = types?.split(JOINED) ?? []
  if (attributes || kinds.some((kind) => PASSING.has(kind)) || !fitsLetters(text, lang)) return 0
  return 1 + (region && isHome(region) ? 4 : 0) + (kinds.includes('imdbDisplay') ? 2 : 0)
}

/**
 * Names with at most one that is no `aka` in each language: `primary`, which IMDb shows to the world, is the English one.
 * The dumps do not tell the original's language: `language` is what the countries that keep the original name agree on.
 */
export function namesOf(
  { primary, original }: { primary: string; original: string },
  akas: Aka[],
): { names: TitleRecord['names']; language: string | undefined } {
  const names = new NameList()
  names.offer('en', primary, PRIMARY)
  const same = new Set<string>()
  for (const aka of akas) {
    const lang = languageOf(aka)
    if (!lang) continue
    if (aka.text === original) same.add(lang)
    names.offer(lang, aka.text, worth(aka, lang))
  }
  const language = originalLanguage({ primary, original }, same)
  if (original !== primary) {
    const alone = language !== undefined && !names.has(language)
    names.offer(language ?? 'und', original, alone ? 1 : 0, 'original')
  }
  return { names: names.list(), language }
}

/**
 * `same`: the languages of countries that show the title under its original name. A name in Latin letters that is also the
 * world's says nothing of countries with other letters: Hong Kong shows "The Mummy" as "The Mummy".
 */
function originalLanguage(
  { primary, original }: { primary: string; original: string },
  same: Set<string>,
): string | undefined {
  const byLetters = languageOfLetters(original)
  if (byLetters) return byLetters
  if (primary === original && same.has('en')) return 'en'
  const told = [...same].filter(
    (lang) => lang !== 'en' && (primary !== original || fitsLetters(original, lang)),
  )
  return told.length === 1 ? told[0] : undefined
}
