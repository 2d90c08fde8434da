/** A sign-out on this device, while another tab or device may end the login at the same time. */
import { expect, it } from 'vitest'
import { ACCOUNT_EVENTS_CHANNEL } from '../../src/lib/storage-keys.ts'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { network } = await signInHousehold()
const { startAccountEvents } = await import('../../src/lib/stores/account-events.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
const { endedLogin } = await import('../../src/lib/client/stored-session.ts')
const { $session } = await import('../../src/lib/stores/session.ts')

it('an event that ends the login during a sign-out on this device adds no message to the sign-in page', async () => {
  startAccountEvents()
  await network.waitUntilIdle()
  const releaseReply = network.hold(/logout/, 'reply')
  const signOutPromise = signOut()
  const channel = new BroadcastChannel(ACCOUNT_EVENTS_CHANNEL)
  channel.postMessage({ kind: 'revoked' })
  await waitFor(() => expect($session.get().status).toBe('anonymous'))
  releaseReply()
  await signOutPromise
  // The tab with the event stream may report the end of the login again.
  channel.postMessage({ kind: 'revoked' })
  await network.waitUntilIdle()
  channel.close()
  expect(endedLogin.get()).toBe(false)
})
