/** Selects the people among search hits that the audience may see, and loads their main jobs. */
import type { SearchHit } from '../../../src/lib/contract/search.ts'
import { rankJobGroups } from '../../../src/lib/rules/job-groups.ts'
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
   * People whose credits in memory are current. `otherIds` are the people whose credits must be read from the
   * database.
   */
  knownIds: number[]
  otherIds: number[]
}

/** Returns null while the credits are not loaded into memory. */
async function findPeopleInMemory(
  deps: Deps,
  audience: Audience,
  ids: readonly number[],
): Promise<PeopleInMemory | null> {
  const loaded = await deps.browseIndex.loadCredits()
  if (!loaded) return null
  const isTitleVisible = await deps.browseIndex.loadFilter(undefined, { audience, filters: {} })
  const { true: otherIds = [], false: knownIds = [] } = Object.groupBy(ids, (id) =>
    loaded.changedPeople.has(id) ? 'true' : 'false',
  )
  return { credits: loaded.credits, isTitleVisible, knownIds, otherIds }
}

type PersonFilter = (personId: number) => boolean | undefined
const personFilters = new WeakMap<
  PeopleInMemory['isTitleVisible'],
  { credits: PersonCredits; changedCount: number; isPersonVisible: PersonFilter }
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
  const loaded = await deps.browseIndex.loadCredits()
  if (!loaded) return undefined
  const { credits, changedPeople } = loaded
  const changedCount = changedPeople.size
  const cached = personFilters.get(isTitleVisible)
  // The set of changed people only grows, so an equal size means an equal set.
  if (cached?.credits === credits && cached.changedCount === changedCount) return cached.isPersonVisible
  const isPersonVisible = (personId: number) =>
    changedPeople.has(personId) ? undefined : credits.hasTitle(personId, isTitleVisible)
  personFilters.set(isTitleVisible, { credits, changedCount, isPersonVisible })
  return isPersonVisible
}

/** Returns the people among `ids` that the audience may see, in no particular order. */
export async function listVisiblePeople(
  deps: Deps,
  audience: Audience,
  ids: readonly number[],
): Promise<number[]> {
  const inMemory = await findPeopleInMemory(deps, audience, ids)
  if (!inMemory) return selectVisiblePersonIds(deps.database.reader, audience, ids)
  const { credits, isTitleVisible, knownIds, otherIds } = inMemory
  const visibleOthers = await selectVisiblePersonIds(deps.database.reader, audience, otherIds)
  return [...knownIds.filter((id) => credits.hasTitle(id, isTitleVisible)), ...visibleOthers]
}

/** Returns the jobs of people in titles that the audience may see. Each job has its number of titles. */
export async function loadJobs(deps: Deps, audience: Audience, ids: number[]) {
  const inMemory = await findPeopleInMemory(deps, audience, ids)
  if (!inMemory) return selectJobsOfPeople(deps.database.reader, audience, ids)
  const { credits, isTitleVisible, knownIds, otherIds } = inMemory
  return [
    ...knownIds.flatMap((id) =>
      credits.countTitlesByJob(id, isTitleVisible).map((job) => ({ ...job, person_id: id })),
    ),
    ...(await selectJobsOfPeople(deps.database.reader, audience, otherIds)),
  ]
}

/** Returns the people among `ids` that the audience may see, by id, with their main jobs. */
export async function loadPeople(
  deps: Deps,
  audience: Audience,
  { ids, lang }: { ids: number[]; lang: string },
): Promise<Map<number, Extract<SearchHit, { kind: 'actor' }>['actor']>> {
  const { reader } = deps.database
  const rows = await selectPeopleByIds(reader, audience, ids)
  if (rows.length === 0) return new Map()
  const visibleIds = rows.map((row) => row.person_id)
  const names = await selectPersonNames(reader, visibleIds, lang)
  const jobs = Map.groupBy(await loadJobs(deps, audience, visibleIds), (row) => row.person_id)
  return new Map(
    rows.map((row) => [
      row.person_id,
      {
        id: String(row.person_id),
        slug: row.slug,
        name: names.get(row.person_id) ?? row.name,
        profile_path: buildPortraitPath(deps, row, lang),
        jobs: rankJobGroups(jobs.get(row.person_id) ?? []).slice(0, MAX_JOBS),
      },
    ]),
  )
}
