/** Changes from other devices, received over the event stream. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { insertWatchRequest } from '../../server/queries/watch-request.ts'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const { startAccountEvents } = await import('../../src/lib/stores/account-events.ts')
const { $watchlistEntries, loadWatchlistEntry } = await import('../../src/lib/stores/watchlist.ts')
const { $displayedFeedback, loadFeedback } = await import('../../src/lib/stores/feedback.ts')
const { $continueWatching, $currentTitle, $seasonEpisodes, $selectedSeasonId, $seriesDetails } = await import(
  '../../src/lib/stores/titles.ts'
)
const { openDashboardSection } = await import('../../src/lib/stores/admin/dashboard-view.ts')
const { $jobs } = await import('../../src/lib/stores/admin/jobs.ts')
const { getLimitsStore } = await import('../../src/lib/stores/family.ts')
const { getViewingLimitsStore } = await import('../../src/lib/stores/viewing-limits.ts')
const { $profiles } = await import('../../src/lib/stores/profile.ts')
const { $watchRequests } = await import('../../src/lib/stores/watch-requests.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')

const kites = getCard('Paper Kites')
const titleKey = `movie/${kites.id}`
const getProfilePath = (profile: string) => `/api/profile/${profile}`
const otherTab = new BroadcastChannel('marquee-live')
for (const $store of [$watchlistEntries, $displayedFeedback, $continueWatching]) $store.listen(() => {})
$watchRequests.listen(() => {})
await network.waitUntilIdle()
/* Stores a watch request after the page was opened, but before the tab listens to events. */
await insertWatchRequest(household.server.database.primary, {
  request_id: 'early-request',
  profile_id: profiles.kid,
  title_id: Number(kites.id),
  reason: '',
  created_at: Date.now(),
  answer: null,
  answered_at: null,
  expires_at: null,
  used_at: null,
})
startAccountEvents()
afterAll(async () => {
  otherTab.close()
  await signOut()
})

beforeEach(async () => {
  await waitFor(() => expect(navigator.locks).toBeDefined())
  otherDevice.profileId = profiles.adult
  await otherDevice.put(`${getProfilePath(profiles.adult)}/watchlist/${titleKey}`, { in_watchlist: false })
  await otherDevice.put(`${getProfilePath(profiles.adult)}/feedback/${titleKey}`, { feedback: null })
  await otherDevice.delete(`${getProfilePath(profiles.adult)}/history`)
  await actAs('adult')
})

