/**
 * Registers and removes passkeys, signs in with them and confirms second factors with them (security.md, decision 15).
 */
import {
  MAX_PASSKEYS,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyRegistration,
} from '../../../src/lib/contract/passkeys.ts'
import { toIsoTime } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { selectAccountById } from '../../queries/account.ts'
import {
  deletePasskey,
  hasPasskey,
  insertPasskey,
  lockPasskeys,
  type PasskeyRow,
  selectPasskeys,
  updatePasskeyName,
} from '../../queries/passkey.ts'
import { recordSecondFactor } from '../../queries/second-factor.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { lockActiveCaller, recordCallerAction, recordLockedCallerAction } from '../operations/audit.ts'
import { countAttemptOrThrow, type LimitedAttempt, withdrawAttempts } from './attempt-limit.ts'
import type { SignInResult } from './auth-tokens.ts'
import { createLogin } from './create-login.ts'
import { chooseDeviceName } from './device-name.ts'
import { consumeChallenge, createChallenge, isValidChallenge } from './passkey-challenge.ts'
import {
  checkAssertion,
  createAssertionOptions,
  createPasskeyRefusedProblem,
  decodeChallenge,
  loadWebAuthn,
  requireRelyingParty,
} from './passkey-check.ts'
import { computeAddressKey } from './password-check.ts'
import { requireWayToSignIn } from './password-sign-in.ts'
import { findRelyingParty } from './relying-party.ts'
import { createRandomId } from './secret.ts'

const toPasskey = (row: PasskeyRow): Passkey => ({
  passkey_id: row.passkey_id,
  name: row.name,
  synced: row.synced === 1,
  created_at: toIsoTime(row.created_at),
  last_used: row.last_used_at === null ? null : toIsoTime(row.last_used_at),
})
const toCredentialDescriptor = (row: PasskeyRow) => ({
  id: row.credential_id,
  transports: JSON.parse(row.transports) as string[],
})

export async function listPasskeys({ deps, caller }: Pick<RequestContext, 'deps' | 'caller'>) {
  const rows = await selectPasskeys(deps.database.primary, caller.account.account_id)
  return { available: findRelyingParty(deps.config) !== null, results: rows.map(toPasskey) }
}

/**
 * Returns options for a new passkey. Throws 409 when the account has too many passkeys or the public address of
 * the server allows no passkeys.
 */
