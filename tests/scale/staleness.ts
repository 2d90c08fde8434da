/**
 * Measures how soon a change made on one process applies on another. The tests run few trials, and bench/scale/ runs
 * many.
 */

import { HttpTestClient } from '../support/http-test-client.ts'
import type { TestInstallation } from '../support/server-processes.ts'
import { createUserClient, signInAdmin } from './scenarios.ts'

export interface SecurityChange {
  name: string
  /**
   * Applies the change on one process if `isForbidden` is true, otherwise reverts it. Returns the HTTP status once the
   * change is acknowledged.
   */
  apply: (client: HttpTestClient, isForbidden: boolean) => Promise<number>
  /** Returns whether the client has access on the process with which it communicates. */
  hasAccess: (client: HttpTestClient) => Promise<boolean>
}

export interface StalenessResult {
  trialCount: number
  /** Number of outdated responses after the acknowledgements, in all trials. */
  staleCount: number
  /**
   * Longest time in ms from an acknowledgement to the last outdated response that followed it; 0 without outdated
   * responses.
   */
  longestMs: number
}

/**
 * Alternately applies and reverts a change as `changer`. After each acknowledgement, checks repeatedly whether
 * `observer` has access, until the result matches the change. The `backgroundReaders` check their own access all the
 * time. Throws if `trialCount` is odd, if the change is rejected, or if the result does not match the change within 10
 * seconds.
 */
export async function runStalenessTrials(
  change: SecurityChange,
  clientRoles: { changer: HttpTestClient; observer: HttpTestClient; backgroundReaders: HttpTestClient[] },
  trialCount: number,
): Promise<StalenessResult> {
  if (trialCount % 2 === 1)
    throw new Error('the number of trials must be even, so that the last one reverts the change')
  let [staleCount, longestMs] = [0, 0]
  let isFinished = false
  // These readers keep filling every cache, so a missing invalidation causes outdated responses.
  const readLoops = clientRoles.backgroundReaders.map(async (reader) => {
    while (!isFinished) await change.hasAccess(reader)
  })
  try {
    for (let trial = 0; trial < trialCount; trial += 1) {
      const isForbidden = trial % 2 === 0
      const status = await change.apply(clientRoles.changer, isForbidden)
      if (status >= 300) throw new Error(`${change.name} failed with status ${status}`)
      const startedAtMs = performance.now()
      while ((await change.hasAccess(clientRoles.observer)) === isForbidden) {
        staleCount += 1
        longestMs = Math.max(longestMs, performance.now() - startedAtMs)
        if (performance.now() - startedAtMs > 10_000)
          throw new Error(`${change.name} did not apply within 10 seconds`)
      }
    }
  } finally {
    isFinished = true
    await Promise.allSettled(readLoops)
  }
  await Promise.all(readLoops)
  return { trialCount, staleCount, longestMs: Math.round(longestMs) }
}

/**
 * Creates the accounts and devices of the trials. Also returns the changes to test. After such a change is applied, an
 * outdated response would give access that the change forbids.
 */
export async function createSecurityChanges(installation: TestInstallation): Promise<{
  changes: SecurityChange[]
  admin: HttpTestClient
  viewer: HttpTestClient & { userId: string }
  otherDevice: HttpTestClient
}> {
  const [firstProcess] = installation.processes
  const admin = await signInAdmin(installation, firstProcess?.url)
  const viewer = await createUserClient(admin, `viewer${Date.now()}`)
  const { results } = (await admin.get('/api/movies?limit=50')).body
  const unsafeTitle = results.find((title: { safe_for_kids: boolean }) => !title.safe_for_kids)
  const publicTitle = results.find((title: { id: string }) => title.id !== unsafeTitle.id)
  const canLoad = async (client: HttpTestClient, path: string) => (await client.get(path)).status === 200
  const isInMovieList = async (client: HttpTestClient, id: string) =>
    (await client.get('/api/movies?limit=50')).body.results.some((title: { id: string }) => title.id === id)
  let blockId: string | null = null
  const pin = '4711'
  const password = 'Lumiere1895'
  // The main profile cannot become a kids profile, so this change needs a second profile.
  const secondProfileId = (await viewer.post('/api/profile', { name: 'Second' })).body.profile_id
  // The PIN applies on every device except the device that set it, so this change needs a second device.
  const otherDevice = new HttpTestClient(viewer.url)
  await otherDevice.login((await viewer.get('/api/auth/me')).body.email, password)
  otherDevice.profileId = viewer.profileId
  return {
    admin,
    viewer,
    otherDevice,
    changes: [
      {
        name: 'publish',
        apply: async (client, isForbidden) =>
          (await client.patch(`/api/movies/${publicTitle.id}/publish`, { published: !isForbidden })).status,
        hasAccess: (client) => canLoad(client, `/api/movies/${publicTitle.id}`),
      },
      {
        name: 'publish, in lists',
        apply: async (client, isForbidden) =>
          (await client.patch(`/api/movies/${publicTitle.id}/publish`, { published: !isForbidden })).status,
        hasAccess: (client) => isInMovieList(client, publicTitle.id),
      },
      {
        name: 'block list',
        apply: async (client, isForbidden) => {
          if (!isForbidden) return (await client.delete(`/api/blocklist/${blockId}`)).status
          const creationResponse = await client.post('/api/blocklist', {
            type: 'movie',
            media_id: publicTitle.id,
          })
          blockId = creationResponse.body.id
          return creationResponse.status
        },
        hasAccess: (client) => canLoad(client, `/api/movies/slug/${publicTitle.slug}`),
      },
      {
        name: 'role',
        apply: async (client, isForbidden) =>
          (
            await client.put('/api/auth/user', {
              user_id: viewer.userId,
              role: isForbidden ? 'user' : 'admin',
            })
          ).status,
        hasAccess: (client) => canLoad(client, '/api/settings'),
      },
      {
        name: 'kids',
        apply: async (client, isForbidden) =>
          (
            await viewer
              .withServer(client.url)
              .put(`/api/profile/${secondProfileId}`, { kids: isForbidden, password })
          ).status,
        hasAccess: (client) =>
          canLoad(
            Object.assign(viewer.withServer(client.url), { profileId: secondProfileId }),
            `/api/movies/${unsafeTitle.id}`,
          ),
      },
      {
        name: 'PIN',
        apply: async (client, isForbidden) => {
          const viewerOnServer = viewer.withServer(client.url)
          const path = `/api/profile/${viewer.profileId}`
          return isForbidden
            ? (await viewerOnServer.post(`${path}/lock`, { pin, password })).status
            : (await viewerOnServer.put(`${path}/remove-lock`, { password })).status
        },
        hasAccess: (client) =>
          canLoad(otherDevice.withServer(client.url), `/api/profile/${viewer.profileId}/watchlist`),
      },
    ],
  }
}
