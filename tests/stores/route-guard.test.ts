/** The route guard: the page that a visitor sees, entering a profile, and history entries of other profiles. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, browser, credentials, network, otherDevice, profiles } = await signInHousehold()
const { getPathAfterSignIn } = await import('../../src/lib/stores/path-after-sign-in.ts')
const { $routeGuard, enterProfile, redirectTo, storeLocale } = await import(
  '../../src/lib/stores/route-guard.ts'
)
const { $profile, $profileId, loadProfiles, selectProfile } = await import('../../src/lib/stores/profile.ts')
const { createProfile, deleteProfile } = await import('../../src/lib/stores/profile-changes.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
const { navigate, openedUrls } = await import('../support/astro-router.ts')

const readPathWithQuery = () => browser.history.url.pathname + browser.history.url.search
const getGuardStatus = () => $routeGuard.get().status
const getHistoryEntryProfile = () => (browser.history.state as { profile?: string } | null)?.profile
const waitUntilOpened = async (targetPath: string) => {
  await waitFor(() => expect(readPathWithQuery()).toBe(targetPath))
  await waitFor(() => expect(getGuardStatus()).toBe('open'))
}
const openPath = async (targetPath: string) => {
  await navigate(targetPath)
  await waitUntilOpened(targetPath)
}
const traverseHistory = async (direction: 'back' | 'forward', targetPath: string) => {
  browser.history[direction]()
  await waitUntilOpened(targetPath)
  await waitFor(() => expect(openedUrls.at(-1)).toBe(targetPath))
}
/** Returns the URLs that were opened since the last call. */
const takeOpenedUrls = () => openedUrls.splice(0)
const seenStatuses: string[] = []
$routeGuard.listen((state) => seenStatuses.push(state.status))

beforeEach(async () => {
  if (!$profile.get()) {
    await signIn(credentials)
    await loadProfiles()
  }
  await actAs('adult')
  await openPath('/')
  takeOpenedUrls()
  seenStatuses.length = 0
})

describe('a user who opens a page', () => {
  it('a signed-in user opens a page, and its history entry stores the acting profile', async () => {
    await openPath('/movies/')
    expect(getHistoryEntryProfile()).toBe(profiles.adult)
  })

  it('a user without an acting profile is sent to the profile picker, and after the choice of a profile to the requested page', async () => {
    selectProfile(null)
    await waitUntilOpened('/profiles/?redirect=%2F')
    expect(getHistoryEntryProfile()).toBe(profiles.adult)
    enterProfile(profiles.adult, '/movies/')
    await waitUntilOpened('/movies/')
  })

  it('a user who signs out is sent to the sign-in page', async () => {
    await openPath('/movies/')
    await signOut()
    await waitUntilOpened('/login/?redirect=%2Fmovies%2F')
    expect(getPathAfterSignIn()).toBe('/movies/')
    await signIn(credentials)
    await waitUntilOpened('/profiles/?redirect=%2F')
  })

  it('a user who signs in again is sent to the profile picker, whose URL contains the requested page', async () => {
    await openPath('/movies/')
    await signOut()
    await waitUntilOpened('/login/?redirect=%2Fmovies%2F')
    await signIn(credentials)
    void redirectTo(getPathAfterSignIn(), { history: 'replace' })
    await waitUntilOpened('/profiles/?redirect=%2Fmovies%2F')
  })

  it('a user is asked for the PIN when the only profile is locked', async () => {
    for (const profileId of [profiles.guest, profiles.kid])
      await otherDevice.delete(`/api/profile/${profileId}`)
    await otherDevice.post(`/api/profile/${profiles.adult}/lock`, { pin: '1234' })
    await loadProfiles()
    await waitUntilOpened(`/profiles/?unlock=${profiles.adult}&redirect=%2F`)
    await otherDevice.put(`/api/profile/${profiles.adult}/remove-lock`, { pin: '1234' })
    await loadProfiles()
    profiles.guest = (await createProfile({ name: 'Robin' })).profile_id
    profiles.kid = (await createProfile({ name: 'Kim', kids: true })).profile_id
  })

  it('a user sees an error when loading the profiles fails', async () => {
    await signOut()
    await waitUntilOpened('/login/?redirect=%2F')
    network.failNext(/GET \/api\/profile$/, 500)
    await signIn(credentials)
    await waitFor(() => expect($routeGuard.get()).toMatchObject({ status: 'failed', error: { status: 500 } }))
  })
})

