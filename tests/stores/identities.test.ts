/** Identity providers, API keys and changes of the email address, as the account and login pages use them. */
import { afterAll, expect, it } from 'vitest'
import { startOpenIdStub } from '../support/open-id-stub.ts'
import { buildClaims, createCodeResponseQuery, createProviderSettings } from '../support/provider-browser.ts'
import { TEST_PASSWORD } from '../support/server.ts'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, browser, network, otherDevice, profiles } = await signInHousehold()
const openIdStub = await startOpenIdStub()
afterAll(() => openIdStub.close())
await otherDevice.put('/api/admin/identity-providers', { providers: [createProviderSettings(openIdStub)] })

const providerSignInStore = await import('../../src/lib/stores/provider-sign-in.ts')
const identitiesStore = await import('../../src/lib/stores/identities.ts')
const apiKeysStore = await import('../../src/lib/stores/api-keys.ts')
const { completeEmailLink, loadEmailLink, requestEmailChange } = await import(
  '../../src/lib/stores/email-change.ts'
)
const { $session } = await import('../../src/lib/stores/session.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')

/**
 * Makes the provider accept the last sign-in that the site has started. Returns the query string with which the
 * provider redirects to the site.
 */
function approveProviderSignIn() {
  const url = new URL(browser.documentLoads.at(-1) ?? '')
  const startedSignIn = {
    url,
    state: url.searchParams.get('state') ?? '',
    nonce: url.searchParams.get('nonce') ?? '',
  }
  const person = { sub: 'alex', email: 'alex@provider.example' }
  return createCodeResponseQuery(openIdStub, startedSignIn, {
    claims: buildClaims(openIdStub, startedSignIn, person),
  })
}

it('a user can sign in with a linked identity and unlink the identity, and each provider response is accepted only once', async () => {
  identitiesStore.$identities.listen(() => {})
  await expect(identitiesStore.openProviderForLink('stub')).rejects.toMatchObject({
    errors: { password: ['needed'] },
  })
  await identitiesStore.openProviderForLink('stub', TEST_PASSWORD)
  await identitiesStore.linkIdentity({ providerId: 'stub', response: approveProviderSignIn() })
  const identity = await waitFor(() => {
    const [linkedIdentity] = identitiesStore.$identities.get().data?.results ?? []
    expect(linkedIdentity?.provider).toBe('Provider stub')
    return linkedIdentity
  })
  await signOut()
  await providerSignInStore.openProvider('stub')
  history.replaceState(null, '', `/login/#provider=stub&${approveProviderSignIn()}`)
  const providerResponse = providerSignInStore.takeProviderResponse()
  expect([providerResponse?.providerId, location.hash]).toEqual(['stub', ''])
  if (!providerResponse) throw new Error('no response')
  expect(await providerSignInStore.signInWithProvider(providerResponse)).toBeNull()
  expect($session.get().status).toBe('signed-in')
  await expect(providerSignInStore.signInWithProvider(providerResponse)).rejects.toMatchObject({
    errors: { provider: ['expired'] },
  })
  await actAs('adult')
  await identitiesStore.unlinkIdentity(identity?.identity_id ?? '')
  await waitFor(() => expect(identitiesStore.$identities.get().data?.results).toEqual([]))
})

it.each(['', '#provider=stub', '#provider=../x&code=1', '#provider=https://evil.example&code=1'])(
  'the URL fragment "%s" is not read as a provider response',
  (hash) => {
    history.replaceState(null, '', `/login/${hash}`)
    expect(providerSignInStore.takeProviderResponse()).toBeNull()
  },
)

it('an API key for a profile can be created and revoked', async () => {
  apiKeysStore.$apiKeys.listen(() => {})
  const keyFields = { name: 'Lights', scopes: ['tracking:read' as const], profile_id: profiles.guest }
  const token = await apiKeysStore.createApiKey({ ...keyFields, password: TEST_PASSWORD })
  expect(token).toMatch(/^mqk_/)
  await network.waitUntilIdle()
  const [storedKey] = apiKeysStore.$apiKeys.get().data?.results ?? []
  expect(storedKey).toMatchObject(keyFields)
  await apiKeysStore.revokeApiKey(storedKey?.key_id ?? '')
  await network.waitUntilIdle()
  expect(apiKeysStore.$apiKeys.get().data?.results).toEqual([])
})

it('requesting an email change reports that a server without email settings sends no email, and an invalid email link is rejected', async () => {
  expect(await requestEmailChange('new@example.org', TEST_PASSWORD)).toBe(false)
  for (const callEmailLinkEndpoint of [loadEmailLink, completeEmailLink])
    await expect(callEmailLinkEndpoint('none')).rejects.toMatchObject({ errors: { token: ['unusable'] } })
})
