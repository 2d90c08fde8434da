import { getNameSeparator } from './format-names.ts'
import { getCurrentLocale, translateDynamicKey } from './t.ts'

const FIRST_LETTER_CODE = 'A'.charCodeAt(0)
const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(FIRST_LETTER_CODE + index))

/** Returns the region codes by English name. The names come from the browser. */
function buildRegionCodesByName(): Map<string, string> {
  const englishNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const regionCodes = LETTERS.flatMap((firstLetter) =>
    LETTERS.map((secondLetter) => firstLetter + secondLetter),
  )
  return new Map([
    ...regionCodes.map((regionCode) => [englishNames.of(regionCode) ?? '', regionCode] as const),
    ['USA', 'US'],
  ])
}

/**
 * Translates the country at the end of an English birthplace: `Vicenza, Italy` becomes `Vicenza, Italie`. Towns keep
 * their names. A country keeps its English name if neither the browser nor the texts of the page have a translation.
 */
export function formatBirthplace(birthplace: string): string {
  const locale = getCurrentLocale()
  if (locale === 'en') return birthplace
  const placeNames = birthplace.split(', ')
  const countryName = placeNames.pop() ?? ''
  const regionCode = buildRegionCodesByName().get(countryName)
  const localisedRegionName = regionCode && new Intl.DisplayNames([locale], { type: 'region' }).of(regionCode)
  const localisedCountryName =
    localisedRegionName ??
    translateDynamicKey(`detail:country_${countryName.replaceAll(' ', '')}`, countryName)
  return [...placeNames, localisedCountryName].join(getNameSeparator())
}
