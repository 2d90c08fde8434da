import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { decryptParts, encryptParts, NONCE_BYTES, TAG_BYTES } from './aes-gcm.ts'

/** Returns 256 random bits as base64url. */
export function createRandomToken(): string {
  return randomBytes(32).toString('base64url')
}

const RANDOM_ID_LENGTH = 22

/** Returns 128 random bits as base64url, for ids that must not be guessable. */
export function createRandomId(): string {
  return randomBytes(16).toString('base64url')
}

/** Returns the SHA-256 hash as base64url. Random tokens are stored as this hash; passwords are not. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Returns an id that depends only on the parts, and has the same length as an id of `createRandomId()`. */
export const createDerivedId = (parts: readonly string[]): string =>
  sha256(JSON.stringify(parts)).slice(0, RANDOM_ID_LENGTH)

/**
 * Returns the HMAC-SHA-256 of the parts as base64url. The parts are encoded as JSON, so that different lists
 * of parts never give equal texts.
 */
export function hmacSha256(key: string, ...parts: (string | number)[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}

/** Compares two texts in constant time. */
export function timingSafeEqualText(a: string, b: string): boolean {
  const leftBytes = Buffer.from(a)
  const rightBytes = Buffer.from(b)
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes)
}

/** Purpose and owner of an encrypted text. Both are needed to decrypt it. */
interface EncryptionContext {
  purpose: string
  owner: string
}

const getEncryptionKey = (secret: string, { purpose, owner }: EncryptionContext) => ({
  secret,
  purpose: `encrypt:${purpose}`,
  additionalData: owner,
})

/** Encrypts a text with AES-256-GCM and returns nonce, tag and ciphertext as base64url. */
export function encryptText(key: string, context: EncryptionContext, text: string): string {
  const { nonce, ciphertext, tag } = encryptParts(getEncryptionKey(key, context), text)
  return Buffer.concat([nonce, tag, ciphertext]).toString('base64url')
}

/** Decrypts the result of `encryptText`. Returns null for another key or context, or if the text was changed. */
export function decryptText(key: string, context: EncryptionContext, encryptedText: string): string | null {
  const bytes = Buffer.from(encryptedText, 'base64url')
  const ciphertextStart = NONCE_BYTES + TAG_BYTES
  return decryptParts(getEncryptionKey(key, context), {
    nonce: bytes.subarray(0, NONCE_BYTES),
    tag: bytes.subarray(NONCE_BYTES, ciphertextStart),
    ciphertext: bytes.subarray(ciphertextStart),
  })
}
