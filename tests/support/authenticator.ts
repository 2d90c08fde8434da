/** A software authenticator that creates and uses one passkey (WebAuthn Level 3), with ES256 and no attestation. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface AuthenticatorOptions {
  /** Origin of the page that uses the passkey. */
  origin: string
  rpId: string
}

const FLAG_USER_PRESENT = 1
const FLAG_USER_VERIFIED = 4
const FLAG_CREDENTIAL_DATA = 64
const encodeBase64Url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const computeSha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

export class TestAuthenticator {
  counter = 0
  isUserVerified = true
  userHandle = 'dW5rbm93bg'
  readonly credentialId = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly options: AuthenticatorOptions

  constructor(options: AuthenticatorOptions) {
    this.options = options
  }

  #buildClientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.options.origin, crossOrigin: false }))
  }

  #buildAuthenticatorData(flags: number, credentialData = Buffer.alloc(0)): Buffer {
    const signatureCounter = Buffer.alloc(4)
    signatureCounter.writeUInt32BE(this.counter)
    const verificationFlag = this.isUserVerified ? FLAG_USER_VERIFIED : 0
    const flagByte = Buffer.from([flags | FLAG_USER_PRESENT | verificationFlag])
    return Buffer.concat([computeSha256(this.options.rpId), flagByte, signatureCounter, credentialData])
  }

  /** Returns the credential for registration options, as `navigator.credentials.create` does. */
  // biome-ignore lint/suspicious/noExplicitAny: the options are JSON of the server
  create({ challenge, user }: any) {
    this.userHandle = user.id
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const cosePublicKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    )
    const idLengthBytes = Buffer.alloc(2)
    idLengthBytes.writeUInt16BE(this.credentialId.length)
    const credentialData = Buffer.concat([Buffer.alloc(16), idLengthBytes, this.credentialId, cosePublicKey])
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(this.#buildAuthenticatorData(FLAG_CREDENTIAL_DATA, credentialData))],
      ]) as Parameters<typeof isoCBOR.encode>[0],
    )
    return {
      ...this.#describeCredential(),
      response: {
        clientDataJSON: encodeBase64Url(this.#buildClientData('webauthn.create', challenge)),
        attestationObject: encodeBase64Url(attestationObject),
        transports: ['internal'],
      },
    }
  }

  /** Returns the assertion for authentication options, as `navigator.credentials.get` does. */
  // biome-ignore lint/suspicious/noExplicitAny: the options are JSON of the server
  get({ challenge }: any) {
    const clientData = this.#buildClientData('webauthn.get', challenge)
    const authenticatorData = this.#buildAuthenticatorData(0)
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, computeSha256(clientData)]),
      this.#keys.privateKey,
    )
    return {
      ...this.#describeCredential(),
      response: {
        clientDataJSON: encodeBase64Url(clientData),
        authenticatorData: encodeBase64Url(authenticatorData),
        signature: encodeBase64Url(signature),
        userHandle: this.userHandle,
      },
    }
  }

  #describeCredential() {
    const id = encodeBase64Url(this.credentialId)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  }
}
