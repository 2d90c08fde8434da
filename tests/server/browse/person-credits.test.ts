/**
 * The credits that the server holds in memory give the same results as database queries, also after the credits have
 * changed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PersonCreditsBuilder } from '../../../server/browse/person-credits.ts'
import { selectJobsOfPeople, selectVisiblePersonIds } from '../../../server/queries/person.ts'
import { mergePeople } from '../../../server/queries/person-merge.ts'
import { Audience, KIDS_RULE } from '../../../server/queries/title-scope.ts'
import { PersonCreditsLoader } from '../../../server/services/catalogue/person-credits-loader.ts'
import {
  listVisiblePeople,
  loadPersonFilter,
  loadPersonJobs,
} from '../../../server/services/search/people.ts'
import { openDemoDatabase } from '../../support/demo-database.ts'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'

describe('PersonCredits', () => {
  const builder = new PersonCreditsBuilder((job) => job !== 'Caterer')
  builder.add({ person_id: 3, title_id: 10, job: 'Actor' })
  builder.add({ person_id: 3, title_id: 10, job: 'Actor' })
  builder.add({ person_id: 3, title_id: 10, job: 'Writer' })
  builder.add({ person_id: 3, title_id: 12, job: 'Actor' })
  builder.add({ person_id: 2_000, title_id: 11, job: 'Caterer' })
  const credits = builder.finish()

  it('hasTitle returns true for a person who is credited in a visible title, and false for other people', () => {
    expect(credits.hasTitle(3, (id) => id === 12)).toBe(true)
    expect(credits.hasTitle(3, (id) => id === 11)).toBe(false)
    expect(credits.hasTitle(2_000, (id) => id === 11)).toBe(true)
    for (const id of [0, 2, 4, 1_999, 2_001, 9_000]) expect(credits.hasTitle(id, () => true)).toBe(false)
  })

  it('counts each visible title of a person once for each job, and ignores excluded jobs', () => {
    expect(credits.countTitlesByJob(3, () => true)).toEqual([
      { job: 'Actor', titles: 2 },
      { job: 'Writer', titles: 1 },
    ])
    expect(credits.countTitlesByJob(3, (id) => id === 12)).toEqual([{ job: 'Actor', titles: 1 }])
    expect(credits.countTitlesByJob(2_000, () => true)).toEqual([])
    expect(credits.countTitlesByJob(9_000, () => true)).toEqual([])
  })
})

const AUDIENCES = [
  Audience.unrestricted,
  Audience.ofRules([KIDS_RULE]),
  Audience.ofRules([{ ...KIDS_RULE, allowedIds: [3, 4], deniedIds: [5, 6, 7] }]),
  Audience.ofRules([{ ...KIDS_RULE, kids: false, maxAge: 13 }]),
]

describe.each(DATABASES)('the search for people on %s', () => {
  let server: TestServer
  let personIds: number[] = []

  beforeAll(async () => {
    server = await startTestServer({ database: await openDemoDatabase() })
    await server.deps.browseIndex.warm()
    const people = await server.database.primary.selectFrom('person').select('person_id').execute()
    personIds = people.map((person) => person.person_id)
  }, 120_000)
  afterAll(() => server.close())

  const countVisiblePeople = async (audience: Audience) =>
    (await selectVisiblePersonIds(server.database.primary, audience, personIds)).length
  const formatJobs = (jobs: Awaited<ReturnType<typeof loadPersonJobs>>) =>
    jobs.map(({ person_id, job, titles }) => `${person_id} ${job} ${titles}`).sort()
  async function expectFilterToMatchDatabase(audience: Audience, visibleIds: readonly number[]) {
    const isTitleVisible = await server.deps.browseIndex.loadFilter(undefined, { audience, filters: {} })
    const loadFilter = () => loadPersonFilter(server.deps, isTitleVisible)
    const isPersonVisible = await loadFilter()
    expect(await loadFilter()).toBe(isPersonVisible)
    const changedPersonIds = (await server.deps.browseIndex.loadCredits())?.changedPersonIds
    const visibleIdSet = new Set(visibleIds)
    const expectedVisibility = personIds.map((id) =>
      changedPersonIds?.has(id) ? undefined : visibleIdSet.has(id),
    )
    expect(personIds.map((id) => isPersonVisible?.(id))).toEqual(expectedVisibility)
  }
  async function expectResultsToMatchDatabase() {
    expect(await server.deps.browseIndex.loadCredits()).not.toBeNull()
    for (const audience of AUDIENCES) {
      const visibleIds = await selectVisiblePersonIds(server.database.primary, audience, personIds)
      const foundPeople = await listVisiblePeople(server.deps, audience, personIds)
      expect(foundPeople.toSorted((a, b) => a - b)).toEqual(visibleIds.toSorted((a, b) => a - b))
      await expectFilterToMatchDatabase(audience, visibleIds)
      const jobs = await selectJobsOfPeople(server.database.primary, audience, personIds)
      expect(formatJobs(await loadPersonJobs(server.deps, audience, personIds))).toEqual(formatJobs(jobs))
    }
  }

  it('finds in memory the same people as an SQL query, for every audience', async () => {
    await expectResultsToMatchDatabase()
    const [allCount = 0, kidsCount = 0] = await Promise.all(AUDIENCES.slice(0, 2).map(countVisiblePeople))
    expect(allCount).toBeGreaterThan(500)
    expect(kidsCount).toBeGreaterThan(0)
    expect(kidsCount).toBeLessThan(allCount)
  })

  it('finds in memory the same people as an SQL query after changes of titles, people and credits, and after a merge of people', async () => {
    const { primary } = server.database
    await primary.updateTable('title').set({ published: 0 }).where('title_id', '<', 12).execute()
    await expectResultsToMatchDatabase()
    await primary
      .updateTable('person')
      .set({ blocked: 1 })
      .where('person_id', '=', personIds[3] ?? 0)
      .execute()
    await expectResultsToMatchDatabase()
    await primary.deleteFrom('credit').where('title_id', '=', 20).execute()
    await expectResultsToMatchDatabase()
    const [remainingId = 0, mergedId = 0] = personIds.slice(20, 22)
    await primary.transaction().execute((trx) => mergePeople(trx, remainingId, mergedId))
    await expectResultsToMatchDatabase()
    const countBefore = await countVisiblePeople(Audience.unrestricted)
    const newPerson = {
      person_id: personIds.length + 9_000,
      slug: 'new-person',
      name: 'New Person',
      blocked: 0,
      popularity: 0,
    }
    await primary.transaction().execute(async (trx) => {
      await trx.insertInto('person').values(newPerson).execute()
      await trx
        .insertInto('credit')
        .values({
          title_id: 30,
          person_id: newPerson.person_id,
          kind: 'crew',
          job: 'Director',
          position: 90,
          character: null,
        })
        .execute()
    })
    personIds.push(newPerson.person_id)
    await expectResultsToMatchDatabase()
    expect(await countVisiblePeople(Audience.unrestricted)).toBe(countBefore + 1)
  })

  it('loads all blocked people, also when they are spread over several pages of the table', async () => {
    const { primary } = server.database
    const newIds = [20_000, 20_001, 45_000]
    const personRows = newIds.map((id) => ({
      person_id: id,
      slug: `person-${id}`,
      name: 'Ann',
      blocked: 1,
      popularity: 0,
    }))
    await primary.insertInto('person').values(personRows).execute()
    const loader = new PersonCreditsLoader(server.database)
    await loader.load()
    const loadedCredits = await loader.getCurrentCredits()
    const blockedRows = await primary
      .selectFrom('person')
      .select('person_id')
      .where('blocked', '=', 1)
      .execute()
    expect(blockedRows.length).toBeGreaterThan(newIds.length)
    expect([...(loadedCredits?.changedPersonIds ?? [])].sort()).toEqual(
      blockedRows.map((row) => row.person_id).sort(),
    )
  })

  it('detects a changed person even if an earlier change in the change log has a time in the future, as after the clock was set back', async () => {
    const { primary } = server.database
    const [futureId = 0, changedId = 0] = personIds
    const loader = new PersonCreditsLoader(server.database)
    await primary
      .updateTable('catalogue_change')
      .set({ changed_at: Date.now() + 86_400_000 })
      .where('doc_id', '=', futureId * 2 + 1)
      .execute()
    await loader.load()
    expect((await loader.getCurrentCredits())?.changedPersonIds.has(changedId)).toBe(false)
    await primary.updateTable('person').set({ popularity: 1 }).where('person_id', '=', changedId).execute()
    expect((await loader.getCurrentCredits())?.changedPersonIds.has(changedId)).toBe(true)
  })

  it('queries the database if more people have changed than the index can record', async () => {
    await server.database.primary.updateTable('person').set({ birthday: '1970-01-01' }).execute()
    expect(await server.deps.browseIndex.loadCredits()).toBeNull()
    const [, kidsAudience = Audience.unrestricted] = AUDIENCES
    const visibleIds = await selectVisiblePersonIds(server.database.primary, kidsAudience, personIds)
    const foundPeople = await listVisiblePeople(server.deps, kidsAudience, personIds)
    expect(foundPeople.toSorted((a, b) => a - b)).toEqual(visibleIds.toSorted((a, b) => a - b))
  })
})
