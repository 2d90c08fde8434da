/** Converts title rows to media cards with explicit fields, in the caller's title language. */

import type { MediaCard } from '../../../src/lib/contract/media.ts'
import { ORIGINAL_LANGUAGE } from '../../../src/lib/rules/title-options.ts'
import { findTextLanguage } from '../../importers/languages.ts'
import { selectCardDetails, type TitleRow } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'
import { describeAvailability } from '../library/availability.ts'
import { buildArtworkPaths } from './artwork.ts'

/** Returns one card per row, in the same order. `lang` is the caller's title language. */
export async function loadCards(deps: Deps, rows: TitleRow[], lang: string): Promise<MediaCard[]> {
  const cardDetails = await selectCardDetails(deps.database.reader, rows, [...new Set([lang, 'en'])])
  const namesByTitleAndLang = new Map(
    cardDetails.names.map((name) => [`${name.title_id} ${name.lang}`, name.text]),
  )
  const genresByTitleId = Map.groupBy(cardDetails.genres, (genre) => genre.title_id)
  const networksByTitleId = Map.groupBy(cardDetails.networks, (network) => network.title_id)
  return rows.map((row) => {
    const { title_id: titleId } = row
    return {
      ...toUntranslatedCard(deps, row),
      ...buildArtworkPaths(deps, row, lang),
      ...chooseTitleText(row, lang, (nameLanguage) => namesByTitleAndLang.get(`${titleId} ${nameLanguage}`)),
      genres: (genresByTitleId.get(titleId) ?? []).map((genre) => genre.genre_id),
      ...(row.type === 'tv' && {
        status: row.status,
        season_count: row.season_count,
        networks: (networksByTitleId.get(titleId) ?? []).map((network) => network.network),
      }),
    }
  })
}

/**
 * Returns the name of a title in the title language of the caller, else the English name, else the original name. Also
 * returns the language of this name if it is known.
 */
function chooseTitleText(
  row: TitleRow,
  lang: string,
  findName: (nameLanguage: string) => string | undefined,
): Pick<MediaCard, 'title' | 'title_lang'> {
  const nameLanguage =
    lang === ORIGINAL_LANGUAGE
      ? undefined
      : [lang, 'en'].find((candidate) => findName(candidate) !== undefined)
  const title = (nameLanguage && findName(nameLanguage)) ?? row.original_title
  // A name that equals the original name, such as the English name "La Haine", is a text in the original language.
  const textLanguage = title === row.original_title ? (row.language ?? nameLanguage) : nameLanguage
  const titleLanguage = findTextLanguage(title, textLanguage)
  return { title, ...(titleLanguage !== undefined && { title_lang: titleLanguage }) }
}

function toUntranslatedCard(
  deps: Deps,
  row: TitleRow,
): Omit<MediaCard, 'title' | 'title_lang' | 'genres' | 'poster_path' | 'backdrop_path'> {
  return {
    id: String(row.title_id),
    type: row.type as MediaCard['type'],
    slug: row.slug,
    original_title: row.original_title,
    release_date: row.release_date,
    year: row.year,
    color: row.color,
    language: row.language,
    rating: row.rating,
    rating_votes: row.rating_votes,
    rated: row.rated,
    safe_for_kids: row.safe_for_kids === 1,
    high_quality: row.high_quality === 1,
    ...describeAvailability(deps, row),
    runtime: row.runtime,
  }
}

/** Returns the cards by title id, for services that order the titles themselves. */
export async function loadCardsById(
  deps: Deps,
  rows: TitleRow[],
  lang: string,
): Promise<Map<number, MediaCard>> {
  const cards = await loadCards(deps, rows, lang)
  return new Map(cards.map((card) => [Number(card.id), card]))
}
