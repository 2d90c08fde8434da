/** Verifies passkey assertions (WebAuthn Level 3, section 7.2; security.md, decision 15). */
import type { PasskeyAssertion } from '../../../src/lib/contract/passkeys.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { type PasskeyRow, recordPasskeyUse, selectPasskeyByCredential } from '../../queries/passkey.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'
import {
  type ChallengePurpose,
  consumeChallenge,
  createChallenge,
  isValidChallenge,
} from './passkey-challenge.ts'
import { findRelyingParty, type RelyingParty } from './relying-party.ts'

/** Loads the WebAuthn library. The library is large, so it is loaded only when a passkey is used. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** Returns the relying party of the server. Throws 409 when its public address allows no passkeys. */
export function requireRelyingParty({ config }: Pick<Deps, 'config'>): RelyingParty {
  const relyingParty = findRelyingParty(config)
  if (relyingParty) return relyingParty
  throw new Problem('conflict', {
    message: 'Passkeys need a public address with a host name and HTTPS.',
    errors: { passkey: ['unavailable'] },
  })
}

export const decodeChallenge = (challenge: string): string =>
  Buffer.from(challenge, 'base64url').toString('utf8')

/**
 * Returns the options of an assertion. Without `allowCredentials`, the options list no passkeys, so that they
 * do not reveal which accounts exist.
 */
export async function createAssertionOptions(
  deps: Deps,
  purpose: ChallengePurpose,
  allowCredentials: { id: string; transports: string[] }[] = [],
) {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: requireRelyingParty(deps).id,
    challenge: createChallenge(deps, purpose),
    userVerification: 'required',
    ...(allowCredentials.length > 0 && { allowCredentials }),
  })
}

/**
 * Returns the passkey that has signed a challenge of this purpose. The challenge cannot be used again. If the
 * passkey has a counter that has not grown, the passkey may have been copied, so the assertion is rejected and
 * recorded. Throws 401 for a rejected assertion.
 */
export async function checkAssertion(
  deps: Deps,
  request: RequestInfo,
  { credential, purpose }: { credential: PasskeyAssertion; purpose: ChallengePurpose },
): Promise<PasskeyRow> {
  const { primary } = deps.database
  const passkey = await selectPasskeyByCredential(primary, credential.id)
  if (!passkey) throw createPasskeyRefusedProblem()
  const verifiedResponse = await verifySignature(deps, passkey, { credential, purpose })
  if (!verifiedResponse || !(await consumeChallenge(deps, verifiedResponse.challenge)))
    throw createPasskeyRefusedProblem()
  const { counter } = verifiedResponse
  const isCounterAccepted = await recordPasskeyUse(primary, {
    passkeyId: passkey.passkey_id,
    counter,
    nowMs: deps.now(),
  })
  if (isCounterAccepted) return passkey
  const event = { action: 'passkey_copied', outcome: 'denied', accountId: passkey.account_id } as const
  await primary.transaction().execute((trx) => recordAuditEvent(trx, { nowMs: deps.now(), request }, event))
  throw createPasskeyRefusedProblem()
}

export const createPasskeyRefusedProblem = () =>
  new Problem('unauthorized', {
    message: 'This passkey cannot be used.',
    errors: { passkey: ['refused'] },
  })

/**
 * Returns the challenge and the counter of an assertion; null if it is not valid for this passkey and
 * purpose.
 */
async function verifySignature(
  deps: Deps,
  passkey: PasskeyRow,
  { credential, purpose }: { credential: PasskeyAssertion; purpose: ChallengePurpose },
): Promise<{ challenge: string; counter: number } | null> {
  const ownerId = Buffer.from(credential.response.userHandle, 'base64url').toString('utf8')
  if (ownerId !== passkey.account_id) return null
  const { id, origin } = requireRelyingParty(deps)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  let challenge = ''
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: (encodedChallenge) => {
        challenge = decodeChallenge(encodedChallenge)
        return isValidChallenge(deps, purpose, challenge)
      },
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        // The value 0 prevents the comparison of counters in the library. `recordPasskeyUse` compares the
        // counter when it stores the counter, so that two parallel assertions cannot use the same counter value.
        counter: 0,
      },
    })
    return verified ? { challenge, counter: authenticationInfo.newCounter } : null
  } catch {
    return null
  }
}
