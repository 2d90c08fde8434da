/**
 * A recent second factor, for calls with lasting consequences (security.md, decision 14). If the account has a second
 * factor, mount.ts requires a recent second factor for every call to which `stepUp` of the endpoint applies.
 */
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { Problem } from '../../core/problem.ts'
import { hasSecondFactor, recordSecondFactor } from '../../queries/second-factor.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from './caller.ts'
import { checkSecondFactor } from './second-factor-check.ts'

/** How long a second factor counts as recent. */
export const STEP_UP_LIFETIME_MS = 15 * 60_000

/** Throws 403 with the code `needed` when the call needs a second factor and this device has given no recent one. */
export async function requireStepUp(
  deps: Deps,
  { stepUp }: Pick<Endpoint, 'stepUp'>,
  { account, login, apiKeyScopes }: Pick<Caller, 'account' | 'login' | 'apiKeyScopes'>,
  body: unknown,
): Promise<void> {
  // API keys need no second factor, because it was given when the key was created.
  if (!stepUp || apiKeyScopes) return
  const fields = (body ?? {}) as Record<string, unknown>
  if (stepUp !== true && stepUp.every((field) => fields[field] === undefined)) return
  const secondFactorAgeMs = deps.now() - (login.second_factor_at ?? 0)
  if (secondFactorAgeMs >= 0 && secondFactorAgeMs < STEP_UP_LIFETIME_MS) return
  if (!(await hasSecondFactor(deps.database.primary, account.account_id))) return
  throw new Problem('forbidden', {
    message: 'A code of your authenticator app is needed.',
    errors: { second_factor: ['needed'] },
  })
}

/** Confirms the second factor on the caller's device. Throws 403 with the code `wrong`, and 429 above the limits. */
export async function confirmSecondFactor(
  { deps, caller, request }: RequestContext,
  code: string,
): Promise<void> {
  const { account, login } = caller
  const isCodeRight = await checkSecondFactor(deps, {
    accountId: account.account_id,
    code,
    sid: login.sid,
    request,
    deviceName: login.device_name,
  })
  if (!isCodeRight) throw new Problem('forbidden', { errors: { second_factor: ['wrong'] } })
  await recordSecondFactor(deps.database.primary, login.sid, deps.now())
}
