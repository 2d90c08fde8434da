/**
 * Passkeys of the account page and of the login page. A software authenticator replaces the authenticator of the
 * browser.
 */
import { expect, it } from 'vitest'
import { TestAuthenticator } from '../support/authenticator.ts'
import { TEST_PASSWORD } from '../support/server.ts'
import { signInHousehold } from '../support/store-environment.ts'

const RELYING_PARTY = { origin: 'https://films.example.com', rpId: 'films.example.com' }
const { actAs, network } = await signInHousehold(undefined, { PUBLIC_URL: RELYING_PARTY.origin })
const authenticator = new TestAuthenticator(RELYING_PARTY)
let isConsentRefused = false

const encodeBase64Url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')
const decodeBase64Url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
/** Converts the base64url fields of a credential to bytes, as browsers return them. */
function toBrowserCredential({ id, type, response }: ReturnType<TestAuthenticator['get' | 'create']>) {
  const responseFields = Object.entries(response).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, decodeBase64Url(value)]] : [],
  )
  const getClientExtensionResults = () => ({})
  return {
    id,
    rawId: decodeBase64Url(id),
    type,
    response: Object.fromEntries(responseFields),
    getClientExtensionResults,
  }
}
interface PublicKeyOptions {
  publicKey: { challenge: ArrayBuffer; user: { id: ArrayBuffer } }
}
const requireConsent = () => {
  if (isConsentRefused) throw new DOMException('refused', 'NotAllowedError')
}
Object.defineProperty(navigator, 'credentials', {
  value: {
    create: async ({ publicKey }: PublicKeyOptions) => {
      requireConsent()
      const { challenge, user } = publicKey
      const creationOptions = {
        challenge: encodeBase64Url(challenge),
        user: { id: encodeBase64Url(user.id) },
      }
      return toBrowserCredential(authenticator.create(creationOptions))
    },
    get: async ({ publicKey }: PublicKeyOptions) => {
      requireConsent()
      authenticator.counter += 1
      return toBrowserCredential(authenticator.get({ challenge: encodeBase64Url(publicKey.challenge) }))
    },
  },
})
Object.assign(globalThis, { PublicKeyCredential: class {} })

const { $passkeys, addPasskey, confirmWithPasskey, removePasskey, renamePasskey, signInWithPasskey } =
  await import('../../src/lib/stores/passkeys.ts')
const { $session } = await import('../../src/lib/stores/session.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
$passkeys.listen(() => {})
const loadPasskeyNames = async () => {
  await network.waitUntilIdle()
  return $passkeys.get().data?.results.map(({ name }) => name)
}

it('a passkey can be added only with the account password, and can be renamed', async () => {
  await expect(addPasskey({ password: 'Wrong12345', name: 'Phone' })).rejects.toMatchObject({
    errors: { password: ['wrong'] },
  })
  isConsentRefused = true
  await expect(addPasskey({ password: TEST_PASSWORD, name: 'Phone' })).rejects.toThrow()
  expect(await loadPasskeyNames()).toEqual([])
  isConsentRefused = false
  await addPasskey({ password: TEST_PASSWORD, name: 'Phone' })
  expect(await loadPasskeyNames()).toEqual(['Phone'])
  await renamePasskey($passkeys.get().data?.results[0]?.passkey_id ?? '', 'Laptop')
  expect(await loadPasskeyNames()).toEqual(['Laptop'])
})

it('a passkey signs the user in and confirms the second factor', async () => {
  await signOut()
  expect($session.get()).toEqual({ status: 'anonymous' })
  expect(await signInWithPasskey({ isAutofill: false })).toBe(true)
  expect($session.get()).toMatchObject({ status: 'signed-in' })
  await actAs('adult')
  await confirmWithPasskey()
})

it('a passkey autofill request opens no prompt when its reply arrives after a newer sign-in', async () => {
  await signOut()
  const releaseRequest = network.hold(/passkey/, 'request', 1)
  const suggestionPromise = signInWithPasskey({ isAutofill: true })
  await network.waitUntilIdle()
  expect(await signInWithPasskey({ isAutofill: false })).toBe(true)
  releaseRequest()
  expect(await suggestionPromise).toBe(false)
  await actAs('adult')
})

it('a removed passkey cannot sign the user in', async () => {
  await removePasskey($passkeys.get().data?.results[0]?.passkey_id ?? '')
  expect(await loadPasskeyNames()).toEqual([])
  await signOut()
  await expect(signInWithPasskey({ isAutofill: false })).rejects.toMatchObject({
    errors: { passkey: ['refused'] },
  })
})
