/** The profiles of the account, and the session of the profile that acts. */
import { atom } from 'nanostores'
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, findAdultRequests, network, otherDevice, profiles, credentials } =
  await signInHousehold()
const { $profile, $profileId, $profiles, getLastProfileId, loadProfiles, selectProfile } = await import(
  '../../src/lib/stores/profile.ts'
)
const {
  changeProfilePin,
  createProfile,
  deleteProfile,
  lockProfile,
  removeProfileLock,
  unlockProfile,
  updateProfile,
} = await import('../../src/lib/stores/profile-changes.ts')
const { perProfile } = await import('../../src/lib/stores/per-profile.ts')
const { getProfileSession, setProfileTimeout, whileProfileActs } = await import(
  '../../src/lib/client/profile-session.ts'
)
const { callApi, prefetchRead } = await import('../../src/lib/client/call.ts')
const { listFeaturedMovies } = await import('../../src/lib/contract/catalogue.ts')
const { listContinueWatching } = await import('../../src/lib/contract/progress.ts')

const $note = perProfile<string>(() => `note of ${getProfileSession().profileId}`)
const findProfile = (id: string) => $profiles.get()?.find((profile) => profile.profile_id === id)
const callFeaturedMovies = () => callApi(listFeaturedMovies, { query: { limit: 20 } })

beforeEach(async () => {
  await loadProfiles()
  await actAs('adult')
})

/** Creates the data that the boot script provides after it has requested the featured movies. */
const createBootData = (featuredResponse: Promise<Response>): BootData => ({
  reads: { '/api/movies/featured?limit=20': featuredResponse },
  heroTitles: [],
  loadScripts: () => {},
  showStoredHero: () => {},
  showHero: () => {},
})

describe('the profiles', () => {
  it('profiles are loaded, and the selected profile acts', () => {
    expect($profiles.get()?.map(({ name }) => name)).toEqual(['Alex', 'Kim', 'Robin'])
    expect($profile.get()).toMatchObject({ name: 'Alex', main: true })
  })

  it('profiles are created, changed and deleted', async () => {
    const createdProfile = await createProfile({ name: 'Sam', avatar: 2 })
    expect(findProfile(createdProfile.profile_id)).toMatchObject({ name: 'Sam' })
    await updateProfile(createdProfile.profile_id, { name: 'Samuel' })
    expect(findProfile(createdProfile.profile_id)).toMatchObject({ name: 'Samuel' })
    await deleteProfile(createdProfile.profile_id)
    expect(findProfile(createdProfile.profile_id)).toBeUndefined()
  })

  it('profiles stay as they are when the server rejects a change', async () => {
    await expect(updateProfile(profiles.guest, { name: '' })).rejects.toMatchObject({ status: 422 })
    expect(findProfile(profiles.guest)).toMatchObject({ name: 'Robin' })
  })

  it('profiles can be locked and unlocked, and their PIN can be changed and removed', async () => {
    await lockProfile(profiles.guest, { pin: '1234' })
    expect(findProfile(profiles.guest)).toMatchObject({ locked: true })
    await otherDevice.post(`/api/profile/${profiles.guest}/unlock`, { pin: '1234' })
    await expect(unlockProfile(profiles.guest, { pin: '9999' })).rejects.toMatchObject({ status: 403 })
    await unlockProfile(profiles.guest, { pin: '1234' })
    expect(findProfile(profiles.guest)).toMatchObject({ unlocked: true })
    await changeProfilePin(profiles.guest, { current_pin: '1234', new_pin: '4321' })
    await removeProfileLock(profiles.guest, { password: credentials.password })
    expect(findProfile(profiles.guest)).toMatchObject({ locked: false, unlocked: true })
  })

  it('profiles include a change whose response arrives after another profile was selected', async () => {
    const release = network.hold(/PUT/)
    const changePromise = updateProfile(profiles.adult, { avatar: 5 })
    await network.waitUntilIdle()
    await switchTo('guest')
    release()
    await changePromise
    expect(findProfile(profiles.adult)).toMatchObject({ avatar: 5 })
  })
})

describe('the acting profile', () => {
  it('the tab and the device store the acting profile', () => {
    expect(getLastProfileId()).toBe(profiles.adult)
    sessionStorage.clear()
    expect(getLastProfileId()).toBe(profiles.adult)
    selectProfile(null)
    expect(getLastProfileId()).toBeNull()
  })

  it('stores the ids of the kids profiles for the boot script', () => {
    expect(localStorage.getItem('marquee-kids')).toBe(profiles.kid)
  })

  it('a selected profile is sent with every request that follows', async () => {
    await switchTo('kid')
    await callFeaturedMovies()
    expect(network.requests.map(({ profile }) => profile)).toEqual([profiles.kid])
  })
})

