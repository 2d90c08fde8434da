/** Sorts titles by their names in the language of the caller. */
import { setImmediate } from 'node:timers/promises'
import { FALLBACK_LOCALE } from '../../../src/lib/i18n/locales.ts'
import { ORIGINAL_LANGUAGE, TITLE_LANGUAGES } from '../../../src/lib/rules/title-options.ts'
import { type SortName, sortByName } from '../../browse/title-order.ts'
import type { Db } from '../../db/database.ts'
import { selectSortNames } from '../../queries/browse.ts'

const IDS_PER_STATEMENT = 4_096

/**
 * True if titles have a separate order for the language. For English, and for a language in which the catalogue has no
 * names, titles are in the order of the column `sort_title`.
 */
export const hasTitleOrder = (language: string): boolean =>
  language === ORIGINAL_LANGUAGE ||
  (language !== FALLBACK_LOCALE && TITLE_LANGUAGES.some((titleLanguage) => titleLanguage === language))

/** Returns the ids of titles in the order of their names in a language. */
export async function sortTitleIds(db: Db, language: string, titleIds: readonly number[]): Promise<number[]> {
  const sortNames: SortName[] = []
  for (let startIndex = 0; startIndex < titleIds.length; startIndex += IDS_PER_STATEMENT) {
    const ids = titleIds.slice(startIndex, startIndex + IDS_PER_STATEMENT)
    sortNames.push(...(await selectSortNames(db, language, { ids })))
  }
  return [...(await sortByName(sortNames, language, async () => setImmediate()))]
}
