/** Titles and their details, limited to what the caller's audience may see. */
import type { MediaDetails } from '../../../src/lib/contract/media.ts'
import { GENRE_NAMES_BY_ID } from '../../../src/lib/rules/genres.ts'
import { Problem } from '../../core/problem.ts'
import { selectPersonNames } from '../../queries/person.ts'
import { selectTitle, type TitleType } from '../../queries/title.ts'
import { selectTitleDetails } from '../../queries/title-details.ts'
import { getOverviewLanguage, getTitleLanguage, type Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { buildPortraitPath } from './artwork.ts'
import { loadCards } from './cards.ts'
import { toSeason } from './season.ts'

/** Parses a numeric id from its text form on the wire. Throws 404 for any other text. */
export function parseId(text: string): number {
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  if (id === 0) throw new Problem('not_found')
  return id
}

/**
 * Returns a title that the caller may see. Throws the same 404 for an absent, unpublished or blocked title, and for a
 * title outside the audience of the caller.
 */
export async function findVisibleTitle(
  deps: Deps,
  caller: Viewer,
  type: TitleType | null,
  titleRef: { id: number } | { slug: string },
) {
  const row = await selectTitle(deps.database.reader, caller.audience, type, titleRef)
  if (!row) throw new Problem('not_found')
  return row
}

export async function loadTitleDetails(
  deps: Deps,
  caller: Viewer,
  type: TitleType,
  titleRef: { id: number } | { slug: string },
): Promise<MediaDetails> {
  const row = await findVisibleTitle(deps, caller, type, titleRef)
  const lang = getTitleLanguage(caller)
  const [[card], details] = await Promise.all([
    loadCards(deps, [row], lang),
    selectTitleDetails(deps.database.reader, row),
  ])
  if (!card) throw new Problem('not_found')
  const personNamesById = await selectPersonNames(
    deps.database.reader,
    details.credits.map((credit) => credit.person_id),
    lang,
  )
  const titleText = pickTextInLanguage(details.texts, getOverviewLanguage(caller))
  return {
    ...card,
    titles: details.names.map((name) => ({ lang: name.lang, text: name.text })),
    overview: titleText?.overview ?? null,
    ...(titleText && { overview_lang: titleText.lang }),
    tagline: titleText?.tagline ?? null,
    genres: card.genres.map((id) => ({ id, name: GENRE_NAMES_BY_ID[id] ?? String(id) })),
    cast: details.credits
      .filter((credit) => credit.kind === 'cast')
      .map((credit) => {
        const name = personNamesById.get(credit.person_id) ?? credit.name
        return {
          actor_id: String(credit.person_id),
          slug: credit.slug,
          name,
          character: credit.character,
          profile_path: buildPortraitPath(deps, credit, { name, lang }),
        }
      }),
    crew: details.credits
      .filter((credit) => credit.kind === 'crew')
      .map((credit) => ({
        slug: credit.slug,
        name: personNamesById.get(credit.person_id) ?? credit.name,
        job: credit.job,
      })),
    parental_guide: JSON.parse(row.parental_guide) as MediaDetails['parental_guide'],
    imdb_id: row.imdb_id,
    tmdb_id: row.tmdb_id,
    // A trailer is a link to another site, on which a child could watch any video.
    trailer: caller.audience.isForKids ? null : row.trailer,
    published: row.published === 1,
    ...(type === 'tv' && { seasons: details.seasons.map((season) => toSeason(deps, season, row, lang)) }),
  }
}

function pickTextInLanguage<T extends { lang: string }>(texts: T[], lang: string): T | undefined {
  return texts.find((text) => text.lang === lang) ?? texts.find((text) => text.lang === 'en') ?? texts[0]
}
