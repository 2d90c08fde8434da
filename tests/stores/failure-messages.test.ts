/** The message that is shown after a failed action. */
import { expect, it } from 'vitest'
import { createNetworkError } from '../../src/lib/client/errors.ts'
import { signInHousehold } from '../support/store-environment.ts'

const { network } = await signInHousehold()
const { $watchRequests, answerRequest } = await import('../../src/lib/stores/watch-requests.ts')
const { $toast, getFailureKey } = await import('../../src/lib/stores/toast.ts')

it.each([
  ['no connection', 'errors:network', createNetworkError()],
  ['status 404', 'errors:gone', { status: 404 }],
  ['status 429', 'errors:tooMany', { status: 429 }],
  ['status 500', 'errors:failed', { status: 500 }],
  ['an error that does not come from the API', 'errors:failed', new TypeError()],
])('%s has the message %s', (_cause, key, error) => {
  expect(getFailureKey(error)).toBe(key)
})

it('an answer to a watch request that no longer exists shows a message, and the requests are loaded again', async () => {
  $watchRequests.listen(() => {})
  await network.waitUntilIdle()
  network.clearRequests()
  await answerRequest('deleted-request', 'always')
  await network.waitUntilIdle()
  expect($toast.get()).toMatchObject({ key: 'errors:gone', kind: 'bad' })
  expect(network.requests.filter(({ url }) => url.endsWith('/user/requests'))).not.toEqual([])
})
