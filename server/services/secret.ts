import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** 128 random bits, for ids that must not be guessed. */
export function randomId(): string {
  return randomBytes(16).toString('base64url')
}

/** SHA-256, base64url: how tokens of full entropy are stored. */
export function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** HMAC-SHA-256 over the parts, which cannot run into one another; base64url. */
export function sign(key: string, ...parts: (string | number)[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
