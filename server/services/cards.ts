/** Rows become what the wire carries (api.md, section 3): explicit fields, the caller's title language. */
import type { MediaCard } from '../../src/lib/contract/media.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../http/caller.ts'
import { cardParts, type TitleRow } from '../queries/catalogue.ts'
import { artworkOf } from './artwork.ts'

/**
 * The language titles are told in: the account's choice; a profile that speaks another language than the account's
 * interface is told them in its own.
 */
export function titleLanguage({ account, acting }: Pick<Caller, 'account' | 'acting'>): string {
  return acting && acting.language !== account.interface_language ? acting.language : account.title_language
}

/** Cards in the order of the rows. `lang` is the viewer's title language. */
export async function cardsOf(deps: Deps, rows: TitleRow[], lang: string): Promise<MediaCard[]> {
  const ids = rows.map((row) => row.title_id)
  const parts = await cardParts(deps.database.reader, ids, [...new Set([lang, 'en'])])
  const names = new Map(parts.names.map((name) => [`${name.title_id} ${name.lang}`, name.text]))
  const genres = Map.groupBy(parts.genres, (genre) => genre.title_id)
  const networks = Map.groupBy(parts.networks, (network) => network.title_id)
  return rows.map((row) => {
    const { title_id: id } = row
    return {
      ...plainCard(row),
      ...artworkOf(deps, row, lang),
      title: names.get(`${id} ${lang}`) ?? names.get(`${id} en`) ?? row.original_title,
      genres: (genres.get(id) ?? []).map((genre) => genre.genre_id),
      ...(row.type === 'tv' && {
        status: row.status,
        season_count: row.season_count,
        networks: (networks.get(id) ?? []).map((network) => network.network),
      }),
    }
  })
}

function plainCard(row: TitleRow): Omit<MediaCard, 'title' | 'genres' | 'poster_path' | 'backdrop_path'> {
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
    runtime: row.runtime,
  }
}

/** Rows by id become a map of cards, for services that hold ids in an order of their own. */
export async function cardsById(deps: Deps, rows: TitleRow[], lang: string): Promise<Map<number, MediaCard>> {
  const cards = await cardsOf(deps, rows, lang)
  return new Map(cards.map((card) => [Number(card.id), card]))
}