describe('entering a profile', () => {
  it('entering a profile hides the page of the previous profile before the home page opens', async () => {
    await openPath('/movies/night-harbour')
    seenStatuses.length = 0
    enterProfile(profiles.kid, '/')
    expect(getGuardStatus()).toBe('pending')
    await waitUntilOpened('/')
    expect(seenStatuses).toEqual(['pending', 'open'])
    expect(getHistoryEntryProfile()).toBe(profiles.kid)
  })

  it('entering a profile makes the route guard check the page again when the requested page is already open', async () => {
    enterProfile(profiles.kid, '/')
    expect(getGuardStatus()).toBe('pending')
    await waitUntilOpened('/')
    expect(takeOpenedUrls()).toEqual([])
    expect(getHistoryEntryProfile()).toBe(profiles.kid)
  })

  it('entering a profile keeps the profile picker visible until the next page opens', async () => {
    await openPath('/profiles/')
    seenStatuses.length = 0
    enterProfile(profiles.kid, null)
    expect(getGuardStatus()).toBe('open')
    await waitUntilOpened('/')
  })

  it('entering a profile with another language loads a new document', async () => {
    await otherDevice.put(`/api/profile/${profiles.guest}`, { preferences: { language: 'fr' } })
    await loadProfiles()
    enterProfile(profiles.guest, '/movies/')
    await waitFor(() => expect(browser.documentLoads).toEqual(['/fr/']))
    await network.waitUntilIdle()
    expect(getGuardStatus()).toBe('pending')
    expect(localStorage.getItem('i18nextLng')).toBe('fr')
    expect(browser.documentLoads.splice(0)).toEqual(['/fr/'])
    // The test cannot load a new document, so it simulates a page that the browser restores from its
    // back/forward cache.
    browser.history.replaceState({ profile: profiles.guest }, '')
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await waitUntilOpened('/')
    await otherDevice.put(`/api/profile/${profiles.guest}`, { preferences: { language: 'en' } })
    await loadProfiles()
  })

  it('storing the locale of a profile updates an existing locale cookie', () => {
    browser.document.cookie = 'i18next=fr'
    storeLocale('en')
    expect(browser.document.cookie).toContain('i18next=en')
    browser.document.cookie = ''
  })

  it('entering another profile opens the home page instead of the page that the previous profile had requested', async () => {
    await openPath('/search/?q=night')
    selectProfile(null)
    await waitUntilOpened('/profiles/?redirect=%2Fsearch%2F%3Fq%3Dnight')
    enterProfile(profiles.kid, '/search/?q=night')
    await waitUntilOpened('/')
  })
})

describe('history entries', () => {
  it('going back to a history entry of the previous profile opens the home page', async () => {
    await openPath('/search/?q=night+harbour')
    await openPath('/movies/night-harbour')
    enterProfile(profiles.kid, '/')
    await waitUntilOpened('/')
    takeOpenedUrls()
    browser.history.back()
    await waitFor(() => expect(takeOpenedUrls()).toEqual(['/']))
    browser.history.back()
    await waitFor(() => expect(takeOpenedUrls()).toEqual(['/']))
    expect(getHistoryEntryProfile()).toBe(profiles.kid)
  })

  it('going forward to a history entry of the previous profile opens the home page', async () => {
    await openPath('/movies/night-harbour')
    await traverseHistory('back', '/')
    enterProfile(profiles.kid, '/')
    await waitUntilOpened('/')
    takeOpenedUrls()
    browser.history.forward()
    await waitFor(() => expect(takeOpenedUrls()).toEqual(['/']))
  })

  it('history entries of the same profile open their pages', async () => {
    await openPath('/movies/night-harbour')
    await openPath('/search/?q=cold')
    await traverseHistory('back', '/movies/night-harbour')
    await traverseHistory('forward', '/search/?q=cold')
  })

  it('a history entry that the router added for a fragment belongs to the profile that was acting', async () => {
    await openPath('/search/?q=night+harbour')
    browser.history.pushState({ index: 9, scrollX: 0, scrollY: 0 }, '', '/search/?q=night+harbour#main')
    enterProfile(profiles.kid, '/')
    await waitUntilOpened('/')
    takeOpenedUrls()
    browser.history.back()
    await waitFor(() => expect(takeOpenedUrls()).toEqual(['/']))
  })

  it('a history entry of the profile picker opens the profile picker, whichever profile added the entry', async () => {
    await openPath('/profiles/')
    enterProfile(profiles.kid, null)
    await waitUntilOpened('/')
    await traverseHistory('back', '/profiles/')
  })
})

describe('a page that the browser restores from memory', () => {
  const restorePage = () => dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))

  it('a page restored from memory is reloaded when another profile acts', () => {
    sessionStorage.setItem('marquee-profile', profiles.kid)
    restorePage()
    expect(browser.documentLoads.splice(0)).toEqual(['reload'])
  })

  it('a page restored from memory is reloaded after a sign-out in another tab', () => {
    const storedUser = localStorage.getItem('marquee-user') ?? ''
    localStorage.removeItem('marquee-user')
    restorePage()
    localStorage.setItem('marquee-user', storedUser)
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
    expect(getGuardStatus()).toBe('pending')
    await waitUntilOpened('/profiles/?redirect=%2Fmovies%2F')
    await otherDevice.put(`/api/profile/${profiles.guest}/remove-lock`, { pin: '1234' })
    await loadProfiles()
  })

  it('the route guard hides the open page and checks it again when another device makes the acting profile a kids profile', async () => {
    const { profile_id } = await createProfile({ name: 'Toni' })
    selectProfile(profile_id)
    await openPath('/movies/')
    seenStatuses.length = 0
    await otherDevice.put(`/api/profile/${profile_id}`, { kids: true })
    await loadProfiles()
    await waitUntilOpened('/movies/')
    expect(seenStatuses).toEqual(['pending', 'open'])
    await deleteProfile(profile_id).catch(() => otherDevice.delete(`/api/profile/${profile_id}`))
    expect($profileId.get()).not.toBe('')
  })
})
