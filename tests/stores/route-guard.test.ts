/** The route guard: which page a visitor sees, entering a profile, and the history entries of other profiles. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, browser, credentials, network, otherDevice, profiles } = await signInHousehold()
const { $profileToUnlock, $routeGuard, enterProfile, getPathAfterLogin, storeLocale } = await import(
  '../../src/lib/stores/route-guard.ts'
)
const { $profile, $profileId, createProfile, deleteProfile, loadProfiles, selectProfile } = await import(
  '../../src/lib/stores/profile.ts'
)
const { signIn, signOut } = await import('../../src/lib/stores/session.ts')
const { navigate, openedAddresses } = await import('../support/astro-router.ts')

const address = () => browser.history.url.pathname + browser.history.url.search
const status = () => $routeGuard.get().status
const owner = () => (browser.history.state as { profile?: string } | null)?.profile
const opened = async (target: string) => {
  await vi.waitFor(() => expect(address()).toBe(target))
  await vi.waitFor(() => expect(status()).toBe('open'))
}
const open = async (target: string) => {
  await navigate(target)
  await opened(target)
}
const traverse = async (direction: 'back' | 'forward', target: string) => {
  browser.history[direction]()
  await opened(target)
  await vi.waitFor(() => expect(openedAddresses.at(-1)).toBe(target))
}
/** Names of the addresses that were opened since the last call. */
const takeOpenedAddresses = () => openedAddresses.splice(0)
const states: string[] = []
$routeGuard.listen((state) => states.push(state.status))

beforeEach(async () => {
  if (!$profile.get()) {
    await signIn(credentials)
    await loadProfiles()
  }
  await actAs('adult')
  await open('/')
  takeOpenedAddresses()
  states.length = 0
})

describe('a visitor', () => {
  it('sees a page of the acting profile', async () => {
    await open('/movies/')
    expect(owner()).toBe(profiles.adult)
  })

  it('is sent to the profile picker without an acting profile, and back to the page afterwards', async () => {
    selectProfile(null)
    await opened('/profiles/?redirect=%2F')
    expect(owner()).toBe(profiles.adult)
    enterProfile(profiles.adult, '/movies/')
    await opened('/movies/')
  })

  it('is sent to the sign-in page after signing out', async () => {
    await open('/movies/')
    await signOut()
    await opened('/login/?redirect=%2Fmovies%2F')
    expect(getPathAfterLogin()).toBe('/movies/')
    await signIn(credentials)
    await opened('/profiles/?redirect=%2F')
  })

  it('is asked for the PIN when the only profile is locked', async () => {
    for (const id of [profiles.guest, profiles.kid]) await otherDevice.delete(`/api/profile/${id}`)
    await otherDevice.post(`/api/profile/${profiles.adult}/lock`, { pin: '1234' })
    await loadProfiles()
    await opened('/profiles/?redirect=%2F')
    expect($profileToUnlock.get()).toBe(profiles.adult)
    await otherDevice.put(`/api/profile/${profiles.adult}/remove-lock`, { pin: '1234' })
    await loadProfiles()
    profiles.guest = (await createProfile({ name: 'Robin' })).profile_id
    profiles.kid = (await createProfile({ name: 'Kim', kids: true })).profile_id
    $profileToUnlock.set(null)
  })

  it('sees an error when the profiles cannot be loaded', async () => {
    await signOut()
    await opened('/login/?redirect=%2F')
    network.failNext(/GET \/api\/profile$/, 500)
    await signIn(credentials)
    await vi.waitFor(() =>
      expect($routeGuard.get()).toMatchObject({ status: 'failed', error: { status: 500 } }),
    )
  })
})

