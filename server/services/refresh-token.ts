/**
 * Refresh tokens: `sid.generation.random.mac`. The mac proves that we made it, so a token that is genuine but old is
 * known as a replay. The successor is derived from the token presented, so that a retry gets the same successor
 * without its being stored in clear (security.md, decision 3).
 */
import type { Keys } from '../providers/keys.ts'
import { randomToken, sameText, sign } from './secret.ts'

export interface RefreshToken {
  sid: string
  generation: number
}

function make(keys: Keys, { sid, generation }: RefreshToken, random: string): string {
  const text = `${sid}.${generation}.${random}`
  return `${text}.${sign(keys.refresh, 'token', text)}`
}

export function firstToken(keys: Keys, sid: string): string {
  return make(keys, { sid, generation: 1 }, randomToken())
}

export function successorOf(keys: Keys, token: string, next: RefreshToken): string {
  return make(keys, next, sign(keys.refresh, 'successor', next.sid, next.generation, token))
}

/** Null unless the token was made by us. */
export function readRefreshToken(keys: Keys, token: string): RefreshToken | null {
  const [sid, generation, random, mac, ...rest] = token.split('.')
  if (!sid || !generation || !random || !mac || rest.length > 0) return null
  if (!sameText(mac, sign(keys.refresh, 'token', `${sid}.${generation}.${random}`))) return null
  return { sid, generation: Number(generation) }
}
