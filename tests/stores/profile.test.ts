/** The profiles of the account, and the session of the profile that acts. */
import { atom } from 'nanostores'
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, switchTo, findAdultRequests, network, otherDevice, profiles, credentials } =
  await signInHousehold()
const { $profile, $profileId, $profiles, getLastProfileId, loadProfiles, selectProfile } = await import(
  '../../src/lib/stores/profile.ts'
)
const {
  changeProfilePin,
  createProfile,
  deleteProfile,
  leaveProfile,
  setProfilePin,
  removeProfilePin,
  unlockProfile,
  saveMainProfile,
  updateProfile,
  waitUntilProfileLeft,
} = await import('../../src/lib/stores/profile-changes.ts')
const { perProfile } = await import('../../src/lib/stores/per-profile.ts')
const { getProfileSession, setProfileTimeout, settleWhileProfileActs } = await import(
  '../../src/lib/client/profile-session.ts'
)
const { callApi } = await import('../../src/lib/client/call.ts')
const { prefetchRead } = await import('../../src/lib/client/prefetch-read.ts')
const { listFeaturedMovies } = await import('../../src/lib/contract/catalogue.ts')
const { listContinueWatching } = await import('../../src/lib/contract/progress.ts')

const $note = perProfile<string>(() => `note of ${getProfileSession().profileId}`)
const findProfile = (profileId: string) =>
  $profiles.get()?.find((profile) => profile.profile_id === profileId)
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
  it('the profiles of the account are loaded, and the selected profile acts', () => {
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

  it('a profile that another device has deleted is no longer the acting profile, and requests no longer contain its id', async () => {
    const { profile_id } = await createProfile({ name: 'Sam', avatar: 2 })
    selectProfile(profile_id)
    await otherDevice.delete(`/api/profile/${profile_id}`)
    await loadProfiles()
    expect($profileId.get()).toBeNull()
    expect(sessionStorage.getItem('marquee-profile')).toBeNull()
    await expect(updateProfile(profiles.guest, { avatar: 3 })).resolves.toMatchObject({ avatar: 3 })
  })

  it('creating or deleting a profile twice at the same time sends one request', async () => {
    network.clearRequests()
    const profileInput = { name: 'Sam', avatar: 2 }
    const [firstReply, secondReply] = await Promise.all([
      createProfile(profileInput),
      createProfile(profileInput),
    ])
    expect(secondReply).toBe(firstReply)
    await Promise.all([deleteProfile(firstReply.profile_id), deleteProfile(firstReply.profile_id)])
    expect(network.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
    const namesake = await createProfile(profileInput)
    expect(namesake.profile_id).not.toBe(firstReply.profile_id)
    await deleteProfile(namesake.profile_id)
  })

  it('if an earlier onboarding attempt has created the main profile, onboarding changes this profile instead of creating another', async () => {
    $profiles.set([])
    await saveMainProfile({ name: 'Alexa', avatar: 3 })
    expect(findProfile(profiles.adult)).toMatchObject({ name: 'Alexa', main: true })
    expect($profiles.get()).toHaveLength(3)
    await updateProfile(profiles.adult, { name: 'Alex', avatar: 1 })
  })

  it('when the server rejects a new profile name, the profile keeps the previous name', async () => {
    await expect(updateProfile(profiles.guest, { name: '' })).rejects.toMatchObject({ status: 422 })
    expect(findProfile(profiles.guest)).toMatchObject({ name: 'Robin' })
  })

  it('a profile can be locked and unlocked, and its PIN can be changed and removed', async () => {
    await setProfilePin(profiles.guest, { pin: '1234' })
    expect(findProfile(profiles.guest)).toMatchObject({ locked: true })
    await otherDevice.post(`/api/profile/${profiles.guest}/unlock`, { pin: '1234' })
    await expect(unlockProfile(profiles.guest, { pin: '9999' })).rejects.toMatchObject({ status: 403 })
    await unlockProfile(profiles.guest, { pin: '1234' })
    expect(findProfile(profiles.guest)).toMatchObject({ unlocked: true })
    await changeProfilePin(profiles.guest, { current_pin: '1234', new_pin: '4321' })
    await removeProfilePin(profiles.guest, { password: credentials.password })
    expect(findProfile(profiles.guest)).toMatchObject({ locked: false, unlocked: true })
  })

  it('a changed avatar is applied to its profile even if the response arrives after another profile was selected', async () => {
    const releaseRequest = network.hold(/PUT/)
    const changePromise = updateProfile(profiles.adult, { avatar: 5 })
    await network.waitUntilIdle()
    await switchTo('guest')
    releaseRequest()
    await changePromise
    expect(findProfile(profiles.adult)).toMatchObject({ avatar: 5 })
  })
})

describe('a list of profiles that is loaded during a change', () => {
  it('if the list of profiles arrives after a preference was saved, the older preference in the list does not replace the saved preference', async () => {
    const releaseReply = network.hold(/GET .*\/api\/profile$/, 'reply', 1)
    const loadPromise = loadProfiles()
    await network.waitUntilIdle()
    await updateProfile(profiles.adult, { preferences: { hide_spoilers: true } })
    releaseReply()
    await loadPromise
    await network.waitUntilIdle()
    expect(findProfile(profiles.adult)?.preferences.hide_spoilers).toBe(true)
    await updateProfile(profiles.adult, { preferences: { hide_spoilers: false } })
  })
})

describe('in an account with an exit PIN', () => {
  it('a kids profile that is chosen offline locks the other profiles until the exit PIN is entered online', async () => {
    const exitPinPath = '/api/user/family/exit-pin'
    expect((await otherDevice.put(exitPinPath, { pin: '7391' })).status).toBe(200)
    await loadProfiles()
    expect(findProfile(profiles.guest)).toMatchObject({ locked: false })
    network.setOffline(true)
    selectProfile(profiles.kid)
    expect(findProfile(profiles.kid)).toMatchObject({ locked: false, unlocked: true })
    const lockedState = { locked: true, needs_exit_pin: true, unlocked: false }
    await waitFor(() => expect(findProfile(profiles.guest)).toMatchObject(lockedState))
    leaveProfile()
    await waitUntilProfileLeft()
    network.setOffline(false)
    await loadProfiles()
    expect(findProfile(profiles.guest)).toMatchObject(lockedState)
    await expect(unlockProfile(profiles.guest, { pin: '0000' })).rejects.toMatchObject({ status: 403 })
    await unlockProfile(profiles.guest, { pin: '7391' })
    selectProfile(profiles.guest)
    await loadProfiles()
    expect(findProfile(profiles.adult)).toMatchObject({ locked: false })
    await otherDevice.put(exitPinPath, { pin: null })
    await loadProfiles()
    selectProfile(profiles.kid)
    expect(findProfile(profiles.adult)).toMatchObject({ locked: false })
  })
})

describe('the acting profile', () => {
  it('the id of the acting profile is stored in the tab and on the device', () => {
    expect(getLastProfileId()).toBe(profiles.adult)
    sessionStorage.clear()
    expect(getLastProfileId()).toBe(profiles.adult)
    selectProfile(null)
    expect(getLastProfileId()).toBeNull()
  })

  it('the ids of the kids profiles are stored for the boot script', () => {
    expect(localStorage.getItem('marquee-kids')).toBe(profiles.kid)
  })

  it('requests after a profile switch contain the id of the selected profile', async () => {
    await switchTo('kid')
    await callFeaturedMovies()
    expect(network.requests.map(({ profile }) => profile)).toEqual([profiles.kid])
  })
})

describe('a profile session', () => {
  it('stores of the profile are reset before listeners are notified of the switch', async () => {
    $note.set('written by the adult')
    const seenProfileNotes: string[] = []
    const stopListening = $profile.listen((profile) =>
      seenProfileNotes.push(`${profile?.name}: ${$note.get()}`),
    )
    await switchTo('kid')
    stopListening()
    expect(seenProfileNotes).toEqual([`Kim: note of ${profiles.kid}`])
    await switchTo('adult')
    expect($note.get()).toBe(`note of ${profiles.adult}`)
  })

  it('a promise of an ended profile session never settles', async () => {
    const settledOutcomes: string[] = []
    const recordOutcome = (outcome: string) => () => settledOutcomes.push(outcome)
    const successfulCall = Promise.withResolvers<void>()
    const failedCall = Promise.withResolvers<void>()
    settleWhileProfileActs(successfulCall.promise).then(recordOutcome('success'), recordOutcome('failure'))
    settleWhileProfileActs(failedCall.promise).then(recordOutcome('success'), recordOutcome('failure'))
    await switchTo('kid')
    successfulCall.resolve()
    failedCall.reject(new Error())
    await switchTo('adult')
    expect(settledOutcomes).toEqual([])
    await settleWhileProfileActs(Promise.resolve())
    await expect(settleWhileProfileActs(Promise.reject(new Error('x')))).rejects.toThrow('x')
  })

  it('a timer of an ended profile session does not run', async () => {
    const timerRuns: string[] = []
    setProfileTimeout(() => timerRuns.push('adult'), 1)
    await switchTo('kid')
    setProfileTimeout(() => timerRuns.push('kid'), 1)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(timerRuns).toEqual(['kid'])
  })

  it('the end of a profile session aborts its reads, and the aborted reads do not make the browser count as offline', async () => {
    const { isOffline } = await import('../../src/lib/client/connectivity.ts')
    const releaseRequest = network.hold(/featured/)
    void callFeaturedMovies()
    await network.waitUntilIdle()
    await switchTo('kid')
    expect(isOffline()).toBe(false)
    releaseRequest()
    await callFeaturedMovies()
    expect(network.requests.map(({ profile }) => profile)).toEqual([profiles.kid])
  })

  it('a read that waits for the access token is not sent after the end of the profile session', async () => {
    const { refreshSession } = await import('../../src/lib/client/auth.ts')
    void refreshSession()
    void callApi(listContinueWatching, { params: { id: profiles.adult } })
    selectProfile(profiles.kid)
    await network.waitUntilIdle()
    expect(findAdultRequests()).toEqual([])
  })

  it('a new profile session uses neither prefetched responses nor boot script responses of the previous profile', async () => {
    prefetchRead(listFeaturedMovies, { query: { limit: 20 } })
    const bootResponsePromise = Promise.resolve(Response.json({ results: ['of the adult'] }))
    globalThis.__boot = createBootData(bootResponsePromise)
    await network.waitUntilIdle()
    await switchTo('kid')
    const { results } = await callFeaturedMovies()
    expect(results.map(({ title }) => title)).toContain('Paper Kites')
    expect(globalThis.__boot?.heroTitles).toBeUndefined()
    globalThis.__boot = undefined
  })

  it('the first profile session after a page load uses the responses of the boot script', async () => {
    const bootResponsePromise = Promise.resolve(Response.json({ results: ['of the adult'] }))
    globalThis.__boot = createBootData(bootResponsePromise)
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

  it('a store that depends on several profile stores notifies its listeners once per switch', async () => {
    const { computed } = await import('nanostores')
    const $secondNote = perProfile<number>(() => 0)
    const $unrelated = atom(0)
    let notificationCount = 0
    const $combinedNotes = computed(
      [$note, $secondNote, $unrelated],
      (note, secondNote) => `${note} ${secondNote}`,
    )
    const stopListening = $combinedNotes.listen(() => {
      notificationCount += 1
    })
    $secondNote.set(1)
    notificationCount = 0
    await switchTo('kid')
    stopListening()
    expect(notificationCount).toBe(1)
  })
})
