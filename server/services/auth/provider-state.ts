/**
 * State of a sign-in or link that waits for the response of an identity provider. The state is stored encrypted
 * in a cookie of the browser that started the sign-in or link. A response in another browser is therefore
 * rejected, and visitors of the login page cause no writes.
 */
import * as z from 'zod/mini'
import type { OpenIdChecks } from '../../providers/open-id.ts'
import { insertUsedChallenge } from '../../queries/passkey.ts'
import type { Deps } from '../deps.ts'
import { createRandomToken, decryptText, encryptText, sha256, timingSafeEqualText } from './secret.ts'

export const PROVIDER_STATE_LIFETIME_SECONDS = 600
const ENCRYPTION_CONTEXT = { purpose: 'provider-sign-in', owner: '' }

/** Purpose of the response: a sign-in, which may use an invitation token, or a link that the login `sid` started. */
export type ProviderPurpose = { kind: 'sign-in'; invitation: string | null } | { kind: 'link'; sid: string }

const stateSchema = z.object({
  providerId: z.string(),
  purpose: z.union([
    z.object({ kind: z.literal('sign-in'), invitation: z.nullable(z.string()) }),
    z.object({ kind: z.literal('link'), sid: z.string() }),
  ]),
  checks: z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() }),
  expiresAtMs: z.number(),
})
export type ProviderState = z.infer<typeof stateSchema>

/**
 * Creates a state. `checks.state` starts with the kind of the purpose and the language, because the callback chooses
 * the next page of this site by both.
 */
export function createProviderState(
  { now }: Pick<Deps, 'now'>,
  providerId: string,
  purpose: ProviderPurpose,
  locale: string,
): ProviderState {
  const checks: OpenIdChecks = {
    state: `${purpose.kind}.${locale}.${createRandomToken()}`,
    nonce: createRandomToken(),
    codeVerifier: createRandomToken(),
  }
  return { providerId, purpose, checks, expiresAtMs: now() + PROVIDER_STATE_LIFETIME_SECONDS * 1000 }
}

export const sealProviderState = ({ keys }: Pick<Deps, 'keys'>, state: ProviderState): string =>
  encryptText(keys.pepper, ENCRYPTION_CONTEXT, JSON.stringify(state))

/**
 * Returns the state of a cookie and marks it as used. Returns null if the state is not from this server, has
 * expired, was used before, or does not belong to the response.
 */
export async function consumeProviderState(
  { keys, now, database }: Pick<Deps, 'keys' | 'now' | 'database'>,
  cookie: string | null,
  response: string,
): Promise<ProviderState | null> {
  const stateJson = cookie === null ? null : decryptText(keys.pepper, ENCRYPTION_CONTEXT, cookie)
  const parsedState = stateJson === null ? null : z.safeParse(stateSchema, JSON.parse(stateJson))
  if (!parsedState?.success || parsedState.data.expiresAtMs <= now()) return null
  const { checks, expiresAtMs } = parsedState.data
  const stateParameters = new URLSearchParams(response).getAll('state')
  if (stateParameters.length !== 1 || !timingSafeEqualText(stateParameters[0] ?? '', checks.state))
    return null
  const isFirstStateUse = await insertUsedChallenge(database.primary, {
    challenge_hash: sha256(checks.state),
    expires_at: expiresAtMs,
  })
  return isFirstStateUse ? parsedState.data : null
}
