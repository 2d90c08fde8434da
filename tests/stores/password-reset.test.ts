/** Requesting a password reset, and setting a new password with a link that an administrator created. */
import { expect, it } from 'vitest'
import { startHousehold } from '../support/store-environment.ts'

const { credentials, otherDevice } = await startHousehold()
const { loadPasswordReset, requestPasswordReset, setNewPassword } = await import(
  '../../src/lib/stores/password-reset.ts'
)
const { $session } = await import('../../src/lib/stores/session.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
$session.listen(() => {})

it('requesting a password reset reports that a server without email settings sends no email', async () => {
  expect(await requestPasswordReset(credentials.email)).toBe(false)
})

it('completing a password reset changes the password of the account and signs this device out', async () => {
  await signIn(credentials)
  const userId = (await otherDevice.get('/api/auth/me')).body.user_id
  const { body } = await otherDevice.post(`/api/admin/users/${userId}/password-reset`)
  const token = new URL(body.url).searchParams.get('token') ?? ''
  const profileId = (await otherDevice.get('/api/profile')).body.results[0].profile_id
  await otherDevice.post(`/api/profile/${profileId}/calendar/feed`)
  expect(await loadPasswordReset(token)).toMatchObject({
    email: credentials.email,
    other_access: { passkeys: 0, identities: 0, calendar_addresses: 1 },
  })
  await setNewPassword(token, 'Melies1902', { shouldRemoveAccess: true })
  expect($session.get()).toEqual({ status: 'anonymous' })
  await signIn({ ...credentials, password: 'Melies1902' })
  await expect(loadPasswordReset(token)).rejects.toMatchObject({ errors: { token: ['unusable'] } })
})
