/**
 * Lets a phone act as remote control and keyboard of a television (security.md, decision 23). Commands and
 * texts are sent to the event stream of the login of the television. They are not stored, and the log
 * contains no request bodies.
 */
import { randomInt } from 'node:crypto'
import type { OpenedPairing, PhonePairing, RenewedPairing } from '../../../src/lib/contract/remote.ts'
import {
  PAIRING_CODE_LENGTH,
  parsePairingCode,
  type RemoteCommand,
} from '../../../src/lib/rules/remote-commands.ts'
import { Problem } from '../../core/problem.ts'
import { type ActiveLogin, selectActiveLogin } from '../../queries/caller.ts'
import {
  assignPhone,
  deleteRemotePairing,
  type RemotePairingRow,
  replaceRemotePairing,
  selectRemotePairing,
  selectRemotePairingByCode,
  setPairingExpiry,
} from '../../queries/remote-pairing.ts'
import { findActiveProfile } from '../auth/acting-profile.ts'
import { countAttemptOrThrow, type LimitedAttempt, withdrawAttempts } from '../auth/attempt-limit.ts'
import type { Caller } from '../auth/caller.ts'
import { createRandomId, hmacSha256 } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { publishLoginEvent } from '../events/account-events.ts'

const RENEWAL_INTERVAL_SECONDS = 10
/** Lifetime of a pairing after a renewal. The pairing survives two consecutive lost renewals. */
const PAIRING_LIFETIME_MS = 35_000
/**
 * Lifetime of a pairing after the page of the television or of the phone is closed. The next page can continue the
 * pairing within this time.
 */
const CLOSING_PAIRING_LIFETIME_MS = 6_000
const MAX_CODE_COLLISIONS = 5
/**
 * Maximum number of commands and texts of a phone per COMMAND_WINDOW_MS. It allows 12 per second, because a held key
 * repeats about 7 times per second.
 */
const MAX_COMMANDS_PER_WINDOW = 240
const COMMAND_WINDOW_MS = 20_000

interface PairingContext {
  deps: Deps
  caller: Caller
}

const hashPairingCode = (deps: Deps, accountId: string, code: string) =>
  hmacSha256(deps.keys.pepper, 'remote pairing', accountId, code)

/**
 * Creates a pairing for the television of the caller and returns its code. Ends the previous pairing of the
 * television. Throws 429 above the attempt limit, and 503 when no unused code was found.
 */
export async function openPairing({ deps, caller }: PairingContext): Promise<OpenedPairing> {
  await countAttemptOrThrow(deps, [{ limit: 'pairingTelevision', key: caller.login.sid }])
  const { account_id: accountId } = caller.account
  for (let attempt = 0; attempt < MAX_CODE_COLLISIONS; attempt++) {
    const code = String(randomInt(10 ** PAIRING_CODE_LENGTH)).padStart(PAIRING_CODE_LENGTH, '0')
    const row: RemotePairingRow = {
      pairing_id: createRandomId(),
      account_id: accountId,
      television_sid: caller.login.sid,
      phone_sid: null,
      profile_id: null,
      code_hash: hashPairingCode(deps, accountId, code),
      created_at: deps.now(),
      expires_at: deps.now() + PAIRING_LIFETIME_MS,
      phone_expires_at: null,
    }
    const isPairingStored = await deps.database.primary
      .transaction()
      .execute((trx) => replaceRemotePairing(trx, row))
    if (isPairingStored) return { pairing_id: row.pairing_id, code, renew_seconds: RENEWAL_INTERVAL_SECONDS }
  }
  throw new Problem('overloaded', { retryAfterSeconds: 60 })
}

/**
 * Renews or closes a pairing, for the television or for the phone. With `isClosing`, the pairing expires after
 * CLOSING_PAIRING_LIFETIME_MS. Without `isClosing`, a call for the television extends the pairing, and a call for the
 * phone cancels the expiry that an earlier call for the phone has set. Throws 404 when the caller has no active pairing
 * with this id, and when the phone may not control the profile of the television.
 */
export async function renewPairing(
  context: PairingContext,
  pairingId: string,
  isClosing: boolean,
): Promise<RenewedPairing> {
  const { deps, caller } = context
  const { primary } = deps.database
  const row = await findPairing(context, pairingId)
  const expiresAtMs = deps.now() + (isClosing ? CLOSING_PAIRING_LIFETIME_MS : PAIRING_LIFETIME_MS)
  if (row?.television_sid === caller.login.sid) {
    await setPairingExpiry(primary, pairingId, { expires_at: expiresAtMs })
    const phoneLogin = row.phone_sid && (await selectActiveLogin(primary, row.phone_sid, deps.now()))
    return { device_name: phoneLogin ? phoneLogin.login.device_name : null }
  }
  const { television } = await requireControlledTelevision(context, pairingId)
  const phoneExpiresAtMs = isClosing ? expiresAtMs : null
  if (row?.phone_expires_at !== phoneExpiresAtMs)
    await setPairingExpiry(primary, pairingId, { phone_expires_at: phoneExpiresAtMs })
  return { device_name: television.login.device_name }
}

