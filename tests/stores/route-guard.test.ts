/** The route guard: the page that a visitor sees, entering a profile, and history entries of other profiles. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, browser, credentials, network, otherDevice, profiles } = await signInHousehold()
const { $routeGuard, enterProfile, getPathAfterLogin, redirectTo, storeLocale } = await import(
  '../../src/lib/stores/route-guard.ts'
)
const { $profile, $profileId, loadProfiles, selectProfile } = await import('../../src/lib/stores/profile.ts')
const { createProfile, deleteProfile } = await import('../../src/lib/stores/profile-changes.ts')
const { signOut } = await import('../../src/lib/stores/session.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
const { navigate, openedUrls } = await import('../support/astro-router.ts')

const getPathWithQuery = () => browser.history.url.pathname + browser.history.url.search
const getStatus = () => $routeGuard.get().status
const getEntryOwner = () => (browser.history.state as { profile?: string } | null)?.profile
const waitUntilOpened = async (target: string) => {
  await vi.waitFor(() => expect(getPathWithQuery()).toBe(target))
  await vi.waitFor(() => expect(getStatus()).toBe('open'))
}
const openPath = async (target: string) => {
  await navigate(target)
  await waitUntilOpened(target)
}
const traverseHistory = async (direction: 'back' | 'forward', target: string) => {
  browser.history[direction]()
  await waitUntilOpened(target)
  await vi.waitFor(() => expect(openedUrls.at(-1)).toBe(target))
}
/** Returns the URLs that were opened since the last call. */
const takeOpenedUrls = () => openedUrls.splice(0)
const statuses: string[] = []
$routeGuard.listen((state) => statuses.push(state.status))

beforeEach(async () => {
  if (!$profile.get()) {
    await signIn(credentials)
    await loadProfiles()
  }
  await actAs('adult')
  await openPath('/')
  takeOpenedUrls()
  statuses.length = 0
})

describe('a visitor', () => {
  it('a visitor sees a page of the acting profile', async () => {
    await openPath('/movies/')
    expect(getEntryOwner()).toBe(profiles.adult)
  })

  it('a visitor without an acting profile is sent to the profile picker, and to the requested page afterwards', async () => {
    selectProfile(null)
    await waitUntilOpened('/profiles/?redirect=%2F')
    expect(getEntryOwner()).toBe(profiles.adult)
    enterProfile(profiles.adult, '/movies/')
    await waitUntilOpened('/movies/')
  })

  it('a visitor is sent to the sign-in page after signing out', async () => {
    await openPath('/movies/')
    await signOut()
    await waitUntilOpened('/login/?redirect=%2Fmovies%2F')
    expect(getPathAfterLogin()).toBe('/movies/')
    await signIn(credentials)
    await waitUntilOpened('/profiles/?redirect=%2F')
  })

  it('a visitor sees the requested page after signing in', async () => {
    await openPath('/movies/')
    await signOut()
    await waitUntilOpened('/login/?redirect=%2Fmovies%2F')
    await signIn(credentials)
    void redirectTo(getPathAfterLogin(), { history: 'replace' })
    await waitUntilOpened('/profiles/?redirect=%2Fmovies%2F')
  })

  it('a visitor is asked for the PIN when the only profile is locked', async () => {
    for (const id of [profiles.guest, profiles.kid]) await otherDevice.delete(`/api/profile/${id}`)
    await otherDevice.post(`/api/profile/${profiles.adult}/lock`, { pin: '1234' })
    await loadProfiles()
    await waitUntilOpened(`/profiles/?unlock=${profiles.adult}&redirect=%2F`)
    await otherDevice.put(`/api/profile/${profiles.adult}/remove-lock`, { pin: '1234' })
    await loadProfiles()
    profiles.guest = (await createProfile({ name: 'Robin' })).profile_id
    profiles.kid = (await createProfile({ name: 'Kim', kids: true })).profile_id
  })

  it('a visitor sees an error when the profiles cannot be loaded', async () => {
    await signOut()
    await waitUntilOpened('/login/?redirect=%2F')
    network.failNext(/GET \/api\/profile$/, 500)
    await signIn(credentials)
    await vi.waitFor(() =>
      expect($routeGuard.get()).toMatchObject({ status: 'failed', error: { status: 500 } }),
    )
  })
})

