/**
 * Proof that an adult uses the device, for calls that change what a child can reach and for everything about
 * the account (security.md, decision 5). mount.ts requires the proof for every endpoint with `proof`.
 */
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { Problem } from '../../core/problem.ts'
import { type CallerProfile, isRestrictedProfile, type RestrictionFields } from '../../queries/profile.ts'
import type { Deps } from '../deps.ts'
import type { Caller, ProfileCaller } from './caller.ts'
import { requirePassword } from './password-check.ts'

type ProtectedProfile = RestrictionFields & Pick<CallerProfile, 'pin_hash'>

/**
 * True when the account needs proof of an adult, because it has a restricted profile or a profile with a PIN.
 */
export function isProofNeeded(profiles: readonly ProtectedProfile[]): boolean {
  return profiles.some((profile) => isRestrictedProfile(profile) || profile.pin_hash !== null)
}

type ActingCaller = Pick<Caller, 'acting' | 'group' | 'profiles'>

/**
 * True when an unrestricted profile acts and no restricted profile watches with it. A profile with a PIN acts
 * only while it is unlocked. Without an acting profile, true if the account has no restricted profile and no
 * PIN.
 */
export function isAdultProven({
  acting: actingProfile,
  group: groupProfiles,
  profiles,
}: ActingCaller): boolean {
  if (actingProfile === null) return !isProofNeeded(profiles)
  return ![actingProfile, ...groupProfiles].some(isRestrictedProfile)
}

/** Like `isAdultProven`, but if a profile acts, it must be the main profile. */
export function isMainProfileProven(caller: ActingCaller): boolean {
  return isAdultProven(caller) && caller.acting?.main !== 0
}

export interface ProofRequest {
  endpoint: Pick<Endpoint, 'proof' | 'proofExemptFields'>
  caller: Caller | ProfileCaller
  body: unknown
  /**
   * Resolves to false for a call that needs no proof, although other calls of its endpoint do. Called only if
   * the acting profile does not give the proof.
   */
  isNeeded?: (() => Promise<boolean>) | undefined
}

/**
 * Checks the proof that an endpoint requires (see `EndpointProof`). The account password is always accepted, except
 * with an API key. For `main`, the main profile as the acting profile is enough. For `adult`, an acting profile that
 * proves an adult is enough, or a change of only exempt fields of the acting profile itself. No proof is required if
 * `isNeeded` returns false. Returns whether the right account password was given.
 * @throws Problem with status 403 without this proof or for a wrong password, and 429 after too many wrong
 * passwords.
 */
export async function requireProof(
  deps: Deps,
  { endpoint, caller, body, isNeeded = async () => true }: ProofRequest,
): Promise<{ isPasswordProven: boolean }> {
  if (!endpoint.proof) return { isPasswordProven: false }
  const password = findPassword(body)
  if (password !== undefined && !caller.apiKeyScopes) {
    await requirePassword(deps, caller, password)
    return { isPasswordProven: true }
  }
  const isProven =
    (endpoint.proof === 'main' && isMainProfileProven(caller)) ||
    (endpoint.proof === 'adult' &&
      (isAdultProven(caller) || isProofExempt(endpoint.proofExemptFields, caller, body)))
  if (isProven || !(await isNeeded())) return { isPasswordProven: false }
  if (endpoint.proof === 'main') throw createMainProfileProofProblem()
  throw new Problem('forbidden', {
    message: 'An adult profile or the account password is needed.',
    errors: { password: ['needed'] },
  })
}

export const createMainProfileProofProblem = () =>
  new Problem('forbidden', {
    message: 'The main profile or the account password is needed.',
    errors: { password: ['needed'] },
  })

function findPassword(body: unknown): string | undefined {
  const fields = (body ?? {}) as Record<string, unknown>
  const password = fields['password'] ?? fields['current_password']
  return typeof password === 'string' ? password : undefined
}

/** True when the body changes the acting profile itself, and only fields that the endpoint exempts from the proof. */
function isProofExempt(
  exemptFields: readonly string[] | undefined,
  caller: Caller | ProfileCaller,
  body: unknown,
): boolean {
  if (!exemptFields || !('profile' in caller)) return false
  if (caller.acting?.profile_id !== caller.profile.profile_id) return false
  return listFieldNames(body as object).every((field) => exemptFields.includes(field))
}

/** Lists the field names of a body. Fields of a nested object are listed as `preferences.language`. */
function listFieldNames(body: object): string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((key) => `${name}.${key}`)
      : [name],
  )
}