describe('a change on another device', () => {
  it('the list of watch requests contains a request that a child sent before this tab began to receive events', async () => {
    await waitFor(() =>
      expect($watchRequests.get().data?.results).toMatchObject([{ request_id: 'early-request' }]),
    )
  })

  it('a watchlist change on another device updates the watchlist entry in this tab', async () => {
    await loadWatchlistEntry(kites)
    await otherDevice.put(`${getProfilePath(profiles.adult)}/watchlist/${titleKey}`, {})
    await waitFor(() => expect($watchlistEntries.get()[titleKey]).toMatchObject({ in_watchlist: true }))
  })

  it('a like on another device is displayed in this tab', async () => {
    await loadFeedback(kites)
    await otherDevice.put(`${getProfilePath(profiles.adult)}/feedback/${titleKey}`, { feedback: 'like' })
    await waitFor(() => expect($displayedFeedback.get()[titleKey]).toBe('liked'))
  })

  it('progress on another device adds the title to Continue Watching', async () => {
    const progressBody = {
      type: 'movie',
      media_id: kites.id,
      progress: 1_200,
      data: { video_duration: 6_000 },
    }
    await otherDevice.post(`${getProfilePath(profiles.adult)}/history`, progressBody)
    await waitFor(() => expect($continueWatching.get().data?.results).toHaveLength(1))
  })

  it('the list of profiles follows additions and deletions on another device', async () => {
    const { body } = await otherDevice.post('/api/profile', { name: 'Sam' })
    await waitFor(() => expect($profiles.get()?.map(({ name }) => name)).toContain('Sam'))
    await otherDevice.delete(`/api/profile/${body.profile_id}`)
    await waitFor(() => expect($profiles.get()?.map(({ name }) => name)).not.toContain('Sam'))
  })

  it('content limits and limits of viewing time that another device sets for a child are displayed in this tab', async () => {
    const limitsStore = getLimitsStore(profiles.kid)
    const viewingLimitsStore = getViewingLimitsStore(profiles.kid)
    const stopFunctions = [limitsStore.listen(() => {}), viewingLimitsStore.listen(() => {})]
    await network.waitUntilIdle()
    const kidPath = getProfilePath(profiles.kid)
    await otherDevice.put(`${kidPath}/limits`, { guide: { violence: 'mild' } })
    await waitFor(() => expect(limitsStore.get().data?.guide).toEqual({ violence: 'mild' }))
    // Sets quiet hours first. The second change then sends only the event `viewing_time`, because the profile already
    // has limits.
    const limits = { school_day_minutes: null, weekend_minutes: null, quiet_start: 1_200, quiet_end: 420 }
    for (const quiet_end of [420, 360])
      await otherDevice.put(`${kidPath}/viewing-limits`, { ...limits, quiet_end })
    await waitFor(() => expect(viewingLimitsStore.get().data?.limits.quiet_end).toBe(360))
    for (const stop of stopFunctions) stop()
  })

  it('a watchlist event that another tab forwards reloads the watchlist entry', async () => {
    await loadWatchlistEntry(kites)
    network.clearRequests()
    otherTab.postMessage({ kind: 'list', profile_id: profiles.adult })
    await waitFor(() =>
      expect(network.requests.map(({ url }) => url)).toContain(
        `${getProfilePath(profiles.adult)}/watchlist/${titleKey}`,
      ),
    )
  })

  it('a catalogue event that another tab forwards reloads the displayed series details and episodes', async () => {
    const stopDisplayFunctions = [$seriesDetails, $seasonEpisodes].map(($store) => $store.listen(() => {}))
    $currentTitle.set({ type: 'tv', slug: getCard('Garden Club').slug })
    await waitFor(() => expect($seriesDetails.get().data?.seasons).toHaveLength(1))
    $selectedSeasonId.set($seriesDetails.get().data?.seasons?.[0]?.id ?? null)
    await waitFor(() => expect($seasonEpisodes.get().data?.results).toHaveLength(3))
    network.clearRequests()
    otherTab.postMessage({ kind: 'catalogue' })
    await waitFor(() => {
      const urls = network.requests.map(({ url }) => url)
      expect(urls).toContain(`/api/series/slug/${getCard('Garden Club').slug}`)
      expect(urls).toContain(`/api/seasons/${$selectedSeasonId.get()}/episodes`)
    })
    for (const stop of stopDisplayFunctions) stop()
  })

  it('a job event that another tab forwards reloads the displayed jobs', async () => {
    const stopDisplaying = $jobs.listen(() => {})
    openDashboardSection('jobs')
    await network.waitUntilIdle()
    network.clearRequests()
    otherTab.postMessage({ kind: 'job', job: {} })
    await waitFor(() => expect(network.requests.map(({ url }) => url.split('?')[0])).toContain('/api/jobs'))
    stopDisplaying()
  })

  it('a continuous stream of job events does not delay the reload after a progress event', async () => {
    network.clearRequests()
    otherTab.postMessage({ kind: 'progress', profile_id: profiles.adult })
    const jobEventTimer = setInterval(() => otherTab.postMessage({ kind: 'job', job: {} }), 100)
    await waitFor(() =>
      expect(network.requests.map(({ url }) => url)).toContain(
        `${getProfilePath(profiles.adult)}/continue-watching`,
      ),
    )
    clearInterval(jobEventTimer)
  })

  it('a gap in the event stream reloads all data', async () => {
    network.clearRequests()
    otherTab.postMessage({ kind: 'gap' })
    await waitFor(() => {
      const urls = network.requests.map(({ url }) => url)
      expect(urls).toContain('/api/profile')
      expect(urls).toContain(`${getProfilePath(profiles.adult)}/continue-watching`)
    })
  })
})

describe('after a switch to a kids profile', () => {
  it('an event for the adult profile causes no request', async () => {
    await loadWatchlistEntry(kites)
    await switchTo('kid')
    otherTab.postMessage({ kind: 'list', profile_id: profiles.adult })
    otherTab.postMessage({ kind: 'progress', profile_id: profiles.kid })
    await waitFor(() =>
      expect(
        network.requests.map(({ url: requestUrl }) => requestUrl).filter((url) => url.includes('continue')),
      ).toHaveLength(2),
    )
    expect(findAdultRequests()).toEqual([])
  })

  it('an event that arrived immediately before the switch causes no request for the adult profile', async () => {
    await loadWatchlistEntry(kites)
    otherTab.postMessage({ kind: 'gap' })
    await switchTo('kid')
    await waitFor(() => expect(network.requests.map(({ url }) => url)).toContain('/api/profile'))
    await network.waitUntilIdle()
    expect(findAdultRequests()).toEqual([])
  })
})