describe('entering a profile', () => {
  it('closes the page of the previous profile before the home page opens', async () => {
    await openPath('/movies/night-harbour')
    statuses.length = 0
    enterProfile(profiles.kid, '/')
    expect(getStatus()).toBe('pending')
    await waitUntilOpened('/')
    expect(statuses).toEqual(['pending', 'open'])
    expect(getEntryOwner()).toBe(profiles.kid)
  })

  it('entering a profile shows the page again when it is already open', async () => {
    enterProfile(profiles.kid, '/')
    expect(getStatus()).toBe('pending')
    await waitUntilOpened('/')
    expect(takeOpenedUrls()).toEqual([])
    expect(getEntryOwner()).toBe(profiles.kid)
  })

  it('leaves the profile picker visible until the next page opens', async () => {
    await openPath('/profiles/')
    statuses.length = 0
    enterProfile(profiles.kid, null)
    expect(getStatus()).toBe('open')
    await waitUntilOpened('/')
  })

  it('loads a new document when the profile has another language', async () => {
    await otherDevice.put(`/api/profile/${profiles.guest}`, { preferences: { language: 'fr' } })
    await loadProfiles()
    enterProfile(profiles.guest, '/movies/')
    await vi.waitFor(() => expect(browser.documentLoads).toEqual(['/fr/']))
    await network.waitUntilIdle()
    expect(getStatus()).toBe('pending')
    expect(localStorage.getItem('i18nextLng')).toBe('fr')
    expect(browser.documentLoads.splice(0)).toEqual(['/fr/'])
    // The test cannot load a new document, so it simulates a page that the browser restores from memory.
    browser.history.replaceState({ profile: profiles.guest }, '')
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await waitUntilOpened('/')
    await otherDevice.put(`/api/profile/${profiles.guest}`, { preferences: { language: 'en' } })
    await loadProfiles()
  })

  it('storing a locale updates an existing locale cookie', () => {
    browser.document.cookie = 'i18next=fr'
    storeLocale('en')
    expect(browser.document.cookie).toContain('i18next=en')
    browser.document.cookie = ''
  })

  it('ignores a redirect to a page of another profile', async () => {
    await openPath('/search/?q=night')
    selectProfile(null)
    await waitUntilOpened('/profiles/?redirect=%2Fsearch%2F%3Fq%3Dnight')
    enterProfile(profiles.kid, '/search/?q=night')
    await waitUntilOpened('/')
  })
})

describe('history entries', () => {
  it('Back to a history entry of the previous profile opens the home page', async () => {
    await openPath('/search/?q=night+harbour')
    await openPath('/movies/night-harbour')
    enterProfile(profiles.kid, '/')
    await waitUntilOpened('/')
    takeOpenedUrls()
    browser.history.back()
    await vi.waitFor(() => expect(takeOpenedUrls()).toEqual(['/']))
    browser.history.back()
    await vi.waitFor(() => expect(takeOpenedUrls()).toEqual(['/']))
    expect(getEntryOwner()).toBe(profiles.kid)
  })

  it('Forward to a history entry of the previous profile opens the home page', async () => {
    await openPath('/movies/night-harbour')
    await traverseHistory('back', '/')
    enterProfile(profiles.kid, '/')
    await waitUntilOpened('/')
    takeOpenedUrls()
    browser.history.forward()
    await vi.waitFor(() => expect(takeOpenedUrls()).toEqual(['/']))
  })

  it('history entries of the same profile open their pages', async () => {
    await openPath('/movies/night-harbour')
    await openPath('/search/?q=cold')
    await traverseHistory('back', '/movies/night-harbour')
    await traverseHistory('forward', '/search/?q=cold')
  })

  it('history entries that the router added for a fragment (#main) belong to the profile', async () => {
    await openPath('/search/?q=night+harbour')
    browser.history.pushState({ index: 9, scrollX: 0, scrollY: 0 }, '', '/search/?q=night+harbour#main')
    enterProfile(profiles.kid, '/')
    await waitUntilOpened('/')
    takeOpenedUrls()
    browser.history.back()
    await vi.waitFor(() => expect(takeOpenedUrls()).toEqual(['/']))
  })

  it('history entries of the profile picker open the profile picker, whichever profile added them', async () => {
    await openPath('/profiles/')
    enterProfile(profiles.kid, null)
    await waitUntilOpened('/')
    await traverseHistory('back', '/profiles/')
  })
})

describe('a page that the browser restores from memory', () => {
  const restorePage = () => dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))

  it('a page restored from memory is reloaded when another profile acts now', () => {
    sessionStorage.setItem('marquee-profile', profiles.kid)
    restorePage()
    expect(browser.documentLoads.splice(0)).toEqual(['reload'])
  })

  it('a page restored from memory stays when the same profile acts', () => {
    restorePage()
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    expect(browser.documentLoads).toEqual([])
  })
})

describe('a change on another device', () => {
  it('locking the profile on another device opens the profile picker', async () => {
    await actAs('guest')
    await openPath('/movies/')
    await otherDevice.post(`/api/profile/${profiles.guest}/lock`, { pin: '1234' })
    await loadProfiles()
    expect(getStatus()).toBe('pending')
    await waitUntilOpened('/profiles/?redirect=%2Fmovies%2F')
    await otherDevice.put(`/api/profile/${profiles.guest}/remove-lock`, { pin: '1234' })
    await loadProfiles()
  })

  it('closes the page and opens it again when another device makes the profile a kids profile', async () => {
    const { profile_id } = await createProfile({ name: 'Toni' })
    selectProfile(profile_id)
    await openPath('/movies/')
    statuses.length = 0
    await otherDevice.put(`/api/profile/${profile_id}`, { kids: true })
    await loadProfiles()
    await waitUntilOpened('/movies/')
    expect(statuses).toEqual(['pending', 'open'])
    await deleteProfile(profile_id).catch(() => otherDevice.delete(`/api/profile/${profile_id}`))
    expect($profileId.get()).not.toBe('')
  })
})
