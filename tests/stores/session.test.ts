/** Signing in and out, and the account page. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '../../src/lib/contract/auth.ts'
import { startHousehold } from '../support/store-environment.ts'
import { TestClient } from '../support/test-client.ts'
import { waitFor } from '../support/wait-for.ts'

const { credentials, network, otherDevice, profiles, server } = await startHousehold()
const { $session, $user } = await import('../../src/lib/stores/session.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
const { updateUser } = await import('../../src/lib/stores/update-user.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
const { signUp } = await import('../../src/lib/stores/sign-up.ts')
const { $profile, $profileId, $profiles, loadProfiles, selectProfile } = await import(
  '../../src/lib/stores/profile.ts'
)
const { $securityActivities, $securityActivityPage, $devices, changePassword, deleteAccount, revokeDevice } =
  await import('../../src/lib/stores/account.ts')
const { $continueWatching } = await import('../../src/lib/stores/titles.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { refreshSession } = await import('../../src/lib/client/auth.ts')
const { callApi } = await import('../../src/lib/client/call.ts')
const { cacheReply } = await import('../../src/lib/client/read-cache.ts')
const { listContinueWatching } = await import('../../src/lib/contract/progress.ts')
const { getCurrentUser } = await import('../../src/lib/contract/auth.ts')
const { isOffline } = await import('../../src/lib/client/connectivity.ts')
const { loadStoredUser, pendingSignOut } = await import('../../src/lib/client/stored-session.ts')

for (const $store of [$session, $user, $profile]) $store.listen(() => {})
const signInAsAdult = async () => {
  await signIn(credentials)
  await loadProfiles()
  selectProfile(profiles.adult)
  await network.waitUntilIdle()
}

/** Tells this tab that another tab has changed the stored user. */
const announceStoredUser = () => dispatchEvent(Object.assign(new Event('storage'), { key: 'marquee-user' }))
const countDevices = async (): Promise<number> =>
  (await otherDevice.get('/api/auth/devices?limit=100')).body.results.length

beforeEach(async () => {
  if ($session.get().status === 'signed-in') await signOut()
  await waitFor(() => expect($session.get()).toEqual({ status: 'anonymous' }))
  network.clearRequests()
})

