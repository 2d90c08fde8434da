/** Encrypts texts with AES-256-GCM. Each caller stores the parts of an encrypted text in an order of its own. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export const NONCE_BYTES = 12
export const TAG_BYTES = 16

interface EncryptedParts {
  nonce: Buffer
  ciphertext: Buffer
  tag: Buffer
}

/**
 * `secret` is a key of the installation, and `purpose` says what the derived key is used for. Decryption needs the same
 * `additionalData` as encryption. If `additionalData` is not set, empty data is used.
 */
interface EncryptionKey {
  secret: string
  purpose: string
  additionalData?: string
}

const deriveKey = ({ secret, purpose }: EncryptionKey) =>
  Buffer.from(hkdfSync('sha256', secret, 'marquee', purpose, 32))

export function encryptParts(key: EncryptionKey, text: string): EncryptedParts {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key), nonce)
  cipher.setAAD(Buffer.from(key.additionalData ?? ''))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return { nonce, ciphertext, tag: cipher.getAuthTag() }
}

/** Decrypts the parts. Returns null for another key or other additional data, or if a part was changed. */
export function decryptParts(key: EncryptionKey, { nonce, ciphertext, tag }: EncryptedParts): string | null {
  if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(key.additionalData ?? ''))
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