export async function startPasskeyRegistration({ deps, caller }: Pick<RequestContext, 'deps' | 'caller'>) {
  const { account, login } = caller
  const relyingParty = requireRelyingParty(deps)
  const rows = await selectPasskeys(deps.database.primary, account.account_id)
  requireRoomForPasskey(rows)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const registrationOptions = await generateRegistrationOptions({
    rpID: relyingParty.id,
    rpName: relyingParty.name,
    userID: new Uint8Array(Buffer.from(account.account_id)),
    userName: account.email,
    userDisplayName: account.email,
    challenge: createChallenge(deps, { kind: 'register', sid: login.sid }),
    attestationType: 'none',
    excludeCredentials: rows.map(toCredentialDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { options: { ...registrationOptions } }
}

function requireRoomForPasskey(rows: readonly PasskeyRow[]): void {
  if (rows.length >= MAX_PASSKEYS) throw new Problem('conflict', { errors: { passkey: ['too_many'] } })
}

interface NewPasskey {
  name?: string | undefined
  credential: PasskeyRegistration
}

/**
 * Adds a passkey to the account of the caller. Throws 409 when the account has too many passkeys or the public address
 * of the server allows no passkeys, and 422 when the response of the authenticator is not valid.
 */
export async function registerPasskey(context: RequestContext, input: NewPasskey): Promise<Passkey> {
  const { deps, caller, request } = context
  const { credential, synced: isSynced } = await verifyRegistration(context, input.credential)
  const row: PasskeyRow = {
    passkey_id: createRandomId(),
    account_id: caller.account.account_id,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    sign_count: credential.counter,
    transports: JSON.stringify(input.credential.response.transports ?? []),
    name: chooseDeviceName(input.name, request.userAgent),
    synced: isSynced ? 1 : 0,
    created_at: deps.now(),
    last_used_at: null,
  }
  await deps.database.primary.transaction().execute(async (trx) => {
    // Several registrations can be started before the first one is completed, so the passkeys are counted again.
    requireRoomForPasskey(await lockPasskeys(trx, row.account_id))
    if (!(await insertPasskey(trx, row))) throw createRegistrationProblem()
    await recordCallerAction(trx, context, { action: 'passkey_add', ownTarget: row.passkey_id })
  })
  return toPasskey(row)
}

const createRegistrationProblem = () => createFieldProblem('credential', 'refused')

async function verifyRegistration({ deps, caller }: RequestContext, registration: PasskeyRegistration) {
  const { id, origin } = requireRelyingParty(deps)
  const purpose = { kind: 'register', sid: caller.login.sid } as const
  const { verifyRegistrationResponse } = await loadWebAuthn()
  // The transports are left out, because the verification does not need them.
  const { clientDataJSON, attestationObject } = registration.response
  const attestation = { clientDataJSON, attestationObject }
  let challenge = ''
  const verificationResult = await verifyRegistrationResponse({
    response: { ...registration, response: attestation, clientExtensionResults: {} },
    expectedChallenge: (encodedChallenge) => {
      challenge = decodeChallenge(encodedChallenge)
      return isValidChallenge(deps, purpose, challenge)
    },
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verificationResult?.verified || !(await consumeChallenge(deps, challenge)))
    throw createRegistrationProblem()
  const { credential, credentialDeviceType } = verificationResult.registrationInfo
  return { credential, synced: credentialDeviceType === 'multiDevice' }
}

export async function renamePasskey(
  { deps, caller }: Pick<RequestContext, 'deps' | 'caller'>,
  passkeyId: string,
  name: string,
): Promise<void> {
  const { account_id } = caller.account
  if (!(await updatePasskeyName(deps.database.primary, account_id, { passkeyId, name })))
    throw new Problem('not_found')
}

/**
 * Removes a passkey. Throws 404 if the account has no passkey with this id, and 409 when the passkey is the
 * last way to sign in to the account.
 */
export async function removePasskey(context: RequestContext, passkeyId: string): Promise<void> {
  const { deps, caller } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockActiveCaller(trx, caller)
    if (!(await deletePasskey(trx, caller.account.account_id, passkeyId))) throw new Problem('not_found')
    await requireWayToSignIn(deps, trx, caller.account)
    await recordLockedCallerAction(trx, context, { action: 'passkey_remove', ownTarget: passkeyId })
  })
}

export async function startPasskeySignIn(deps: Deps) {
  if (!findRelyingParty(deps.config)) return { options: null }
  return { options: { ...(await createAssertionOptions(deps, { kind: 'sign-in' })) } }
}

/**
 * Creates a login for the account of a passkey. The passkey has verified its user, so it counts as both
 * factors. Throws 401 for an invalid assertion, 409 when the public address of the server allows no passkeys, and
 * 429 after too many invalid assertions.
 */
export async function signInWithPasskey(
  deps: Deps,
  request: RequestInfo,
  input: { credential: PasskeyAssertion; device_name?: string | undefined },
): Promise<SignInResult> {
  const attempts: LimitedAttempt[] = [
    { limit: 'passkeyAddress', key: computeAddressKey(deps.keys, request.address) },
  ]
  await countAttemptOrThrow(deps, attempts)
  requireRelyingParty(deps)
  const { credential } = input
  const passkey = await checkAssertion(deps, request, { credential, purpose: { kind: 'sign-in' } })
  const account = await selectAccountById(deps.database.primary, passkey.account_id)
  if (!account || account.blocked) throw createPasskeyRefusedProblem()
  await withdrawAttempts(deps, attempts)
  return createLogin(deps, request, account, {
    deviceName: input.device_name,
    secondFactorAtMs: deps.now(),
    // The passkey may have been removed with all logins of the account since its signature was checked.
    consumeSignInProof: async (trx) => {
      if (!(await hasPasskey(trx, passkey.passkey_id))) throw createPasskeyRefusedProblem()
    },
  })
}

/** Returns the options of an assertion that any passkey of the caller can sign. */
export async function startPasskeyConfirmation({ deps, caller }: Pick<RequestContext, 'deps' | 'caller'>) {
  const rows = await selectPasskeys(deps.database.primary, caller.account.account_id)
  const purpose = { kind: 'confirm', sid: caller.login.sid } as const
  return { options: { ...(await createAssertionOptions(deps, purpose, rows.map(toCredentialDescriptor))) } }
}

/**
 * Confirms the second factor on the caller's device with a passkey. Throws 403 for an invalid assertion, and
 * 429 after too many attempts.
 */
export async function confirmWithPasskey(
  { deps, caller, request }: RequestContext,
  credential: PasskeyAssertion,
): Promise<void> {
  const { account, login } = caller
  const attempts: LimitedAttempt[] = [{ limit: 'secondFactorDevice', key: login.sid }]
  await countAttemptOrThrow(deps, attempts)
  const purpose = { kind: 'confirm', sid: login.sid } as const
  const passkey = await checkAssertion(deps, request, { credential, purpose }).catch((error: unknown) => {
    if (error instanceof Problem && error.type === 'unauthorized') return null
    throw error
  })
  if (passkey?.account_id !== account.account_id)
    throw new Problem('forbidden', { errors: { second_factor: ['wrong'] } })
  await withdrawAttempts(deps, attempts)
  await recordSecondFactor(deps.database.primary, login.sid, deps.now())
}
