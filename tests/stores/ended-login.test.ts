/** A login that another device ends. */
import { beforeEach, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { credentials, network, otherDevice } = await signInHousehold()
const { refreshSession } = await import('../../src/lib/client/auth.ts')
const { endedLogin } = await import('../../src/lib/client/stored-session.ts')
const { startAccountEvents } = await import('../../src/lib/stores/account-events.ts')
const { $session } = await import('../../src/lib/stores/session.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')

async function endOtherLogins(): Promise<void> {
  const { results } = (await otherDevice.get('/api/auth/devices')).body as {
    results: { device_id: string; current: boolean }[]
  }
  for (const { device_id, current } of results)
    if (!current) await otherDevice.post('/api/auth/logout-device', { device_id })
}

beforeEach(async () => {
  if ($session.get().status === 'anonymous') await signIn(credentials)
  expect(endedLogin.get()).toBe(false)
  await endOtherLogins()
  expect($session.get().status).toBe('signed-in')
})

it('a device that listens to events after its login has ended is signed out, and the sign-in page gives the reason', async () => {
  startAccountEvents()
  await waitFor(() => expect($session.get().status).toBe('anonymous'))
  expect(endedLogin.get()).toBe(true)
})

it('a device that refreshes its session after its login has ended is signed out, and the sign-in page gives the reason until a user signs in', async () => {
  expect(await refreshSession()).toBe(false)
  expect($session.get().status).toBe('anonymous')
  expect(endedLogin.get()).toBe(true)
  await signIn(credentials)
  await network.waitUntilIdle()
  expect(endedLogin.get()).toBe(false)
})
