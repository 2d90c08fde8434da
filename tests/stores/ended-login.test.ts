/** A login that another device ends. */
import { expect, it } from 'vitest'
import { SIGNED_OUT_KEY } from '../../src/lib/storage-keys.ts'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { otherDevice } = await signInHousehold()
const { startAccountEvents } = await import('../../src/lib/stores/account-events.ts')
const { $session } = await import('../../src/lib/stores/session.ts')

it('a device whose login ended before it listened to events is signed out, and the reason is stored for the sign-in page', async () => {
  const { results } = (await otherDevice.get('/api/auth/devices')).body as {
    results: { device_id: string; current: boolean }[]
  }
  for (const { device_id, current } of results)
    if (!current) await otherDevice.post('/api/auth/logout-device', { device_id })
  expect($session.get().status).toBe('signed-in')
  startAccountEvents()
  await waitFor(() => expect($session.get().status).toBe('anonymous'))
  await waitFor(() => expect(sessionStorage.getItem(SIGNED_OUT_KEY)).toBe('1'))
})
