/** Selects the display name of a title in each language from its names in all countries (title.akas). */
import type { TitleRecord } from '../../queries/title-record.ts'
import {
  findLanguageOfScript,
  getLanguageOfCountry,
  hasScriptOfLanguage,
  isHomeCountry,
  toProductLanguage,
} from '../languages.ts'
import { TitleNameList } from '../name-list.ts'

export interface ImdbAka {
  text: string
  region: string | null
  lang: string | null
  types: string | null
  attributes: string | null
}
/** Priority of `primaryTitle`, which is above the priority of every other English name. */
const PRIMARY_TITLE_PRIORITY = 99
/** Separates several types or attributes of one row. */
const LIST_SEPARATOR = '\u0002'
/**
 * Types of names that are never display names: names that were used before the release, for one edition, or beside
 * another name.
 */
const TEMPORARY_NAME_TYPES = new Set(['working', 'festival', 'dvd', 'video', 'tv', 'alternative'])

/**
 * Returns the language of a row; undefined if it is not known or not supported by the product. If the row states no
 * language, returns the language of its country, or undefined if the text has the script of another language. Text in
 * Devanagari from India is Hindi.
 */
function findAkaLanguage({ text, region, lang }: ImdbAka): string | undefined {
  if (lang) return toProductLanguage(lang)
  const countryLanguage = region ? getLanguageOfCountry(region) : undefined
  const scriptLanguage = findLanguageOfScript(text)
  if (!scriptLanguage) return countryLanguage
  if (countryLanguage && hasScriptOfLanguage(text, countryLanguage)) return countryLanguage
  return region === 'IN' && scriptLanguage === 'hi' ? 'hi' : undefined
}

/** Returns the priority of a row as the display name in its language; 0 if it is only an alias. */
function getNamePriority({ text, region, types, attributes }: ImdbAka, lang: string): number {
  const nameTypes = types?.split(LIST_SEPARATOR) ?? []
  if (
    attributes ||
    nameTypes.some((type) => TEMPORARY_NAME_TYPES.has(type)) ||
    !hasScriptOfLanguage(text, lang)
  )
    return 0
  return 1 + (region && isHomeCountry(region) ? 4 : 0) + (nameTypes.includes('imdbDisplay') ? 2 : 0)
}

/**
 * Returns at most one display name per language, and all other names as aliases. The English display name is
 * `primaryTitle`, which IMDb shows internationally. The dumps do not contain the original language, so `language` is
 * derived.
 */
export function selectImdbNames(
  { primaryTitle, originalTitle }: { primaryTitle: string; originalTitle: string },
  akas: ImdbAka[],
): { names: TitleRecord['names']; language: string | undefined } {
  const names = new TitleNameList()
  names.add('en', primaryTitle, PRIMARY_TITLE_PRIORITY)
  const originalNameLanguages = new Set<string>()
  /** Names whose language is not known or not supported by the product. They are stored only for the search. */
  const otherNames: string[] = []
  for (const aka of akas) {
    const lang = findAkaLanguage(aka)
    if (!lang) {
      otherNames.push(aka.text)
      continue
    }
    if (aka.text === originalTitle) originalNameLanguages.add(lang)
    names.add(lang, aka.text, getNamePriority(aka, lang))
  }
  const language = deriveOriginalLanguage({ primaryTitle, originalTitle }, originalNameLanguages)
  if (originalTitle !== primaryTitle) {
    const isDisplayName = language !== undefined && !names.hasDisplayName(language)
    names.add(language ?? 'und', originalTitle, isDisplayName ? 1 : 0, 'original')
  }
  const selectedNames = names.toNames()
  const selectedTexts = new Set(selectedNames.map((name) => name.text))
  const searchNames = new TitleNameList()
  for (const otherName of otherNames)
    if (!selectedTexts.has(otherName.trim())) searchNames.add('und', otherName, 0)
  return { names: [...selectedNames, ...searchNames.toNames()], language }
}

/**
 * Derives the original language from the script of the original name. If the script states no language, as Latin
 * does not, uses the languages of the countries in which the title has this name:
 * - If the original name is also the international name (`primaryTitle`), English comes first, and languages with
 *   another script are ignored: "The Mummy" is used in Hong Kong too, but its original language is not Chinese.
 * - If both names differ, English is ignored.
 *
 * Returns undefined unless exactly one language is possible.
 */
function deriveOriginalLanguage(
  { primaryTitle, originalTitle }: { primaryTitle: string; originalTitle: string },
  originalNameLanguages: Set<string>,
): string | undefined {
  const scriptLanguage = findLanguageOfScript(originalTitle)
  if (scriptLanguage) return scriptLanguage
  if (primaryTitle === originalTitle && originalNameLanguages.has('en')) return 'en'
  const candidateLanguages = [...originalNameLanguages].filter(
    (lang) => lang !== 'en' && (primaryTitle !== originalTitle || hasScriptOfLanguage(originalTitle, lang)),
  )
  return candidateLanguages.length === 1 ? candidateLanguages[0] : undefined
}
