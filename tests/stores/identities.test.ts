/** Identity providers, API keys and changes of the email address, as the account and login pages use them. */
import { afterAll, expect, it } from 'vitest'
import { startOpenIdStub } from '../support/open-id-stub.ts'
import { buildClaims, describeProvider, grantCode } from '../support/provider-browser.ts'
import { TEST_PASSWORD } from '../support/server.ts'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, browser, network, otherDevice, profiles } = await signInHousehold()
const stub = await startOpenIdStub()
afterAll(() => stub.close())
await otherDevice.put('/api/admin/identity-providers', { providers: [describeProvider(stub)] })

const providerSignIn = await import('../../src/lib/stores/provider-sign-in.ts')
const identities = await import('../../src/lib/stores/identities.ts')
const apiKeys = await import('../../src/lib/stores/api-keys.ts')
const { completeEmailLink, loadEmailLink, requestEmailChange } = await import(
  '../../src/lib/stores/email-change.ts'
)
const { $session, signOut } = await import('../../src/lib/stores/session.ts')

/** Returns the response of the provider to the page that the site opened last. */
function answerLastPage() {
  const url = new URL(browser.documentLoads.at(-1) ?? '')
  const started = {
    url,
    state: url.searchParams.get('state') ?? '',
    nonce: url.searchParams.get('nonce') ?? '',
  }
  const person = { sub: 'alex', email: 'alex@provider.example' }
  return grantCode(stub, started, { claims: buildClaims(stub, started, person) })
}

it('links an identity and signs in with it', async () => {
  identities.$identities.listen(() => {})
  await identities.openProviderForLink('stub')
  await identities.linkIdentity({ providerId: 'stub', response: answerLastPage() })
  await network.waitUntilIdle()
  const [identity] = identities.$identities.get().data?.results ?? []
  expect(identity?.provider).toBe('Provider stub')
  await signOut()
  await providerSignIn.openProvider('stub')
  history.replaceState(null, '', `/login/#provider=stub&${answerLastPage()}`)
  const response = providerSignIn.takeProviderResponse()
  expect([response?.providerId, location.hash]).toEqual(['stub', ''])
  if (!response) throw new Error('no response')
  expect(await providerSignIn.signInWithProvider(response)).toBeNull()
  expect($session.get().status).toBe('signed-in')
  await expect(providerSignIn.signInWithProvider(response)).rejects.toMatchObject({
    errors: { provider: ['expired'] },
  })
  await actAs('adult')
  await identities.unlinkIdentity(identity?.identity_id ?? '')
  await network.waitUntilIdle()
  expect(identities.$identities.get().data?.results).toEqual([])
})

it.each(['', '#provider=stub', '#provider=../x&code=1', '#provider=https://evil.example&code=1'])(
  'ignores the fragment %s instead of reading a response from it',
  (hash) => {
    history.replaceState(null, '', `/login/${hash}`)
    expect(providerSignIn.takeProviderResponse()).toBeNull()
  },
)

it('creates an API key for a profile and revokes it', async () => {
  apiKeys.$apiKeys.listen(() => {})
  const key = { name: 'Lights', scopes: ['tracking:read' as const], profile_id: profiles.guest }
  const token = await apiKeys.createApiKey({ ...key, password: TEST_PASSWORD })
  expect(token).toMatch(/^mqk_/)
  await network.waitUntilIdle()
  const [storedKey] = apiKeys.$apiKeys.get().data?.results ?? []
  expect(storedKey).toMatchObject(key)
  await apiKeys.revokeApiKey(storedKey?.key_id ?? '')
  await network.waitUntilIdle()
  expect(apiKeys.$apiKeys.get().data?.results).toEqual([])
})

it('reports that the server sends no emails, and rejects a link that cannot be used', async () => {
  expect(await requestEmailChange('new@example.org', TEST_PASSWORD)).toBe(false)
  for (const call of [loadEmailLink, completeEmailLink])
    await expect(call('none')).rejects.toMatchObject({ errors: { token: ['unusable'] } })
})