describe('signing in, signing up and pending sign-outs', () => {
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
    network.clearRequests()
    await signIn(credentials)
    await loadProfiles()
    expect(network.requests.filter(({ profile }) => profile !== null)).toEqual([])
    expect(network.requests.filter(({ url }) => url === '/api/auth/refresh')).toEqual([])
  })

  it('a sign-out that did not reach the server does not end the session of a user who signs up afterwards', async () => {
    await signInAsAdult()
    for (let attempt = 0; attempt < 2; attempt++) network.failNext(/logout/, 503)
    await signOut()
    const invitation = (await otherDevice.post('/api/auth/register/invite', {})).body
    await signUp(invitation.token, { email: 'next@example.org', password: 'Lumiere1895' })
    expect(await refreshSession()).toBe(true)
    expect($user.get()).toMatchObject({ email: 'next@example.org' })
    await deleteAccount('Lumiere1895')
  })

  it('a rejected refresh that was sent before the sign-in does not end the new session', async () => {
    const releaseRequest = network.hold(/refresh/)
    network.failNext(/refresh/, 401)
    const refreshPromise = refreshSession()
    await signIn(credentials)
    releaseRequest()
    expect(await refreshPromise).toBe(true)
    expect($user.get()).toMatchObject({ email: credentials.email })
    expect(loadStoredUser()).toMatchObject({ email: credentials.email })
  })

  it('a rejected refresh ends a pending sign-out', async () => {
    pendingSignOut.set()
    expect(await refreshSession()).toBe(false)
    expect(pendingSignOut.get()).toBe(false)
  })

  it('a pending sign-out is sent to the server before a user signs in again', async () => {
    await signInAsAdult()
    network.failNext(/logout/, 503)
    await signOut()
    const countBefore = await countDevices()
    await signIn(credentials)
    expect(await countDevices()).toBe(countBefore)
  })

  it('signing up again after a lost reply signs in to the account that the first attempt created', async () => {
    const invitation = (await otherDevice.post('/api/auth/register/invite', {})).body
    const newCredentials = { email: 'lost-reply@example.org', password: 'Lumiere1895' }
    network.loseNextReply(/POST .*register/)
    await expect(signUp(invitation.token, newCredentials)).rejects.toMatchObject({ status: 0 })
    await signUp(invitation.token, newCredentials)
    expect($user.get()).toMatchObject({ email: newCredentials.email })
    await deleteAccount(newCredentials.password)
  })

  it('signing up with an invitation that was revoked fails with 401', async () => {
    const invitation = (await otherDevice.post('/api/auth/register/invite', {})).body
    await otherDevice.delete(`/api/auth/invitations/${invitation.invitation_id}`)
    const newCredentials = { email: 'revoked@example.org', password: 'Lumiere1895' }
    await expect(signUp(invitation.token, newCredentials)).rejects.toMatchObject({ status: 401 })
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

describe('signing out and refreshing the session', () => {
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

  it('a sign-out in another tab signs this tab out', async () => {
    await signInAsAdult()
    localStorage.removeItem('marquee-user')
    announceStoredUser()
    expect($session.get()).toEqual({ status: 'anonymous' })
    expect($profileId.get()).toBeNull()
  })

  it('an offline sign-out takes effect immediately, ends the push subscription, and is sent at the next connection', async () => {
    await signInAsAdult()
    const unsubscribe = vi.fn(async () => true)
    const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } }
    Object.assign(navigator, { serviceWorker: { getRegistration: async () => registration } })
    network.failNext(/logout/, 0)
    await signOut()
    Reflect.deleteProperty(navigator, 'serviceWorker')
    expect(unsubscribe).toHaveBeenCalledOnce()
    expect($session.get()).toEqual({ status: 'anonymous' })
    expect(pendingSignOut.get()).toBe(true)
    await refreshSession()
    expect(pendingSignOut.get()).toBe(false)
    expect(await refreshSession()).toBe(false)
  })

  it.each([404, 408, 429, 503])(
    'a sign-out with the response status %i takes effect immediately, and is sent again at the next connection',
    async (status) => {
      await signInAsAdult()
      network.failNext(/logout/, status)
      await signOut()
      expect($session.get()).toEqual({ status: 'anonymous' })
      expect(await refreshSession()).toBe(false)
      expect(pendingSignOut.get()).toBe(false)
      expect(await refreshSession()).toBe(false)
    },
  )

  it('a sign-out without a response takes effect after four seconds, and is sent again at the next connection', async () => {
    await signInAsAdult()
    const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort())
    await signOut()
    expect(timeoutSpy).toHaveBeenCalledExactlyOnceWith(4_000)
    timeoutSpy.mockRestore()
    expect($session.get()).toEqual({ status: 'anonymous' })
    expect(await refreshSession()).toBe(false)
    expect(pendingSignOut.get()).toBe(false)
  })

  it('a sign-out stays pending when sending it again fails too, and the user stays signed out', async () => {
    await signInAsAdult()
    for (let attempt = 0; attempt < 2; attempt++) network.failNext(/logout/, 0)
    await signOut()
    expect(await refreshSession()).toBe(false)
    expect(pendingSignOut.get()).toBe(true)
    expect(await refreshSession()).toBe(false)
    expect(pendingSignOut.get()).toBe(false)
  })

  it.each([
    ['403', [403], undefined],
    ['404', [404], undefined],
    ['408', [408], undefined],
    ['a page in place of JSON', [200, 200], '<!doctype html><title>Maintenance</title>'],
  ])(
    'a refresh that gets the response %s keeps the session and the stored data',
    async (_, statuses, html) => {
      await signInAsAdult()
      for (const status of statuses) network.failNext(/refresh/, status, html)
      expect(await refreshSession()).toBe(true)
      expect($user.get()).toMatchObject({ email: credentials.email })
      expect(loadStoredUser()).toMatchObject({ email: credentials.email })
      expect(isOffline()).toBe(true)
      await refreshSession()
      expect(isOffline()).toBe(false)
    },
  )

  it('while a refresh is slow, a read returns its cached reply, and the user is not shown as offline', async () => {
    await signInAsAdult()
    const path = `/api/profile/${profiles.adult}/continue-watching`
    await cacheReply('/api/profile', null, { results: $profiles.get(), group: [] })
    await cacheReply(path, profiles.adult, { results: [] })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const releaseRequests = network.hold(/refresh|continue-watching/)
    const refreshPromise = refreshSession()
    const readPromise = callApi(listContinueWatching, { params: { id: profiles.adult } })
    await vi.advanceTimersByTimeAsync(4_500)
    expect(await readPromise).toMatchObject({ results: [] })
    expect(isOffline()).toBe(false)
    vi.useRealTimers()
    releaseRequests()
    expect(await refreshPromise).toBe(true)
  })

  it('on a new page, a call without a cached reply waits for a slow refresh', async () => {
    await signInAsAdult()
    vi.resetModules()
    const [newPageAuth, newPageCall] = await Promise.all([
      import('../../src/lib/client/auth.ts'),
      import('../../src/lib/client/call.ts'),
    ])
    const sessions: unknown[] = []
    newPageAuth.onSessionChange((session) => sessions.push(session))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const releaseRequests = network.hold(/refresh/)
    void newPageAuth.startSession()
    await vi.advanceTimersByTimeAsync(4_500)
    expect(sessions).toMatchObject([{ token: '', user: { email: credentials.email } }])
    const callPromise = newPageCall.callApi(getCurrentUser, {})
    vi.useRealTimers()
    releaseRequests()
    expect(await callPromise).toMatchObject({ email: credentials.email })
  })

  it('a refresh without a response is aborted after eight seconds, and is not sent again immediately', async () => {
    await signInAsAdult()
    const timeoutSpy = vi
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')))
    network.clearRequests()
    expect(await refreshSession()).toBe(true)
    expect(timeoutSpy).toHaveBeenCalledExactlyOnceWith(8_000)
    expect(isOffline()).toBe(true)
    timeoutSpy.mockRestore()
    await refreshSession()
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

describe('another user in another tab', () => {
  const otherUser = { email: 'tab@example.org', password: '' }
  /** Signs another user in without the code of this tab: only the cookie and the stored user change. */
  const signInInOtherTab = async () => {
    const response = await fetch('/api/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(otherUser),
    })
    const { user } = (await response.json()) as { user: User }
    localStorage.setItem('marquee-user', JSON.stringify(user))
  }
  beforeAll(async () => {
    const { insertTestAccount, TEST_PASSWORD } = await import('../support/server.ts')
    await insertTestAccount(server, otherUser.email)
    otherUser.password = TEST_PASSWORD
  })

  it('after another user has signed in through another tab, this tab switches to that user and shows no profiles of the previous user', async () => {
    await signInAsAdult()
    await signInInOtherTab()
    announceStoredUser()
    await waitFor(() => expect($user.get()).toMatchObject({ email: otherUser.email }))
    expect($profiles.get()).toBeNull()
    expect($profileId.get()).toBeNull()
  })

  it('before this tab switches to the new user, it caches no replies for the new user and does not replace the stored user', async () => {
    await signInAsAdult()
    await signInInOtherTab()
    await cacheReply('/api/profile', null, { results: $profiles.get() })
    const otherUserId = loadStoredUser()?.user_id ?? ''
    expect((await caches.keys()).filter((name) => name.includes(otherUserId))).toEqual([])
    await updateUser({ preferences: {} })
    expect(loadStoredUser()).toMatchObject({ email: otherUser.email })
  })

  it('a request of the previous user that returns 401 is not sent again for the new user', async () => {
    await signInAsAdult()
    await signInInOtherTab()
    network.failNext(/PUT/, 401)
    network.clearRequests()
    await expect(updateUser({ onboarded: false })).rejects.toMatchObject({ status: 401 })
    expect(network.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    expect($user.get()).toMatchObject({ email: otherUser.email })
  })
})

describe('the account page', () => {
  for (const $store of [$devices, $securityActivities]) $store.listen(() => {})

  it('signing out another device removes that device from the list', async () => {
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
    const [firstActivity] = $securityActivities.get().data?.results ?? []
    expect(firstActivity).toBeDefined()
    $securityActivityPage.set(2)
    await network.waitUntilIdle()
    expect(network.requests.at(-1)?.url).toBe('/api/auth/activities?page=2')
    selectProfile(profiles.guest)
    await network.waitUntilIdle()
    expect($securityActivityPage.get()).toBe(1)
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
    network.clearRequests()
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
