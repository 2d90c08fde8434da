/**
 * Loads the search documents of titles and people. Unpublished and blocked titles, blocked people, and people without a
 * visible title have no document.
 */
import { LOCALES } from '../../../src/lib/i18n/locales.ts'
import { type CrewJobGroup, getCrewJobGroup } from '../../../src/lib/rules/job-groups.ts'
import type { Db } from '../../db/database.ts'
import {
  getPersonDocId,
  getTitleDocId,
  selectCredits,
  selectPeopleForIndex,
  selectPersonNamesForIndex,
  selectTitlesForIndex,
  selectTopicsForIndex,
  selectUnblockedPersonIds,
} from '../../queries/search-index.ts'
import type { FacetValue, SearchDoc } from '../../search/types.ts'
import type { PersonTotal, PersonTotals } from './person-totals.ts'

type NameRole = SearchDoc['names'][number]['role']
type CreditRows = Awaited<ReturnType<typeof selectCredits>>
type TopicRows = Awaited<ReturnType<typeof selectTopicsForIndex>>

/** Groups of jobs whose people are indexed with a title, most important first. */
const LEADING_JOB_GROUPS: readonly (CrewJobGroup | undefined)[] = ['directing', 'creating', 'writing']
const MAX_CHARACTER_NAMES = 8

/**
 * Returns the documents of the visible titles among `titleIds`. If `personTotals` is given, adds these titles to the
 * totals of their people.
 */
export async function loadTitleDocs(
  db: Db,
  titleIds: number[],
  personTotals?: PersonTotals,
): Promise<SearchDoc[]> {
  const { titles, names } = await selectTitlesForIndex(db, titleIds)
  const creditsByTitleId = Map.groupBy(await selectCredits(db, titleIds), (credit) => credit.title_id)
  const namesByTitleId = Map.groupBy(names, (name) => name.title_id)
  const topics = await selectTopicsForIndex(db, titleIds, LOCALES)
  const topicsByTitleId = {
    genres: Map.groupBy(topics.genres, (row) => row.title_id),
    networks: Map.groupBy(topics.networks, (row) => row.title_id),
    countries: Map.groupBy(topics.countries, (row) => row.title_id),
    keywords: Map.groupBy(topics.keywords, (row) => row.title_id),
    overviews: Map.groupBy(topics.overviews, (row) => row.title_id),
  }
  return titles
    .filter((title) => title.published === 1 && title.blocked === 0)
    .map((title) => {
      const titleId = title.title_id
      const credits = (creditsByTitleId.get(titleId) ?? []).filter((credit) => credit.blocked === 0)
      if (personTotals) for (const credit of credits) personTotals.add(credit.person_id, title)
      const topicsOfTitle: TopicRows = {
        genres: topicsByTitleId.genres.get(titleId) ?? [],
        networks: topicsByTitleId.networks.get(titleId) ?? [],
        countries: topicsByTitleId.countries.get(titleId) ?? [],
        keywords: topicsByTitleId.keywords.get(titleId) ?? [],
        overviews: topicsByTitleId.overviews.get(titleId) ?? [],
      }
      return {
        doc_id: getTitleDocId(titleId),
        kind: title.type as 'movie' | 'tv',
        media_id: String(titleId),
        kids: title.safe_for_kids === 1,
        visible: true,
        popularity: title.rating_votes,
        names: (namesByTitleId.get(titleId) ?? []).map(({ lang, text, role }) => ({
          lang,
          text,
          role: role as NameRole,
        })),
        ...(title.year !== null && { year: title.year }),
        people: credits.filter(({ kind }) => kind === 'cast').map(({ name }) => name),
        crew: listLeadingCrewNames(credits),
        keywords: topicsOfTitle.keywords.map((row) => row.keyword),
        topics: listTopics(credits, topicsOfTitle),
        facets: listFacets(title.language, topicsOfTitle),
      }
    })
}

function listLeadingCrewNames(credits: CreditRows): string[] {
  const crewNames = LEADING_JOB_GROUPS.flatMap((group) =>
    credits.filter((credit) => credit.kind === 'crew' && getCrewJobGroup(credit.job) === group),
  ).map((credit) => credit.name)
  return [...new Set(crewNames)]
}

/**
 * Returns the names of the characters in the cast, then the overviews. The index stores a limited number of words of a
 * title, so long overviews must not displace the names.
 */
function listTopics(credits: CreditRows, { overviews }: TopicRows): string[] {
  const characters = credits.flatMap((credit) => credit.character ?? []).slice(0, MAX_CHARACTER_NAMES)
  return [...characters, ...overviews.flatMap((row) => row.overview ?? [])]
}

function listFacets(language: string | null, { genres, networks, countries }: TopicRows): FacetValue[] {
  return [
    ...genres.map((row): FacetValue => ({ kind: 'genre', value: String(row.genre_id) })),
    ...networks.map((row): FacetValue => ({ kind: 'network', value: row.network })),
    ...countries.map((row): FacetValue => ({ kind: 'country', value: row.country })),
    ...(language ? [{ kind: 'language' as const, value: language }] : []),
  ]
}

export async function loadPersonDocs(db: Db, personIds: number[]): Promise<SearchDoc[]> {
  const { people, names } = await selectPeopleForIndex(db, personIds)
  const namesByPersonId = Map.groupBy(names, (name) => name.person_id)
  return people.map(({ person_id, votes, safe }) =>
    createPersonDoc(
      person_id,
      { votes: Number(votes), isSafeForKids: Number(safe) === 1 },
      namesByPersonId.get(person_id) ?? [],
    ),
  )
}

/**
 * Returns the same documents as `loadPersonDocs`, but faster. All titles must have been added to
 * `personTotals` before.
 */
export async function loadPersonDocsWithTotals(
  db: Db,
  personIds: number[],
  personTotals: PersonTotals,
): Promise<SearchDoc[]> {
  const unblockedIds = await selectUnblockedPersonIds(db, personIds)
  const namesByPersonId = Map.groupBy(
    await selectPersonNamesForIndex(db, personIds),
    (name) => name.person_id,
  )
  return unblockedIds.flatMap((personId) => {
    const personTotal = personTotals.getTotal(personId)
    return personTotal ? createPersonDoc(personId, personTotal, namesByPersonId.get(personId) ?? []) : []
  })
}

function createPersonDoc(
  personId: number,
  { votes, isSafeForKids }: PersonTotal,
  names: { lang: string; text: string }[],
): SearchDoc {
  return {
    doc_id: getPersonDocId(personId),
    kind: 'actor',
    media_id: String(personId),
    kids: isSafeForKids,
    visible: true,
    popularity: votes,
    names: names.map(({ lang, text }) => ({ lang, text, role: 'main' })),
  }
}
