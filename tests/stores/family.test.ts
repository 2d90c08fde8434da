/** Limits, title rules and groups, as parents set them and as the restricted profile sees them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { HOME_HERO_KEY } from '../../src/lib/storage-keys.ts'
import { TEST_PASSWORD } from '../support/server.ts'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, getCard, network, otherDevice, profiles, switchTo } = await signInHousehold()
const { $rulesOfTitle, $rulesTitleId, changeLimits, changeTitleRule, getLimitsStore, getTitleRulesStore } =
  await import('../../src/lib/stores/family.ts')
const { endGroup, enterGroup, setGroupMembers } = await import('../../src/lib/stores/group.ts')
const { $groupIds, $profiles, loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { getProfileSession } = await import('../../src/lib/client/profile-session.ts')
const { $search, $searchGuideFilters, setSearchGuideFilters, setSearchQuery } = await import(
  '../../src/lib/stores/search.ts'
)
const { $isParentActing, $isParentOfOthers, $hasRestrictedViewer } = await import(
  '../../src/lib/stores/parent.ts'
)
const { $toast } = await import('../../src/lib/stores/toast.ts')

const guestLimitsStore = getLimitsStore(profiles.guest)
guestLimitsStore.listen(() => {})
getTitleRulesStore(profiles.guest).listen(() => {})
$rulesOfTitle.listen(() => {})
const harbour = getCard('Night Harbour')

beforeEach(async () => {
  await actAs('adult')
})

describe('limits of a profile', () => {
  it('changed limits are saved, and a rejected change restores the previous limits', async () => {
    await network.waitUntilIdle()
    expect(await changeLimits(profiles.guest, { max_age: 13 })).toBe(true)
    expect(guestLimitsStore.get().data).toMatchObject({ max_age: 13 })
    expect($profiles.get()?.find(({ profile_id }) => profile_id === profiles.guest)?.restricted).toBe(true)
    network.failNext(/PUT/, 500)
    expect(await changeLimits(profiles.guest, { max_age: 0 })).toBe(false)
    await network.waitUntilIdle()
    expect(guestLimitsStore.get().data).toMatchObject({ max_age: 13 })
    expect(await changeLimits(profiles.guest, { max_age: null })).toBe(true)
  })

  it('a change of limits on another device starts a new profile session', async () => {
    await switchTo('guest')
    const session = getProfileSession()
    await otherDevice.put(`/api/profile/${profiles.guest}/limits`, { max_age: 8 })
    await loadProfiles()
    expect($hasRestrictedViewer.get()).toBe(true)
    expect(getProfileSession()).not.toBe(session)
    await otherDevice.put(`/api/profile/${profiles.guest}/limits`, { max_age: null })
    await loadProfiles()
  })
})

describe('title rules', () => {
  it('a denied title is listed in the rules of the profile and in the rules of the title', async () => {
    $rulesTitleId.set(harbour.id)
    expect(await changeTitleRule(profiles.guest, harbour, 'deny')).toBe(true)
    await network.waitUntilIdle()
    const guestRule = $rulesOfTitle
      .get()
      .data?.results.find(({ profile_id }) => profile_id === profiles.guest)
    expect(guestRule).toMatchObject({ rule: 'deny', visible: false })
    expect(getTitleRulesStore(profiles.guest).get().data?.results).toMatchObject([
      { rule: 'deny', media: { id: harbour.id } },
    ])
    await changeTitleRule(profiles.guest, harbour, null)
    await network.waitUntilIdle()
    expect(getTitleRulesStore(profiles.guest).get().data?.results).toEqual([])
  })

  it('a temporary title rule is saved with its expiry', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    expect(await changeTitleRule(profiles.guest, harbour, 'allow', expiresAt)).toBe(true)
    await network.waitUntilIdle()
    expect(getTitleRulesStore(profiles.guest).get().data?.results).toMatchObject([
      { rule: 'allow', media: { id: harbour.id }, expires_at: expiresAt },
    ])
    await changeTitleRule(profiles.guest, harbour, null)
  })

  it('a temporary rule with an expiry in the past is rejected, and a message is shown', async () => {
    const expiresAt = new Date(Date.now() - 1_000).toISOString()
    expect(await changeTitleRule(profiles.guest, harbour, 'allow', expiresAt)).toBe(false)
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
    await network.waitUntilIdle()
    expect(getTitleRulesStore(profiles.guest).get().data?.results).toEqual([])
  })

  it('a message is shown when the server rejects a title rule', async () => {
    network.failNext(/PUT/, 500)
    expect(await changeTitleRule(profiles.guest, harbour, 'deny')).toBe(false)
    expect($toast.get()).toMatchObject({ kind: 'bad' })
  })
})

describe('a parent', () => {
  it('$isParentOfOthers is false for a parent in an account without other profiles', () => {
    const allProfiles = $profiles.get() ?? []
    expect([$isParentActing.get(), $isParentOfOthers.get()]).toEqual([true, true])
    $profiles.set(allProfiles.filter(({ profile_id }) => profile_id === profiles.adult))
    expect([$isParentActing.get(), $isParentOfOthers.get()]).toEqual([true, false])
    $profiles.set(allProfiles)
  })
})

describe('groups', () => {
  it('starting or ending a group starts a new profile session, because a group may see other titles than the profile', async () => {
    await loadProfiles()
    const session = getProfileSession()
    // The stored hero must be deleted. Otherwise the boot script would show a title that the group may not see.
    localStorage.setItem(HOME_HERO_KEY, '{}')
    enterGroup(await setGroupMembers(profiles.adult, [{ profile_id: profiles.kid }]), null)
    expect($groupIds.get()).toEqual([profiles.adult, profiles.kid])
    expect(localStorage.getItem(HOME_HERO_KEY)).toBeNull()
    expect($isParentActing.get()).toBe(false)
    expect($hasRestrictedViewer.get()).toBe(true)
    expect(getProfileSession()).not.toBe(session)
    await endGroup(profiles.adult)
    expect($groupIds.get()).toEqual([])
    expect($isParentActing.get()).toBe(true)
    expect($hasRestrictedViewer.get()).toBe(false)
  })

  it('without the exit PIN, adding an adult profile to the group of a kids profile fails and shows the adult profile as locked; with the exit PIN, the addition succeeds', async () => {
    await otherDevice.put('/api/user/family/exit-pin', { pin: '2468', password: TEST_PASSWORD })
    await actAs('guest')
    await loadProfiles()
    const findAdult = () => $profiles.get()?.find(({ profile_id }) => profile_id === profiles.adult)
    expect(findAdult()?.locked).toBe(false)
    await expect(setGroupMembers(profiles.kid, [{ profile_id: profiles.adult }])).rejects.toMatchObject({
      errors: { pin: ['needed'] },
    })
    expect(findAdult()).toMatchObject({ locked: true, needs_exit_pin: true })
    const members = [{ profile_id: profiles.adult, pin: '2468' }]
    expect(await setGroupMembers(profiles.kid, members)).toEqual([profiles.kid, profiles.adult])
    await otherDevice.put('/api/user/family/exit-pin', { pin: null, password: TEST_PASSWORD })
  })

  it('a group ends when another profile is selected', async () => {
    await loadProfiles()
    enterGroup(await setGroupMembers(profiles.adult, [{ profile_id: profiles.kid }]), null)
    await switchTo('guest')
    expect($groupIds.get()).toEqual([])
    await loadProfiles()
    expect($groupIds.get()).toEqual([])
  })
})

describe('the guide filter of the search', () => {
  it('the guide filter is sent with the query and stored in the URL', async () => {
    setSearchQuery('harbour', 0)
    setSearchGuideFilters(['violence-none'])
    await new Promise((resolve) => setTimeout(resolve, 1))
    await network.waitUntilIdle()
    expect($search.get().reply?.results).toEqual([])
    expect(location.search).toBe('?q=harbour&guide=violence-none')
    expect(network.requests.at(-1)?.url).toContain('guide=violence-none')
    expect($searchGuideFilters.get()).toEqual(['violence-none'])
  })
})
