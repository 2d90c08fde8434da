/** Encrypts texts for storage in the database (AES-256-GCM). The key is not stored in the database. */
import type { InstallationKeys } from '../../providers/keys.ts'
import { decryptParts, encryptParts, NONCE_BYTES, TAG_BYTES } from './aes-gcm.ts'

const getEncryptionKey = (keys: InstallationKeys) => ({ secret: keys.pepper, purpose: 'stored-secrets' })

/** Encrypts a text. Returns nonce, ciphertext and tag together as base64url. */
export function sealText(keys: InstallationKeys, text: string): string {
  const { nonce, ciphertext, tag } = encryptParts(getEncryptionKey(keys), text)
  return Buffer.concat([nonce, ciphertext, tag]).toString('base64url')
}

/**
 * Decrypts a text of `sealText`. Returns null when the text was changed, or sealed with other keys (for example before
 * `keys.json` was replaced).
 */
export function openSealedText(keys: InstallationKeys, sealedText: string): string | null {
  const bytes = Buffer.from(sealedText, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null
  return decryptParts(getEncryptionKey(keys), {
    nonce: bytes.subarray(0, NONCE_BYTES),
    ciphertext: bytes.subarray(NONCE_BYTES, -TAG_BYTES),
    tag: bytes.subarray(-TAG_BYTES),
  })
}
