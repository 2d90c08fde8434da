import { getNameSeparator } from './format-names.ts'
import { getCurrentLocale, translateDynamicKey } from './t.ts'

const FIRST_LETTER = 'A'.charCodeAt(0)
const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(FIRST_LETTER + index))

/** Returns the region codes by English name. The names come from the browser. */
function listRegionCodes(): Map<string, string> {
  const englishNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  return new Map([...codes.map((code) => [englishNames.of(code) ?? '', code] as const), ['USA', 'US']])
}

/**
 * Translates the country at the end of an English birthplace: `Vicenza, Italy` becomes `Vicenza, Italie`. Towns keep their
 * names, and so do countries that the browser does not know.
 */
export function formatBirthplace(birthplace: string): string {
  const locale = getCurrentLocale()
  if (locale === 'en') return birthplace
  const parts = birthplace.split(', ')
  const country = parts.pop() ?? ''
  const code = listRegionCodes().get(country)
  const regionName = code && new Intl.DisplayNames([locale], { type: 'region' }).of(code)
  const name = regionName ?? translateDynamicKey(`detail:country_${country.replaceAll(' ', '')}`, country)
  return [...parts, name].join(getNameSeparator())
}
