/** People and their filmography, limited to what the caller's audience may see. */

import type { CreditedCard } from '../../../src/lib/contract/catalogue.ts'
import type { Actor } from '../../../src/lib/contract/media.ts'
import { getAgeInYears } from '../../../src/lib/rules/age.ts'
import { LIMITS } from '../../../src/lib/rules/limits.ts'
import { Problem } from '../../core/problem.ts'
import { readLocalisedText } from '../../queries/localised-text.ts'
import type { PageRequest } from '../../queries/page.ts'
import {
  type PersonRow,
  selectJobsInTitles,
  selectPersonNames,
  selectTitlesOfPerson,
  selectVisiblePerson,
} from '../../queries/person.ts'
import type { TitleType } from '../../queries/title.ts'
import { getOverviewLanguage, getTitleLanguage, getViewerDate, type Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { toPage } from '../page.ts'
import { buildPortraitPath } from './artwork.ts'
import { loadCards } from './cards.ts'

export async function loadActor(deps: Deps, caller: Viewer, personRef: { id: number } | { slug: string }) {
  const row = await selectVisiblePerson(deps.database.reader, caller.audience, personRef)
  if (!row) throw new Problem('not_found')
  const nameLang = getTitleLanguage(caller)
  const namesByPersonId = await selectPersonNames(deps.database.reader, [row.person_id], nameLang)
  const name = namesByPersonId.get(row.person_id) ?? row.name
  return toActor(deps, row, {
    name,
    nameLang,
    textLang: getOverviewLanguage(caller),
    today: getViewerDate(caller, deps.now()),
  })
}

interface ActorTextOptions {
  name: string
  nameLang: string
  /** Language of the place of birth and the biography. */
  textLang: string
  /** The date of the viewer, `YYYY-MM-DD`. */
  today: string
}

function toActor(deps: Deps, row: PersonRow, { name, nameLang, textLang, today }: ActorTextOptions): Actor {
  return {
    id: String(row.person_id),
    slug: row.slug,
    name,
    birthday: row.birthday,
    deathday: row.deathday,
    age: getAgeInYears(row.birthday, row.deathday, today),
    place_of_birth: readLocalisedText(row.place_of_birth, textLang),
    biography: readLocalisedText(row.biography, textLang),
    profile_path: buildPortraitPath(deps, row, { name, lang: nameLang }),
  }
}

export async function listFilmography(
  deps: Deps,
  caller: Viewer,
  personId: number,
  { type, ...request }: PageRequest & { type: TitleType },
) {
  const { rows, total } = await selectTitlesOfPerson(deps.database.reader, caller.audience, {
    personId,
    type,
    ...request,
  })
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  const titleIds = rows.map((row) => row.title_id)
  const credits = await selectJobsInTitles(deps.database.reader, personId, titleIds)
  const creditsByTitleId = Map.groupBy(credits, (credit) => credit.title_id)
  const filmographyEntries = cards.map((card) => ({
    ...card,
    jobs: (creditsByTitleId.get(Number(card.id)) ?? []).map((credit) => credit.job),
  }))
  return toPage(request, total, filmographyEntries)
}

export async function loadActorWithTitles(deps: Deps, caller: Viewer, id: number) {
  const person = await loadActor(deps, caller, { id })
  const [movies, series] = await Promise.all([
    loadCompleteFilmography(deps, caller, id, 'movie'),
    loadCompleteFilmography(deps, caller, id, 'tv'),
  ])
  return { ...person, movies, series }
}

/**
 * Returns all titles of a person. They are read page by page, because a statement with the ids of all these titles
 * could be too long.
 */
async function loadCompleteFilmography(deps: Deps, caller: Viewer, personId: number, type: TitleType) {
  const creditedCards: CreditedCard[] = []
  for (let page = 1; ; page += 1) {
    const request = { type, page, limit: LIMITS.maxPageSize }
    const { results, total_pages } = await listFilmography(deps, caller, personId, request)
    creditedCards.push(...results)
    if (page >= total_pages) return creditedCards
  }
}
