/** Sign-in with a code, on the device that shows the code and on the device that approves the code. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { IssuedDeviceCode } from '../../src/lib/contract/device-sign-in.ts'
import { DEVICE_CODE_KEY } from '../../src/lib/storage-keys.ts'
import { startHousehold } from '../support/store-environment.ts'
import { TestClient } from '../support/test-client.ts'
import { waitFor } from '../support/wait-for.ts'

const { browser, credentials, network, otherDevice, profiles, server } = await startHousehold()
const { decideDeviceSignIn, loadRequestingDevice, startApprovedSession, waitForApproval } = await import(
  '../../src/lib/stores/device-sign-in.ts'
)
const { refreshSession } = await import('../../src/lib/client/auth.ts')
const { $session } = await import('../../src/lib/stores/session.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
const { $profile, $profileId, getLastProfileId } = await import('../../src/lib/stores/profile.ts')
const { $routeGuard } = await import('../../src/lib/stores/route-guard.ts')
const { navigate } = await import('../support/astro-router.ts')

for (const $store of [$session, $profile, $routeGuard]) $store.listen(() => {})
const getPath = () => browser.history.url.pathname
const countPolls = () => network.requests.filter(({ url }) => url.endsWith('/device-code/token')).length
const sendDecision = (user_code: string, decision: object) =>
  otherDevice.post('/api/auth/device-code/decision', { user_code, ...decision })

/** Starts waiting for an approval. Returns the code that this device shows, and the promise of the approval. */
async function startWaitingForApproval(signal = new AbortController().signal) {
  const { promise, resolve } = Promise.withResolvers<IssuedDeviceCode>()
  const approvalPromise = waitForApproval({ onCodeIssued: resolve, signal })
  approvalPromise.catch(() => {})
  return { code: await promise, approvalPromise }
}

beforeEach(async () => {
  await network.reset()
  if ($session.get().status === 'signed-in') await signOut()
  await navigate('/login/?redirect=%2Fmovies%2F')
  await waitFor(() => expect($routeGuard.get().status).toBe('open'))
  network.clearRequests()
})

