import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

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

/** Returns the HMAC-SHA-256 of the parts as base64url. The parts are encoded as JSON, so that different lists of parts never give the same text. */
export function hmacSha256(key: string, ...parts: (string | number)[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}

/** Compares two texts in constant time. */
export function timingSafeEqualText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
