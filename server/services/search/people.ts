/** Selects, among the people that a search has found, those whom the audience may see. Loads their main jobs. */
import type { SearchHit } from '../../../src/lib/contract/search.ts'
import { rankCrewJobGroups } from '../../../src/lib/rules/job-groups.ts'
import type { PersonCredits } from '../../browse/person-credits.ts'
import {
  selectJobsOfPeople,
  selectPeopleByIds,
  selectPersonNames,
  selectVisiblePersonIds,
} from '../../queries/person.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { buildPortraitPath } from '../catalogue/artwork.ts'
import type { Deps } from '../deps.ts'

/** Maximum number of jobs that are shown for a person. */
const MAX_JOBS = 2

interface PeopleInMemory {
  credits: PersonCredits
  isTitleVisible: (titleId: number) => boolean
  /**
   * `idsInMemory` are the people whose credits in memory are up to date. `idsToQuery` are the people whose credits have
   * changed since they were loaded, so these credits must be read from the database.
   */
  idsInMemory: number[]
  idsToQuery: number[]
}

/**
 * Divides the people by whether their credits in memory are up to date. Returns null while the credits are not loaded
 * into memory.
 */
async function findPeopleInMemory(
  deps: Deps,
  audience: Audience,
  personIds: readonly number[],
): Promise<PeopleInMemory | null> {
  const loadedCredits = await deps.browseIndex.loadCredits()
  if (!loadedCredits) return null
  const isTitleVisible = await deps.browseIndex.loadFilter(undefined, { audience, filters: {} })
  const { true: idsToQuery = [], false: idsInMemory = [] } = Object.groupBy(personIds, (id) =>
    loadedCredits.changedPersonIds.has(id) ? 'true' : 'false',
  )
  return { credits: loadedCredits.credits, isTitleVisible, idsInMemory, idsToQuery }
}

type PersonFilter = (personId: number) => boolean | undefined
const personFiltersByTitleFilter = new WeakMap<
  PeopleInMemory['isTitleVisible'],
  { credits: PersonCredits; changedPersonCount: number; isPersonVisible: PersonFilter }
>()

/**
 * Returns a predicate that is true for people with a title for which `isTitleVisible` is true. The predicate
 * returns undefined for people who must be read from the database. The same predicate is returned until its
 * results may change.
 * Returns undefined instead of a predicate while the credits are not loaded into memory.
 */
export async function loadPersonFilter(
  deps: Deps,
  isTitleVisible: PeopleInMemory['isTitleVisible'],
): Promise<PersonFilter | undefined> {
  const loadedCredits = await deps.browseIndex.loadCredits()
  if (!loadedCredits) return undefined
  const { credits, changedPersonIds } = loadedCredits
  const changedPersonCount = changedPersonIds.size
  const cacheEntry = personFiltersByTitleFilter.get(isTitleVisible)
  // The set of changed people only grows, so an equal size means an equal set.
  if (cacheEntry?.credits === credits && cacheEntry.changedPersonCount === changedPersonCount)
    return cacheEntry.isPersonVisible
  const isPersonVisible = (personId: number) =>
    changedPersonIds.has(personId) ? undefined : credits.hasTitle(personId, isTitleVisible)
  personFiltersByTitleFilter.set(isTitleVisible, { credits, changedPersonCount, isPersonVisible })
  return isPersonVisible
}

/** Returns the people among `personIds` that the audience may see, in no particular order. */
export async function listVisiblePeople(
  deps: Deps,
  audience: Audience,
  personIds: readonly number[],
): Promise<number[]> {
  const peopleInMemory = await findPeopleInMemory(deps, audience, personIds)
  if (!peopleInMemory) return selectVisiblePersonIds(deps.database.reader, audience, personIds)
  const { credits, isTitleVisible, idsInMemory, idsToQuery } = peopleInMemory
  const visibleQueriedIds = await selectVisiblePersonIds(deps.database.reader, audience, idsToQuery)
  return [...idsInMemory.filter((id) => credits.hasTitle(id, isTitleVisible)), ...visibleQueriedIds]
}

/** Returns the jobs of people in titles that the audience may see. Each job has its number of titles. */
export async function loadPersonJobs(deps: Deps, audience: Audience, personIds: number[]) {
  const peopleInMemory = await findPeopleInMemory(deps, audience, personIds)
  if (!peopleInMemory) return selectJobsOfPeople(deps.database.reader, audience, personIds)
  const { credits, isTitleVisible, idsInMemory, idsToQuery } = peopleInMemory
  return [
    ...idsInMemory.flatMap((id) =>
      credits.countTitlesByJob(id, isTitleVisible).map((job) => ({ ...job, person_id: id })),
    ),
    ...(await selectJobsOfPeople(deps.database.reader, audience, idsToQuery)),
  ]
}

/** Returns the people among `personIds` that the audience may see, by id, with their main jobs. */
export async function loadPeople(
  deps: Deps,
  audience: Audience,
  { ids: personIds, lang }: { ids: number[]; lang: string },
): Promise<Map<number, Extract<SearchHit, { kind: 'actor' }>['actor']>> {
  const { reader } = deps.database
  const rows = await selectPeopleByIds(reader, audience, personIds)
  if (rows.length === 0) return new Map()
  const visibleIds = rows.map((row) => row.person_id)
  const namesByPersonId = await selectPersonNames(reader, visibleIds, lang)
  const jobsByPersonId = Map.groupBy(await loadPersonJobs(deps, audience, visibleIds), (row) => row.person_id)
  return new Map(
    rows.map((row) => {
      const name = namesByPersonId.get(row.person_id) ?? row.name
      return [
        row.person_id,
        {
          id: String(row.person_id),
          slug: row.slug,
          name,
          profile_path: buildPortraitPath(deps, row, { name, lang }),
          jobs: rankCrewJobGroups(jobsByPersonId.get(row.person_id) ?? []).slice(0, MAX_JOBS),
        },
      ]
    }),
  )
}
