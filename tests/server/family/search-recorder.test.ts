/**
 * Searches of kids profiles on SQLite and PostgreSQL: when the server stores a search, who sees the search, and its
 * export.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { addTestTitles, createHousehold, type Household } from '../security/household.ts'

describe.each(DATABASES)('the search recorder on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  let kid: TestClient
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
    await addTestTitles(server)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    household = await createHousehold(server)
    kid = Object.assign(await household.signIn(), { profileId: household.kidId })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  const sendSearch = async (query: string, device = kid) => {
    const { status } = await device.get(`/api/search?q=${encodeURIComponent(query)}`)
    expect(status).toBe(200)
  }
  const typeSearch = async (query: string) => {
    for (let prefixLength = 1; prefixLength <= query.length; prefixLength += 1)
      await sendSearch(query.slice(0, prefixLength))
  }
  const selectStoredQueries = async (profileId = household.kidId) => {
    const rows = await server.database.primary
      .selectFrom('recorded_search')
      .select('query')
      .where('profile_id', '=', profileId)
      .orderBy('query')
      .execute()
    return rows.map(({ query }) => query)
  }
  const listShownQueries = async () => {
    const { body } = await household.adult.get(`/api/profile/${household.kidId}/family-activity`)
    return body.searches.map(({ query }: { query: string }) => query)
  }

  it('shows parents the latest text of each search immediately', async () => {
    await typeSearch('lantern')
    await typeSearch('wolf')
    expect((await listShownQueries()).toSorted()).toEqual(['lantern', 'wolf'])
    await sendSearch('wolfwalkers')
    expect((await listShownQueries()).toSorted()).toEqual(['lantern', 'wolfwalkers'])
  })

  it('stores a search two seconds after the last letter was typed, and not earlier', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await typeSearch('lantern')
    vi.advanceTimersByTime(1_999)
    expect(await selectStoredQueries()).toEqual([])
    vi.advanceTimersByTime(1)
    vi.useRealTimers()
    await expect.poll(() => selectStoredQueries()).toEqual(['lantern'])
  })

  it.each([true, false])(
    'keeps a search when the child deletes the letters afterwards (stored before the deletion: %s)',
    async (isStoredBeforeDeletion) => {
      await typeSearch('lantern')
      if (isStoredBeforeDeletion) await server.deps.searchRecorder.write()
      for (const shorterQuery of ['lante', 'l']) {
        await sendSearch(shorterQuery)
        if (isStoredBeforeDeletion) await server.deps.searchRecorder.write()
      }
      expect(await listShownQueries()).toEqual(['lantern'])
    },
  )

  it('the account export contains a search that was sent immediately before the export', async () => {
    await sendSearch('lantern')
    const { body } = await household.adult.get('/api/auth/user-account/export')
    expect(JSON.stringify(body)).toContain('"query":"lantern"')
  })

  it('records no search of an adult', async () => {
    await sendSearch('lantern', household.adult)
    await server.deps.searchRecorder.write()
    expect(await selectStoredQueries(household.mainId)).toEqual([])
  })

  it('stores all pending searches except those of a profile that was erased before its searches were stored', async () => {
    const otherHousehold = await createHousehold(server)
    const otherKid = Object.assign(await otherHousehold.signIn(), { profileId: otherHousehold.kidId })
    await sendSearch('lantern')
    await sendSearch('wolf', otherKid)
    await server.database.primary.deleteFrom('profile').where('profile_id', '=', household.kidId).execute()
    await server.deps.searchRecorder.write()
    expect(await selectStoredQueries()).toEqual([])
    expect(await selectStoredQueries(otherHousehold.kidId)).toEqual(['wolf'])
    expect(server.logLines.filter((line) => line.includes('not recorded'))).toEqual([])
  })
})