describe('a profile session', () => {
  it('resets the stores of the profile before listeners are notified of the switch', async () => {
    $note.set('written by the adult')
    const seenValues: string[] = []
    const stopListening = $profile.listen((profile) => seenValues.push(`${profile?.name}: ${$note.get()}`))
    await switchTo('kid')
    stopListening()
    expect(seenValues).toEqual([`Kim: note of ${profiles.kid}`])
    await switchTo('adult')
    expect($note.get()).toBe(`note of ${profiles.adult}`)
  })

  it('never settles a promise of a session that has ended', async () => {
    const settledOutcomes: string[] = []
    const recordOutcome = (outcome: string) => () => settledOutcomes.push(outcome)
    const success = Promise.withResolvers<void>()
    const failure = Promise.withResolvers<void>()
    whileProfileActs(success.promise).then(recordOutcome('success'), recordOutcome('failure'))
    whileProfileActs(failure.promise).then(recordOutcome('success'), recordOutcome('failure'))
    await switchTo('kid')
    success.resolve()
    failure.reject(new Error())
    await switchTo('adult')
    expect(settledOutcomes).toEqual([])
    await whileProfileActs(Promise.resolve())
    await expect(whileProfileActs(Promise.reject(new Error('x')))).rejects.toThrow('x')
  })

  it('does not run a timer of a session that has ended', async () => {
    const timerRuns: string[] = []
    setProfileTimeout(() => timerRuns.push('adult'), 1)
    await switchTo('kid')
    setProfileTimeout(() => timerRuns.push('kid'), 1)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(timerRuns).toEqual(['kid'])
  })

  it('aborts reads in progress, which does not count as a lost connection', async () => {
    const { isOffline } = await import('../../src/lib/client/connectivity.ts')
    const release = network.hold(/featured/)
    void callFeaturedMovies()
    await network.waitUntilIdle()
    await switchTo('kid')
    expect(isOffline()).toBe(false)
    release()
    await callFeaturedMovies()
    expect(network.requests.map(({ profile }) => profile)).toEqual([profiles.kid])
  })

  it('does not send a read that was waiting for the access token', async () => {
    const { refreshSession } = await import('../../src/lib/client/auth.ts')
    void refreshSession()
    void callApi(listContinueWatching, { params: { id: profiles.adult } })
    selectProfile(profiles.kid)
    await network.waitUntilIdle()
    expect(findAdultRequests()).toEqual([])
  })

  it('does not use responses that were prefetched or requested by the boot script for another profile', async () => {
    prefetchRead(listFeaturedMovies, { query: { limit: 20 } })
    const bootResponse = Promise.resolve(Response.json({ results: ['of the adult'] }))
    globalThis.__boot = createBootData(bootResponse)
    await network.waitUntilIdle()
    await switchTo('kid')
    const { results } = await callFeaturedMovies()
    expect(results.map(({ title }) => title)).toContain('Paper Kites')
    expect(globalThis.__boot?.heroTitles).toBeUndefined()
    globalThis.__boot = undefined
  })

  it('uses the responses of the boot script for the profile of the page load', async () => {
    const bootResponse = Promise.resolve(Response.json({ results: ['of the adult'] }))
    globalThis.__boot = createBootData(bootResponse)
    expect(await callFeaturedMovies()).toEqual({ results: ['of the adult'] })
    expect(network.requests).toEqual([])
    globalThis.__boot = undefined
  })

  it('the profile session ends when the profile is locked on another device', async () => {
    await switchTo('guest')
    $note.set('written by the guest')
    otherDevice.profileId = profiles.adult
    await otherDevice.post(`/api/profile/${profiles.guest}/lock`, { pin: '1234' })
    await loadProfiles()
    expect($profile.get()).toBeNull()
    expect($note.get()).toBe(`note of ${profiles.guest}`)
    await otherDevice.put(`/api/profile/${profiles.guest}/remove-lock`, { pin: '1234' })
  })

  it('the profile session ends when the profile becomes a kids profile', async () => {
    const { profile_id } = await createProfile({ name: 'Toni' })
    selectProfile(profile_id)
    $note.set('written by an adult')
    await otherDevice.put(`/api/profile/${profile_id}`, { kids: true })
    await loadProfiles()
    expect($profile.get()).toMatchObject({ kids: true })
    expect($note.get()).toBe(`note of ${profile_id}`)
    await otherDevice.delete(`/api/profile/${profile_id}`)
  })

  it('the profile session ends when the profile is deleted', async () => {
    const { profile_id } = await createProfile({ name: 'Toni' })
    selectProfile(profile_id)
    $note.set('written by Toni')
    await deleteProfile(profile_id)
    expect($profileId.get()).toBeNull()
    expect($note.get()).toBe('note of null')
  })

  it('the profile session continues when only preferences change', async () => {
    $note.set('written by the adult')
    await updateProfile(profiles.adult, { preferences: { simple_home: true } })
    expect($note.get()).toBe('written by the adult')
    await updateProfile(profiles.adult, { preferences: { simple_home: false } })
  })

  it('notifies a store that depends on several profile stores once', async () => {
    const { computed } = await import('nanostores')
    const $other = perProfile<number>(() => 0)
    const $unrelated = atom(0)
    let notificationCount = 0
    const $both = computed([$note, $other, $unrelated], (note, other) => `${note} ${other}`)
    const stopListening = $both.listen(() => {
      notificationCount += 1
    })
    $other.set(1)
    notificationCount = 0
    await switchTo('kid')
    stopListening()
    expect(notificationCount).toBe(1)
  })
})
