/**
 * Challenges of passkeys. A challenge contains its expiry and a MAC. The server stores a challenge only when
 * it is used, so that visitors of the login page cause no writes.
 */
import { insertUsedChallenge } from '../../queries/passkey.ts'
import type { Deps } from '../deps.ts'
import { createRandomToken, hmacSha256, sha256, timingSafeEqualText } from './secret.ts'

const CHALLENGE_LIFETIME_MS = 5 * 60_000

/** Purpose of a challenge: a sign-in, or a registration or confirmation by one login. */
export type ChallengePurpose = { kind: 'sign-in' } | { kind: 'register' | 'confirm'; sid: string }

const computeMac = ({ keys }: Pick<Deps, 'keys'>, purpose: ChallengePurpose, signedText: string) =>
  hmacSha256(keys.pepper, 'passkey', purpose.kind, 'sid' in purpose ? purpose.sid : '', signedText)

export function createChallenge(deps: Pick<Deps, 'keys' | 'now'>, purpose: ChallengePurpose): string {
  const signedText = `${deps.now() + CHALLENGE_LIFETIME_MS}.${createRandomToken()}`
  return `${signedText}.${computeMac(deps, purpose, signedText)}`
}

/**
 * True for an unexpired challenge of this server and purpose. `consumeChallenge` decides whether it was used
 * before.
 */
export function isValidChallenge(
  deps: Pick<Deps, 'keys' | 'now'>,
  purpose: ChallengePurpose,
  challenge: string,
): boolean {
  const [expiresAtMsText = '', nonce = '', mac = '', ...extraParts] = challenge.split('.')
  if (
    extraParts.length > 0 ||
    !timingSafeEqualText(mac, computeMac(deps, purpose, `${expiresAtMsText}.${nonce}`))
  )
    return false
  return Number(expiresAtMsText) > deps.now()
}

/** Marks a challenge as used. Resolves to true only for the first call with this challenge. */
export function consumeChallenge(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  challenge: string,
): Promise<boolean> {
  return insertUsedChallenge(database.primary, {
    challenge_hash: sha256(challenge),
    expires_at: now() + CHALLENGE_LIFETIME_MS,
  })
}