describe('entering a profile', () => {
  it('closes the page of the previous profile before the home page opens', async () => {
    await open('/movies/night-harbour')
    states.length = 0
    enterProfile(profiles.kid, '/')
    expect(status()).toBe('pending')
    await opened('/')
    expect(states).toEqual(['pending', 'open'])
    expect(owner()).toBe(profiles.kid)
  })

  it('shows the page anew when it is already open', async () => {
    enterProfile(profiles.kid, '/')
    expect(status()).toBe('pending')
    await opened('/')
    expect(takeOpenedAddresses()).toEqual([])
    expect(owner()).toBe(profiles.kid)
  })

  it('leaves the profile picker visible until the next page opens', async () => {
    await open('/profiles/')
    states.length = 0
    enterProfile(profiles.kid, null)
    expect(status()).toBe('open')
    await opened('/')
  })

  it('loads a new document when the profile has another language', async () => {
    await otherDevice.put(`/api/profile/${profiles.guest}`, { preferences: { language: 'fr' } })
    await loadProfiles()
    enterProfile(profiles.guest, '/movies/')
    await vi.waitFor(() => expect(browser.documentLoads).toEqual(['/fr/']))
    await network.waitUntilIdle()
    expect(status()).toBe('pending')
    expect(localStorage.getItem('i18nextLng')).toBe('fr')
    expect(browser.documentLoads.splice(0)).toEqual(['/fr/'])
    // The test has no new document: the page continues like one that the browser restores.
    browser.history.replaceState({ profile: profiles.guest }, '')
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await opened('/')
    await otherDevice.put(`/api/profile/${profiles.guest}`, { preferences: { language: 'en' } })
    await loadProfiles()
  })

  it('keeps a locale cookie up to date', () => {
    browser.document.cookie = 'i18next=fr'
    storeLocale('en')
    expect(browser.document.cookie).toContain('i18next=en')
    browser.document.cookie = ''
  })

  it('ignores a redirect to a page of another profile', async () => {
    await open('/search/?q=night')
    selectProfile(null)
    await opened('/profiles/?redirect=%2Fsearch%2F%3Fq%3Dnight')
    enterProfile(profiles.kid, '/search/?q=night')
    await opened('/')
  })
})

describe('history entries', () => {
  it('of the previous profile lead to the home page', async () => {
    await open('/search/?q=night+harbour')
    await open('/movies/night-harbour')
    enterProfile(profiles.kid, '/')
    await opened('/')
    takeOpenedAddresses()
    browser.history.back()
    await vi.waitFor(() => expect(takeOpenedAddresses()).toEqual(['/']))
    browser.history.back()
    await vi.waitFor(() => expect(takeOpenedAddresses()).toEqual(['/']))
    expect(owner()).toBe(profiles.kid)
  })

  it('of the previous profile lead to the home page with Forward, too', async () => {
    await open('/movies/night-harbour')
    await traverse('back', '/')
    enterProfile(profiles.kid, '/')
    await opened('/')
    takeOpenedAddresses()
    browser.history.forward()
    await vi.waitFor(() => expect(takeOpenedAddresses()).toEqual(['/']))
  })

  it('of the same profile stay', async () => {
    await open('/movies/night-harbour')
    await open('/search/?q=cold')
    await traverse('back', '/movies/night-harbour')
    await traverse('forward', '/search/?q=cold')
  })

  it('that the router added for a fragment (#main) of the page belong to the profile, too', async () => {
    await open('/search/?q=night+harbour')
    browser.history.pushState({ index: 9, scrollX: 0, scrollY: 0 }, '', '/search/?q=night+harbour#main')
    enterProfile(profiles.kid, '/')
    await opened('/')
    takeOpenedAddresses()
    browser.history.back()
    await vi.waitFor(() => expect(takeOpenedAddresses()).toEqual(['/']))
  })

  it('of the profile picker stay, whoever opened it', async () => {
    await open('/profiles/')
    enterProfile(profiles.kid, null)
    await opened('/')
    await traverse('back', '/profiles/')
  })
})

describe('a page that the browser restores from memory', () => {
  const restore = () => dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))

  it('is loaded anew when another profile acts now', () => {
    sessionStorage.setItem('marquee-profile', profiles.kid)
    restore()
    expect(browser.documentLoads.splice(0)).toEqual(['reload'])
  })

  it('stays when the same profile acts', () => {
    restore()
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    expect(browser.documentLoads).toEqual([])
  })
})

describe('a change on another device', () => {
  it('leads to the profile picker when it locks the profile', async () => {
    await actAs('guest')
    await open('/movies/')
    await otherDevice.post(`/api/profile/${profiles.guest}/lock`, { pin: '1234' })
    await loadProfiles()
    expect(status()).toBe('pending')
    await opened('/profiles/?redirect=%2Fmovies%2F')
    await otherDevice.put(`/api/profile/${profiles.guest}/remove-lock`, { pin: '1234' })
    await loadProfiles()
  })

  it('shows the page anew when it makes the profile a kids profile', async () => {
    const { profile_id } = await createProfile({ name: 'Toni' })
    selectProfile(profile_id)
    await open('/movies/')
    states.length = 0
    await otherDevice.put(`/api/profile/${profile_id}`, { kids: true })
    await loadProfiles()
    await opened('/movies/')
    expect(states).toEqual(['pending', 'open'])
    await deleteProfile(profile_id).catch(() => otherDevice.delete(`/api/profile/${profile_id}`))
    expect($profileId.get()).not.toBe('')
  })
})
