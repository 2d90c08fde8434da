import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Returns 256 random bits as base64url. */
export function createRandomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns 128 random bits as base64url, for ids that must not be guessable. */
export function createRandomId(): string {
  return randomBytes(16).toString('base64url')
}

/** Returns the SHA-256 hash as base64url. Random tokens are stored as this hash; passwords are not. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

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

const NONCE_BYTES = 12
const TAG_BYTES = 16
const deriveEncryptionKey = (key: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', key, 'marquee', `encrypt:${purpose}`, 32))

/** Purpose and owner of an encrypted text. Both are needed to decrypt it. */
interface EncryptionContext {
  purpose: string
  owner: string
}

/** Encrypts a text with AES-256-GCM and returns nonce, tag and ciphertext as base64url. */
export function encryptText(key: string, { purpose, owner }: EncryptionContext, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveEncryptionKey(key, purpose), nonce)
  cipher.setAAD(Buffer.from(owner))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
}

/**
 * Decrypts the result of `encryptText`. Returns null for another key or context, or if the text was changed.
 */
export function decryptText(
  key: string,
  { purpose, owner }: EncryptionContext,
  encryptedText: string,
): string | null {
  const bytes = Buffer.from(encryptedText, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', deriveEncryptionKey(key, purpose), nonce)
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const plaintextStart = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([plaintextStart, decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
