/** Signing in and out, and the account page. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startHousehold } from '../support/store-environment.ts'
import { TestClient } from '../support/test-client.ts'

const { credentials, network, otherDevice, profiles, server } = await startHousehold()
const { $session, $user, signOut, updateUser } = await import('../../src/lib/stores/session.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
const { signUp } = await import('../../src/lib/stores/sign-up.ts')
const { $profile, $profileId, $profiles, loadProfiles, selectProfile } = await import(
  '../../src/lib/stores/profile.ts'
)
const { $activities, $activityPage, $devices, changePassword, deleteAccount, revokeDevice } = await import(
  '../../src/lib/stores/account.ts'
)
const { $continueWatching } = await import('../../src/lib/stores/titles.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { refreshSession } = await import('../../src/lib/client/auth.ts')
const { pendingSignOut } = await import('../../src/lib/client/stored-session.ts')

for (const $store of [$session, $user, $profile]) $store.listen(() => {})
const signInAsAdult = async () => {
  await signIn(credentials)
  await loadProfiles()
  selectProfile(profiles.adult)
  await network.waitUntilIdle()
}

beforeEach(async () => {
  if ($session.get().status === 'signed-in') await signOut()
  await vi.waitFor(() => expect($session.get()).toEqual({ status: 'anonymous' }))
  network.clear()
})

describe('signing in', () => {
  it('signing in fails with 401 for a wrong password', async () => {
    await expect(signIn({ ...credentials, password: 'Wrong1234' })).rejects.toMatchObject({ status: 401 })
    expect($session.get()).toEqual({ status: 'anonymous' })
  })

  it('signing in stores the account', async () => {
    await signIn(credentials)
    expect($user.get()).toMatchObject({ email: credentials.email, role: 'admin' })
  })

  it('signing in sends neither the profile of the previous session nor a refresh request', async () => {
    await signInAsAdult()
    await signOut()
    network.clear()
    await signIn(credentials)
    await loadProfiles()
    expect(network.requests.filter(({ profile }) => profile !== null)).toEqual([])
    expect(network.requests.filter(({ url }) => url === '/api/auth/refresh')).toEqual([])
  })

  it('an invitation creates an account, which the user can delete', async () => {
    const invitation = (await otherDevice.post('/api/auth/register/invite', {})).body
    await signUp(invitation.token, { email: 'new@example.org', password: 'Lumiere1895' })
    expect($user.get()).toMatchObject({ email: 'new@example.org', role: 'user', onboarded: false })
    await updateUser({ onboarded: true })
    expect($user.get()).toMatchObject({ onboarded: true })
    await deleteAccount('Lumiere1895')
    expect($session.get()).toEqual({ status: 'anonymous' })
  })
})

describe('signing out', () => {
  it('signing out removes the profiles, the acting profile and the data of the acting profile', async () => {
    const stopListening = $continueWatching.listen(() => {})
    await signInAsAdult()
    expect($continueWatching.get().data).toBeDefined()
    await signOut()
    expect($profiles.get()).toBeNull()
    expect($profileId.get()).toBeNull()
    expect($continueWatching.get()).toEqual({ loading: false })
    expect(localStorage.getItem('marquee-profile') ?? sessionStorage.getItem('marquee-profile')).toBeNull()
    stopListening()
  })

  it('a list of profiles that arrives after signing out is ignored', async () => {
    await signInAsAdult()
    const releaseRequest = network.hold(/GET \/api\/profile$/, 'reply')
    const loadPromise = loadProfiles()
    await network.waitUntilIdle()
    await signOut()
    releaseRequest()
    await loadPromise
    expect($profiles.get()).toBeNull()
  })

  it('signing out applies to every tab', async () => {
    await signInAsAdult()
    new BroadcastChannel('marquee-session').postMessage('signed-out')
    await vi.waitFor(() => expect($session.get()).toEqual({ status: 'anonymous' }))
    expect($profileId.get()).toBeNull()
  })

  it('an offline sign-out takes effect at once, and is sent to the server at the next connection', async () => {
    await signInAsAdult()
    network.failNext(/logout/, 0)
    await signOut()
    expect($session.get()).toEqual({ status: 'anonymous' })
    expect(pendingSignOut.get()).toBe(true)
    await refreshSession()
    expect(pendingSignOut.get()).toBe(false)
    expect(await refreshSession()).toBe(false)
  })

  it('a user whose session the server has ended is signed out', async () => {
    await signInAsAdult()
    await server.database.primary.deleteFrom('login').where('account_id', '!=', '').execute()
    await otherDevice.login(credentials.email)
    expect(await refreshSession()).toBe(false)
    expect($session.get()).toEqual({ status: 'anonymous' })
    expect($profiles.get()).toBeNull()
  })
})

describe('another user on the same device', () => {
  it('another user on the same device sees no data of a previous user who has not signed out', async () => {
    await signInAsAdult()
    const stopListening = $continueWatching.listen(() => {})
    await network.waitUntilIdle()
    const otherClient = new TestClient(server)
    const { insertTestAccount, TEST_PASSWORD } = await import('../support/server.ts')
    await insertTestAccount(server, 'other@example.org')
    await otherClient.login('other@example.org')
    await signIn({ email: 'other@example.org', password: TEST_PASSWORD })
    expect($profiles.get()).toBeNull()
    expect($profileId.get()).toBeNull()
    expect($continueWatching.get()).toEqual({ loading: false })
    stopListening()
  })
})

describe('the account page', () => {
  for (const $store of [$devices, $activities]) $store.listen(() => {})

  it('signing out another device removes this device from the list', async () => {
    await signInAsAdult()
    const deviceCount = $devices.get().data?.results.length ?? 0
    const otherLogin = $devices.get().data?.results.find(({ current }) => !current)
    await revokeDevice(otherLogin?.device_id ?? '')
    await network.waitUntilIdle()
    expect($toast.get()).toMatchObject({ key: 'account:revoked' })
    expect($devices.get().data?.results).toHaveLength(deviceCount - 1)
    await otherDevice.login(credentials.email)
  })

  it('a message is shown when signing out a device fails', async () => {
    await signInAsAdult()
    network.failNext(/logout-device/, 500)
    await revokeDevice('x')
    expect($toast.get()).toMatchObject({ key: 'account:revokeFailed', kind: 'bad' })
  })

  it('security activities are loaded page by page', async () => {
    await signInAsAdult()
    const [firstActivity] = $activities.get().data?.results ?? []
    expect(firstActivity).toBeDefined()
    $activityPage.set(2)
    await network.waitUntilIdle()
    expect(network.requests.at(-1)?.url).toBe('/api/auth/activities?page=2')
    selectProfile(profiles.guest)
    await network.waitUntilIdle()
    expect($activityPage.get()).toBe(1)
  })

  it('changing the password needs the current password', async () => {
    await signInAsAdult()
    const passwordChange = {
      current_password: 'Wrong1234',
      new_password: 'Melies1902',
      sign_out_others: false,
    }
    await expect(changePassword(passwordChange)).rejects.toMatchObject({ status: 403 })
    await changePassword({ ...passwordChange, current_password: credentials.password })
    expect($toast.get()).toMatchObject({ key: 'account:passwordUpdated' })
    await changePassword({
      ...passwordChange,
      current_password: 'Melies1902',
      new_password: credentials.password,
    })
  })

  it('sending the same change of the password twice at the same time sends one request', async () => {
    await signInAsAdult()
    const passwordChange = {
      current_password: credentials.password,
      new_password: 'Melies1902',
      sign_out_others: false,
    }
    network.clear()
    await Promise.all([changePassword(passwordChange), changePassword(passwordChange)])
    expect(network.requests.filter(({ url }) => url.includes('password'))).toHaveLength(1)
    await changePassword({
      ...passwordChange,
      current_password: 'Melies1902',
      new_password: credentials.password,
    })
    expect($toast.get()).toMatchObject({ key: 'account:passwordUpdated' })
  })
})
