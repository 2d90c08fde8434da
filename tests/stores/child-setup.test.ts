/** Creation of a profile for a child: limits are part of the call, and a lost reply leads to no second profile. */
import { expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, network, profiles } = await signInHousehold()
const { createProfile, deleteProfile } = await import('../../src/lib/stores/profile-changes.ts')
const { getLimitsStore } = await import('../../src/lib/stores/family.ts')
const { $profiles, loadProfiles } = await import('../../src/lib/stores/profile.ts')

it('retrying the creation of a child profile after a lost reply creates no second profile, and the profile has the requested limits', async () => {
  await actAs('adult')
  const limits = { max_age: 13 as const, guide: {}, accepts_unknown_guide: true }
  const childInput = { key: 'setup', name: 'Mia', kids: false, limits }
  network.loseNextReply(/POST .*\/profile$/)
  await expect(createProfile(childInput)).rejects.toThrow()
  const child = await createProfile(childInput)
  await loadProfiles()
  expect($profiles.get()?.filter(({ name }) => name === 'Mia')).toMatchObject([{ restricted: true }])
  const limitsStore = getLimitsStore(child.profile_id)
  limitsStore.listen(() => {})
  await network.waitUntilIdle()
  expect(limitsStore.get().data).toEqual(limits)
  await deleteProfile(child.profile_id)
  expect($profiles.get()).toHaveLength(Object.keys(profiles).length)
})