/**
 * Makes the device of the caller the remote control of the television that shows the code. Throws 404 when the code is
 * wrong, has expired or was used, and when the caller is the television itself. Throws 429 above the attempt limit.
 */
export async function claimPairing(
  { deps, caller }: PairingContext,
  codeText: string,
): Promise<PhonePairing> {
  const attempts: LimitedAttempt[] = [
    { limit: 'pairingDevice', key: caller.login.sid },
    { limit: 'pairingAccount', key: caller.account.account_id },
  ]
  await countAttemptOrThrow(deps, attempts)
  const { primary } = deps.database
  const { account_id: accountId } = caller.account
  const code = parsePairingCode(codeText)
  const row =
    code &&
    (await selectRemotePairingByCode(primary, {
      codeHash: hashPairingCode(deps, accountId, code),
      accountId,
      nowMs: deps.now(),
    }))
  const televisionLogin = row && (await selectActiveLogin(primary, row.television_sid, deps.now()))
  if (!televisionLogin || row.television_sid === caller.login.sid) throw createUnusableCodeProblem()
  const isPhoneAssigned = await assignPhone(primary, {
    pairingId: row.pairing_id,
    phoneSid: caller.login.sid,
    profileId: findActiveProfile(televisionLogin)?.profile_id ?? null,
  })
  if (!isPhoneAssigned) throw createUnusableCodeProblem()
  await withdrawAttempts(deps, attempts)
  publishLoginEvent(deps, row.television_sid, {
    kind: 'remote',
    pairing_id: row.pairing_id,
    state: 'paired',
    device_name: caller.login.device_name,
  })
  return { pairing_id: row.pairing_id, device_name: televisionLogin.login.device_name }
}

const createUnusableCodeProblem = () =>
  new Problem('not_found', { message: 'This code cannot be used.', errors: { code: ['unusable'] } })

/**
 * Sends a command or a text to the television. Throws 404 when the phone has no active pairing with this id or may not
 * control the profile of the television, and 429 above the rate limit.
 */
export async function sendInputToTelevision(
  context: PairingContext,
  pairingId: string,
  input: { command: RemoteCommand } | { text: string },
): Promise<void> {
  const { deps, caller } = context
  const waitMs = await deps.quota.consume(
    `remote:${caller.login.sid}`,
    MAX_COMMANDS_PER_WINDOW,
    COMMAND_WINDOW_MS,
  )
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfterSeconds: waitMs / 1000 })
  const { row } = await requireControlledTelevision(context, pairingId)
  publishLoginEvent(deps, row.television_sid, { kind: 'remote', pairing_id: pairingId, ...input })
}

/** Ends a pairing of the television or phone of the caller. Throws 404 when there is no such pairing. */
export async function endPairing(context: PairingContext, pairingId: string): Promise<void> {
  const row = await findPairing(context, pairingId)
  const { sid } = context.caller.login
  if (!row || (row.television_sid !== sid && row.phone_sid !== sid)) throw new Problem('not_found')
  await deletePairing(context.deps, row)
}

async function deletePairing(deps: Deps, row: RemotePairingRow, reason?: 'locked_profile'): Promise<void> {
  await deleteRemotePairing(deps.database.primary, row.pairing_id)
  const event = { kind: 'remote', pairing_id: row.pairing_id, state: 'ended', ...(reason && { reason }) }
  for (const sid of [row.television_sid, row.phone_sid]) if (sid) publishLoginEvent(deps, sid, event)
}

const findPairing = ({ deps, caller }: PairingContext, pairingId: string) =>
  selectRemotePairing(deps.database.primary, {
    pairingId,
    accountId: caller.account.account_id,
    nowMs: deps.now(),
  })

/**
 * Returns the pairing of the phone of the caller and the login of the television. Throws 404 without an active pairing.
 * When the television has changed to a profile that the phone may enter only with the PIN of the profile or the exit
 * PIN, ends the pairing and throws 404. Otherwise, whoever holds the phone could use that profile. A profile that was
 * already active on the television when the pairing began is an exception. The exception ends when the PIN of the
 * profile or the exit PIN is set, changed or removed on another device than the television (`clearPairedProfiles`).
 */
async function requireControlledTelevision(
  context: PairingContext,
  pairingId: string,
): Promise<{ row: RemotePairingRow; television: ActiveLogin }> {
  const { deps, caller } = context
  const row = await findPairing(context, pairingId)
  const televisionLogin =
    row?.phone_sid === caller.login.sid &&
    (await selectActiveLogin(deps.database.primary, row.television_sid, deps.now()))
  if (!row || !televisionLogin) throw new Problem('not_found')
  const televisionProfile = findActiveProfile(televisionLogin)
  const isControlAllowed =
    !televisionProfile ||
    televisionProfile.profile_id === row.profile_id ||
    caller.profiles.some(
      ({ profile_id, enterable }) => profile_id === televisionProfile.profile_id && enterable,
    )
  if (isControlAllowed) return { row, television: televisionLogin }
  await deletePairing(deps, row, 'locked_profile')
  throw new Problem('not_found', { errors: { pairing: ['locked_profile'] } })
}
