/** Encrypts texts for storage in the database (AES-256-GCM). The key is not stored in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { InstallationKeys } from '../../providers/keys.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const deriveKey = (keys: InstallationKeys) =>
  Buffer.from(hkdfSync('sha256', keys.pepper, 'marquee', 'stored-secrets', 32))

export function sealText(keys: InstallationKeys, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(keys), nonce)
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url')
}

/** Returns null when the text was changed, or sealed with other keys (for example before `keys.json` was replaced). */
export function openSealedText(keys: InstallationKeys, sealedText: string): string | null {
  const bytes = Buffer.from(sealedText, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(keys), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