describe('the device that shows a code', () => {
  it('an approved device enters the chosen profile and opens the requested page', async () => {
    const { code, approvalPromise } = await startWaitingForApproval()
    await sendDecision(code.user_code, { approve: true, profile_id: profiles.guest })
    const approvedSignIn = await approvalPromise
    if (typeof approvedSignIn === 'string') throw new Error(approvedSignIn)
    await startApprovedSession(approvedSignIn)
    await waitFor(() => expect($profile.get()?.profile_id).toBe(profiles.guest))
    await waitFor(() => expect(getPath()).toBe('/movies/'))
  })

  it('an approved device opens the profile picker when no profile was chosen', async () => {
    const { code, approvalPromise } = await startWaitingForApproval()
    await sendDecision(code.user_code, { approve: true })
    await startApprovedSession((await approvalPromise) as Exclude<Awaited<typeof approvalPromise>, string>)
    await waitFor(() => expect(getPath()).toBe('/profiles/'))
    expect($profileId.get()).toBeNull()
  })

  it('an approved device opens the profile picker at the chosen profile when that profile has a PIN', async () => {
    await otherDevice.post(`/api/profile/${profiles.guest}/lock`, { pin: '1234' })
    const { code, approvalPromise } = await startWaitingForApproval()
    await sendDecision(code.user_code, { approve: true, profile_id: profiles.guest })
    await startApprovedSession((await approvalPromise) as Exclude<Awaited<typeof approvalPromise>, string>)
    await waitFor(() => expect(getPath()).toBe('/profiles/'))
    expect([$profile.get(), getLastProfileId()]).toEqual([null, profiles.guest])
    await otherDevice.put(`/api/profile/${profiles.guest}/remove-lock`, { pin: '1234' })
  })

  it('a device stops waiting when its code is denied or expires', async () => {
    const deniedSignIn = await startWaitingForApproval()
    await sendDecision(deniedSignIn.code.user_code, { approve: false })
    expect(await deniedSignIn.approvalPromise).toBe('denied')
    const expiredSignIn = await startWaitingForApproval()
    server.advanceClock(600_000)
    expect(await expiredSignIn.approvalPromise).toBe('expired')
    await otherDevice.login(credentials.email)
  })

  it('after a reload, a device shows the same code and is signed in when the code is approved', async () => {
    // The first wait is not aborted: an abort deletes the stored code, but a reload does not.
    const { code } = await startWaitingForApproval()
    const { code: codeAfterReload, approvalPromise } = await startWaitingForApproval()
    expect(codeAfterReload.user_code).toBe(code.user_code)
    await sendDecision(code.user_code, { approve: true, profile_id: profiles.guest })
    expect(await approvalPromise).toMatchObject({ profileId: profiles.guest })
    expect((await startWaitingForApproval()).code.user_code).not.toBe(code.user_code)
  })

  it('after a reload, a device requests a new code when its code was used or expires within a minute', async () => {
    const { code, approvalPromise } = await startWaitingForApproval()
    const storedCodeJson = sessionStorage.getItem(DEVICE_CODE_KEY) ?? ''
    await sendDecision(code.user_code, { approve: true })
    const approvedSignIn = await approvalPromise
    if (typeof approvedSignIn === 'string') throw new Error(approvedSignIn)
    await startApprovedSession(approvedSignIn)
    await refreshSession()
    await signOut()
    sessionStorage.setItem(DEVICE_CODE_KEY, storedCodeJson)
    const shownCodes: string[] = []
    const controller = new AbortController()
    const { signal } = controller
    waitForApproval({ onCodeIssued: ({ user_code }) => shownCodes.push(user_code), signal }).catch(() => {})
    await waitFor(() => expect(shownCodes).toHaveLength(2))
    expect(shownCodes[1]).not.toBe(code.user_code)
    const expiresAtMs = Date.now() + 50_000
    controller.abort()
    sessionStorage.setItem(DEVICE_CODE_KEY, JSON.stringify({ ...JSON.parse(storedCodeJson), expiresAtMs }))
    expect((await startWaitingForApproval()).code.user_code).not.toBe(code.user_code)
  })

  it('a device continues to wait for approval while the server is busy', async () => {
    const { code, approvalPromise } = await startWaitingForApproval()
    network.failNext(/POST .*token$/, 503)
    await sendDecision(code.user_code, { approve: true })
    expect(await approvalPromise).toMatchObject({ profileId: null })
  })

  it('an approved device is signed in although the reply with its tokens was lost', async () => {
    const { code, approvalPromise } = await startWaitingForApproval()
    network.loseNextReply(/POST .*token$/)
    await sendDecision(code.user_code, { approve: true, profile_id: profiles.guest })
    expect(await approvalPromise).toMatchObject({ profileId: profiles.guest })
  })

  it('a device is signed in although its polls failed until the approved code expired', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })
    const { code, approvalPromise } = await startWaitingForApproval()
    vi.setSystemTime(Date.now() + 590_000)
    await otherDevice.login(credentials.email)
    network.failNext(/POST .*token$/, 503)
    await sendDecision(code.user_code, { approve: true })
    await waitFor(() => expect(countPolls()).toBe(1))
    vi.setSystemTime(Date.now() + 11_000)
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(await approvalPromise).toMatchObject({ profileId: null })
    await otherDevice.login(credentials.email)
  })

  it('while the server is busy, a device waits between polls even after the user has denied the code', async () => {
    const { code, approvalPromise } = await startWaitingForApproval()
    for (let failureCount = 0; failureCount < 50; failureCount++) network.failNext(/POST .*token$/, 503)
    await sendDecision(code.user_code, { approve: false })
    await waitFor(() => expect(countPolls()).toBe(1))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(countPolls()).toBe(1)
    await network.reset()
    expect(await approvalPromise).toBe('denied')
  })

  it('a login that the server has already created is signed out when the user cancels the sign-in before the reply with the tokens arrives', async () => {
    const countLogins = async () => (await otherDevice.get('/api/auth/devices')).body.total_results as number
    const initialLoginCount = await countLogins()
    const controller = new AbortController()
    const { code, approvalPromise } = await startWaitingForApproval(controller.signal)
    const releaseReply = network.hold(/POST .*token$/, 'reply')
    await sendDecision(code.user_code, { approve: true })
    await waitFor(async () => expect(await countLogins()).toBe(initialLoginCount + 1))
    controller.abort()
    releaseReply()
    await expect(approvalPromise).rejects.toThrow()
    expect(await countLogins()).toBe(initialLoginCount)
    expect(await refreshSession()).toBe(false)
  })

  it('a device stops waiting when the page is left, and waiting fails when no code is issued', async () => {
    const controller = new AbortController()
    const { approvalPromise } = await startWaitingForApproval(controller.signal)
    controller.abort()
    await expect(approvalPromise).rejects.toThrow()
    network.failNext(/device-code$/, 429)
    const failedSignInPromise = waitForApproval({
      onCodeIssued: () => {},
      signal: new AbortController().signal,
    })
    await expect(failedSignInPromise).rejects.toMatchObject({ status: 429 })
  })
})

describe('the device that approves a code', () => {
  it('approving a device needs the account password and signs the device in, also after a lost reply', async () => {
    await signIn(credentials)
    const television = new TestClient(server)
    const { body: deviceCodes } = await television.post('/api/auth/device-code', {
      device_name: 'Living room',
    })
    const { password } = credentials
    const passwordNeededError = { errors: { password: ['needed'] } }
    await expect(loadRequestingDevice(deviceCodes.user_code)).rejects.toMatchObject(passwordNeededError)
    expect(await loadRequestingDevice(deviceCodes.user_code, password)).toMatchObject({ name: 'Living room' })
    const decision = { userCode: deviceCodes.user_code, isApproved: true, profileId: profiles.kid }
    await expect(decideDeviceSignIn(decision)).rejects.toMatchObject(passwordNeededError)
    network.loseNextReply(/POST .*device-code\/decision$/)
    await decideDeviceSignIn({ ...decision, password })
    const { body } = await television.post('/api/auth/device-code/token', {
      device_code: deviceCodes.device_code,
    })
    expect(body).toMatchObject({ state: 'approved', profile_id: profiles.kid })
  })
})
