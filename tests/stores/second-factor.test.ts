/** Set-up of the second factor, the second step of a sign-in, and calls that need a recent second factor. */
import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { TEST_PASSWORD } from '../support/server.ts'
import { signInHousehold } from '../support/store-environment.ts'

const { server, credentials, network, actAs } = await signInHousehold()
const { $secondFactorRequest, confirmWithCode, displaySecondFactorRequests } = await import(
  '../../src/lib/stores/second-factor-request.ts'
)
const { $secondFactor, completeSignIn, confirmTotpSetup, createRecoveryCodes, removeTotp, startTotpSetup } =
  await import('../../src/lib/stores/second-factor.ts')
const { $session } = await import('../../src/lib/stores/session.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
const { changePassword } = await import('../../src/lib/stores/account.ts')
$secondFactor.listen(() => {})

let secret = ''
const generateCode = () =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.deps.now() })
const passwordChange = {
  current_password: TEST_PASSWORD,
  new_password: TEST_PASSWORD,
  sign_out_others: false,
}

it('setting up an authenticator app returns ten recovery codes', async () => {
  secret = (await startTotpSetup(TEST_PASSWORD)).secret
  expect(await confirmTotpSetup({ code: generateCode(), shouldSignOutOthers: false })).toHaveLength(10)
  await network.waitUntilIdle()
  expect($secondFactor.get().data).toMatchObject({ recovery_codes_left: 10 })
})

it('signing in with a second factor needs the password and then a correct code', async () => {
  await signOut()
  const signInStep = await signIn(credentials)
  expect($session.get()).toEqual({ status: 'anonymous' })
  server.advanceClock(30_000)
  await expect(completeSignIn(signInStep?.sign_in_token ?? '', '000000')).rejects.toMatchObject({
    errors: { second_factor: ['wrong'] },
  })
  await completeSignIn(signInStep?.sign_in_token ?? '', generateCode())
  expect($session.get()).toMatchObject({ status: 'signed-in' })
  await actAs('adult')
})

it('a call that needs a recent second factor fails on a page without the confirmation dialog', async () => {
  server.advanceClock(15 * 60_000)
  await expect(changePassword(passwordChange)).rejects.toMatchObject({
    errors: { second_factor: ['needed'] },
  })
})

it('one confirmation of the second factor makes all waiting calls succeed, and closing the dialog makes the waiting calls fail', async () => {
  const stopDisplay = displaySecondFactorRequests()
  const changePromise = changePassword(passwordChange)
  await network.waitUntilIdle()
  $secondFactorRequest.get()?.finish(false)
  await expect(changePromise).rejects.toMatchObject({ errors: { second_factor: ['needed'] } })
  const callPromises = [changePassword(passwordChange), createRecoveryCodes()]
  await network.waitUntilIdle()
  await expect(confirmWithCode('000000')).rejects.toMatchObject({ errors: { second_factor: ['wrong'] } })
  await confirmWithCode(generateCode())
  expect((await Promise.all(callPromises))[1]).toHaveLength(10)
  expect($secondFactorRequest.get()).toBeNull()
  stopDisplay()
})

it('an account without a second factor signs in with the password alone', async () => {
  await removeTotp(TEST_PASSWORD)
  await signOut()
  expect(await signIn(credentials)).toBeNull()
})

it('when the reply to the confirmation of an authenticator app was lost, the second factor is turned on and new recovery codes are returned', async () => {
  await actAs('adult')
  await network.waitUntilIdle()
  secret = (await startTotpSetup(TEST_PASSWORD)).secret
  network.loseNextReply(/POST .*totp\/confirm/)
  expect(await confirmTotpSetup({ code: generateCode(), shouldSignOutOthers: false })).toHaveLength(10)
  await network.waitUntilIdle()
  expect($secondFactor.get().data).toMatchObject({ totp_since: expect.any(String), recovery_codes_left: 10 })
  await removeTotp(TEST_PASSWORD)
})

it('a second attempt to confirm an authenticator app returns recovery codes when the reply to the first attempt was lost and the network then failed', async () => {
  await network.waitUntilIdle()
  secret = (await startTotpSetup(TEST_PASSWORD)).secret
  network.loseNextReply(/POST .*totp\/confirm/)
  network.failNext(/GET .*second-factor/, 0)
  const confirmation = { code: generateCode(), shouldSignOutOthers: false }
  await expect(confirmTotpSetup(confirmation)).rejects.toMatchObject({ status: 0 })
  await network.waitUntilIdle()
  expect($secondFactor.get().data).toMatchObject({ totp_since: expect.any(String) })
  expect(await confirmTotpSetup(confirmation)).toHaveLength(10)
})
