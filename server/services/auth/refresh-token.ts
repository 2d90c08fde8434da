/**
 * Refresh tokens: `sid.generation.random.mac`. The MAC proves that this server issued the token, so an old token of
 * this server is recognised as a replay. The new token is derived from the presented token, so that a retry gets the
 * same new token although only hashes are stored (security.md, decision 3).
 */
import type { InstallationKeys } from '../../providers/keys.ts'
import { createRandomToken, hmacSha256, timingSafeEqualText } from './secret.ts'

export interface RefreshToken {
  sid: string
  generation: number
}

function encodeToken(keys: InstallationKeys, { sid, generation }: RefreshToken, nonce: string): string {
  const signedText = `${sid}.${generation}.${nonce}`
  return `${signedText}.${hmacSha256(keys.refresh, 'token', signedText)}`
}

export function createRefreshToken(keys: InstallationKeys, sid: string): string {
  return encodeToken(keys, { sid, generation: 1 }, createRandomToken())
}

/**
 * Derives the first token of a login from the device code with which the device polls. A repeated poll therefore gets
 * the same token.
 */
export function deriveDeviceToken(keys: InstallationKeys, deviceCode: string, sid: string): string {
  return encodeToken(keys, { sid, generation: 1 }, hmacSha256(keys.refresh, 'device', sid, deviceCode))
}

export function deriveSuccessorToken(
  keys: InstallationKeys,
  presentedToken: string,
  successor: RefreshToken,
): string {
  return encodeToken(
    keys,
    successor,
    hmacSha256(keys.refresh, 'successor', successor.sid, successor.generation, presentedToken),
  )
}

/**
 * Parses a token. Returns null unless this server issued it. The caller checks whether it is the current
 * token.
 */
export function readRefreshToken(keys: InstallationKeys, token: string): RefreshToken | null {
  const [sid, generation, nonce, mac, ...extraParts] = token.split('.')
  if (!sid || !generation || !nonce || !mac || extraParts.length > 0) return null
  if (!timingSafeEqualText(mac, hmacSha256(keys.refresh, 'token', `${sid}.${generation}.${nonce}`)))
    return null
  return { sid, generation: Number(generation) }
}
