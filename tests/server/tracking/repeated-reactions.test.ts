/** A like or rating that is sent again after a lost reply does not replace newer changes of other devices. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { addTestTitles, createHousehold, type TestTitle } from '../security/household.ts'

const REACTIONS = [
  {
    name: 'feedback',
    change: { feedback: 'like' },
    removal: { feedback: null },
    stored: { feedback: 'liked' },
  },
  { name: 'ratings', change: { rating: 8 }, removal: { rating: null }, stored: { rating: 8 } },
]

describe.each(DATABASES)('a retried like or rating on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let device: TestClient
  let title: TestTitle
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
    title = (await addTestTitles(server)).safe
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    device = (await createHousehold(server, { pin: null })).adult
  })
  const getPath = (name: string) => `/api/profile/${device.profileId}/${name}/movie/${title.id}`
  /** Creates the time fields of a request that is repeated some seconds after its first attempt failed. */
  const createRetryTimes = (secondsSinceFirstAttempt: number) => ({
    first_failed_at: '2027-01-01T10:00:00.000Z',
    sent_at: new Date(Date.parse('2027-01-01T10:00:00Z') + secondsSinceFirstAttempt * 1_000).toISOString(),
  })

  it.each(REACTIONS)(
    'a retried like or rating is not stored when a removal was stored after the first attempt to send the like or rating ($name)',
    async (reaction) => {
      const path = getPath(reaction.name)
      await device.put(path, reaction.change)
      server.advanceClock(10_000)
      await device.put(path, reaction.removal)
      server.advanceClock(10_000)
      expect((await device.put(path, { ...reaction.change, ...createRetryTimes(20) })).body).toEqual(
        reaction.removal,
      )
      expect((await device.get(path)).body).toEqual(reaction.removal)
    },
  )

  it.each(REACTIONS)(
    'a retried like or rating is stored when the removal is older than the first attempt to send the like or rating ($name)',
    async (reaction) => {
      const path = getPath(reaction.name)
      await device.put(path, reaction.removal)
      server.advanceClock(20_000)
      expect((await device.put(path, { ...reaction.change, ...createRetryTimes(5) })).body).toEqual(
        reaction.stored,
      )
      // A repeated removal counts from the time of its first attempt. A first attempt 18 seconds ago is older than the
      // stored change, and a first attempt 5 seconds ago is newer.
      server.advanceClock(10_000)
      expect((await device.put(path, { ...reaction.removal, ...createRetryTimes(18) })).body).toEqual(
        reaction.stored,
      )
      expect((await device.put(path, { ...reaction.removal, ...createRetryTimes(5) })).body).toEqual(
        reaction.removal,
      )
    },
  )

  it.each(REACTIONS)(
    'a retried like or rating without sent_at does not replace a change that was made after its first_failed_at ($name)',
    async (reaction) => {
      const path = getPath(reaction.name)
      const firstFailedAt = new Date(server.deps.now()).toISOString()
      server.advanceClock(10_000)
      await device.put(path, reaction.removal)
      server.advanceClock(10_000)
      const body = { ...reaction.change, first_failed_at: firstFailedAt }
      expect((await device.put(path, body)).body).toEqual(reaction.removal)
    },
  )

  it.each(REACTIONS)(
    'of two retried changes of one title, the change with the newer first attempt is stored, in whichever order the changes arrive ($name)',
    async (reaction) => {
      const path = getPath(reaction.name)
      const laterChange = reaction.name === 'ratings' ? { rating: 3 } : { feedback: 'dislike' }
      const laterStoredFields = reaction.name === 'ratings' ? { rating: 3 } : { feedback: 'disliked' }
      server.advanceClock(60_000)
      const earlierBody = { ...reaction.change, ...createRetryTimes(30) }
      const laterBody = { ...laterChange, ...createRetryTimes(20) }
      await device.put(path, earlierBody)
      expect((await device.put(path, laterBody)).body).toEqual(laterStoredFields)
      expect((await device.put(path, earlierBody)).body).toEqual(laterStoredFields)
    },
  )

  it.each(REACTIONS)(
    'a like or rating that is sent for the first time replaces an earlier removal ($name)',
    async (reaction) => {
      await device.put(getPath(reaction.name), reaction.removal)
      expect((await device.put(getPath(reaction.name), reaction.change)).body).toEqual(reaction.stored)
    },
  )
})
