/**
 * Sign-in with a code: a device shows the code, and a signed-in device approves it (RFC 8628, security.md, decision
 * 12).
 */
import { randomInt } from 'node:crypto'
import type {
  DeviceCodePoll,
  IssuedDeviceCode,
  RequestingDevice,
} from '../../../src/lib/contract/device-sign-in.ts'
import {
  DEVICE_APPROVAL_LIFETIME_MS,
  formatUserCode,
  parseUserCode,
  USER_CODE_ALPHABET,
  USER_CODE_LENGTH,
} from '../../../src/lib/rules/user-code.ts'
import { isOlderThan } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { selectAccountById } from '../../queries/account.ts'
import { selectActiveLogin } from '../../queries/caller.ts'
import {
  type DeviceAuthorizationRow,
  decideDeviceAuthorization,
  insertDeviceAuthorization,
  markDeviceCodeUsed,
  recordDevicePoll,
  selectDeviceAuthorization,
  selectDeviceByUserCode,
} from '../../queries/device-authorization.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { countAttemptOrThrow, type LimitedAttempt, withdrawAttempts } from './attempt-limit.ts'
import { createTokens, type SignInResult } from './auth-tokens.ts'
import { createLogin } from './create-login.ts'
import { chooseDeviceName } from './device-name.ts'
import { computeAddressKey } from './password-check.ts'
import { LOST_RESPONSE_GRACE_MS } from './refresh-login.ts'
import { deriveDeviceToken } from './refresh-token.ts'
import { createDerivedId, createRandomToken, hmacSha256, sha256 } from './secret.ts'

const DEVICE_CODE_LIFETIME_MS = 10 * 60_000
const FIRST_POLL_INTERVAL_SECONDS = 5
/** Seconds that `slow_down` adds to the polling interval (RFC 8628, section 3.5). */
const POLL_SLOW_DOWN_SECONDS = 5
/** A poll may be early by this much, because the network delays requests unequally. */
const POLL_INTERVAL_TOLERANCE_MS = 500
const MAX_CODE_COLLISIONS = 5

/** The user code is short, so its hash is keyed: a copy of the database does not reveal the codes. */
const hashUserCode = ({ keys }: Pick<Deps, 'keys'>, userCode: string) =>
  hmacSha256(keys.pepper, 'user-code', userCode)

const createUserCode = () =>
  Array.from(
    { length: USER_CODE_LENGTH },
    () => USER_CODE_ALPHABET[randomInt(USER_CODE_ALPHABET.length)],
  ).join('')

/**
 * Issues a device code and a user code. Throws 429 after too many codes for one IP address, and 503 if no
 * unused user code was found.
 */
export async function issueDeviceCode(
  deps: Deps,
  request: RequestInfo,
  requestedDeviceName: string | undefined,
): Promise<IssuedDeviceCode> {
  await countAttemptOrThrow(deps, [
    { limit: 'deviceCodeAddress', key: computeAddressKey(deps.keys, request.address) },
  ])
  const deviceCode = createRandomToken()
  const userCode = await insertWithFreeUserCode(deps, {
    device_code_hash: sha256(deviceCode),
    state: 'pending',
    device_name: chooseDeviceName(requestedDeviceName, request.userAgent),
    ip: request.ip,
    created_at: deps.now(),
    expires_at: deps.now() + DEVICE_CODE_LIFETIME_MS,
    interval_seconds: FIRST_POLL_INTERVAL_SECONDS,
    polled_at: 0,
    account_id: null,
    sid: null,
    profile_id: null,
  })
  const pageUrl = new URL('/link/', deps.config.publicUrl)
  return {
    device_code: deviceCode,
    user_code: formatUserCode(userCode),
    verification_uri: pageUrl.href,
    verification_uri_complete: `${pageUrl.href}?code=${userCode}`,
    expires_in: DEVICE_CODE_LIFETIME_MS / 1000,
    interval: FIRST_POLL_INTERVAL_SECONDS,
  }
}

async function insertWithFreeUserCode(
  deps: Deps,
  row: Omit<DeviceAuthorizationRow, 'user_code_hash'>,
): Promise<string> {
  for (let attempt = 0; attempt < MAX_CODE_COLLISIONS; attempt++) {
    const userCode = createUserCode()
    const isRowInserted = await insertDeviceAuthorization(deps.database.primary, {
      ...row,
      user_code_hash: hashUserCode(deps, userCode),
    })
    if (isRowInserted) return userCode
  }
  throw new Problem('overloaded', { retryAfterSeconds: 60 })
}

export interface DevicePollResult {
  reply: DeviceCodePoll
  /** The login of an approved device; otherwise null. */
  signInResult: SignInResult | null
}

const createFailedPollResult = (state: 'denied' | 'expired'): DevicePollResult => ({
  reply: { state },
  signInResult: null,
})

/**
 * Returns the state of a device code. The first poll after the approval creates the login of the device. A repeated
 * poll returns the same login if the reply of the first poll was probably lost (`repeatSignIn`).
 */
export async function pollDeviceCode(
  deps: Deps,
  request: RequestInfo,
  deviceCode: string,
): Promise<DevicePollResult> {
  const row = await selectDeviceAuthorization(deps.database.primary, sha256(deviceCode), deps.now())
  if (!row) return createFailedPollResult('expired')
  if (row.state === 'denied') return createFailedPollResult('denied')
  if (row.state === 'pending') return { reply: await recordPendingPoll(deps, row), signInResult: null }
  return row.state === 'approved'
    ? signInDevice(deps, request, row, deviceCode)
    : repeatSignIn(deps, row, deviceCode)
}

/** Thrown inside the transaction of a login when a concurrent poll has created the login of the device. */
class DeviceCodeUsedError extends Error {}

/** Creates the login of an approved device and marks its code as used, in one transaction. */
async function signInDevice(
  deps: Deps,
  request: RequestInfo,
  row: DeviceAuthorizationRow,
  deviceCode: string,
): Promise<DevicePollResult> {
  const account = row.account_id ? await selectAccountById(deps.database.primary, row.account_id) : undefined
  if (!account) return createFailedPollResult('expired')
  if (account.blocked) return createFailedPollResult('denied')
  try {
    const signInResult = await createLogin(deps, request, account, {
      deviceName: row.device_name,
      isApprovedOnOtherDevice: true,
      session: deriveDeviceSession(deps, deviceCode),
      consumeSignInProof: async (trx) => {
        if (!(await markDeviceCodeUsed(trx, row.device_code_hash, deps.now())))
          throw new DeviceCodeUsedError('the code was used')
      },
    })
    return createApprovedPollResult(row, signInResult)
  } catch (error) {
    if (error instanceof DeviceCodeUsedError) return repeatSignIn(deps, row, deviceCode)
    throw error
  }
}

/** Derives the id and the first refresh token of the login from the device code, which only the device knows. */
function deriveDeviceSession({ keys }: Pick<Deps, 'keys'>, deviceCode: string) {
  const sid = createDerivedId([hmacSha256(keys.refresh, 'device login', deviceCode)])
  return { sid, refreshToken: deriveDeviceToken(keys, deviceCode, sid) }
}

const createApprovedPollResult = (
  { profile_id }: DeviceAuthorizationRow,
  signInResult: SignInResult,
): DevicePollResult => ({
  reply: { state: 'approved', tokens: signInResult.tokens, profile_id },
  signInResult,
})

/**
 * Returns the login that an earlier poll has created, if the login is at most LOST_RESPONSE_GRACE_MS old and the device
 * has not used its tokens yet. In all other cases, the code counts as expired.
 */
async function repeatSignIn(
  deps: Deps,
  row: DeviceAuthorizationRow,
  deviceCode: string,
): Promise<DevicePollResult> {
  const { sid, refreshToken } = deriveDeviceSession(deps, deviceCode)
  const activeLogin = await selectActiveLogin(deps.database.primary, sid, deps.now())
  if (!activeLogin || activeLogin.account.blocked) return createFailedPollResult('expired')
  const { account, login } = activeLogin
  const isLoginUnused = login.generation === 1 && !login.successor_used
  if (!isLoginUnused || isOlderThan(login.created_at, LOST_RESPONSE_GRACE_MS, deps.now()))
    return createFailedPollResult('expired')
  const tokens = createTokens(deps, { account, sid, generation: login.generation, showsEmail: true })
  return createApprovedPollResult(row, { tokens, refreshToken })
}

async function recordPendingPoll(deps: Deps, row: DeviceAuthorizationRow): Promise<DeviceCodePoll> {
  const nowMs = deps.now()
  const isPollTooSoon = nowMs - row.polled_at < row.interval_seconds * 1000 - POLL_INTERVAL_TOLERANCE_MS
  // A device without an account must not cause a write with every request. Once the interval is as long as the lifetime
  // of the code, the code expires before the next allowed poll, so the poll need not be recorded.
  if (isPollTooSoon && row.interval_seconds * 1000 >= DEVICE_CODE_LIFETIME_MS)
    return { state: 'slow_down', interval: row.interval_seconds }
  const intervalSeconds = row.interval_seconds + (isPollTooSoon ? POLL_SLOW_DOWN_SECONDS : 0)
  await recordDevicePoll(deps.database.primary, row.device_code_hash, {
    polled_at: nowMs,
    interval_seconds: intervalSeconds,
  })
  return { state: isPollTooSoon ? 'slow_down' : 'pending', interval: intervalSeconds }
}

/** Describes the device that shows a code. Throws 404 for an unusable code, and 429 after too many unusable codes. */
export async function lookUpUserCode(context: RequestContext, userCode: string): Promise<RequestingDevice> {
  const row = await requireDeviceByUserCode(context, userCode, isPending)
  return {
    name: row.device_name,
    ip: row.ip,
    same_network: row.ip !== null && row.ip === context.request.ip,
    requested_at: new Date(row.created_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
    account_email: context.caller.account.email,
  }
}

interface UserCodeDecision {
  user_code: string
  approve: boolean
  profile_id?: string | null | undefined
}

/**
 * Approves or denies the device that shows a code. Does nothing if this login has made the same decision before,
 * because the response may have been lost. Throws 403 for a profile of another account, 404 for an unusable code, and
 * 429 after too many unusable codes.
 */
export async function decideUserCode(context: RequestContext, decision: UserCodeDecision): Promise<void> {
  const { deps, caller } = context
  const profileId = (decision.approve && decision.profile_id) || null
  const isRepeated = (device: DeviceAuthorizationRow) =>
    device.sid === caller.login.sid &&
    device.profile_id === profileId &&
    device.state !== 'pending' &&
    (device.state !== 'denied') === decision.approve
  const isUsable = (device: DeviceAuthorizationRow) => isPending(device) || isRepeated(device)
  const row = await requireDeviceByUserCode(context, decision.user_code, isUsable)
  if (isRepeated(row)) return
  const isOwnProfile = caller.profiles.some((profile) => profile.profile_id === profileId)
  if (profileId !== null && !isOwnProfile)
    throw new Problem('forbidden', { errors: { profile: ['unknown'] }, deniedObjectId: profileId })
  await deps.database.primary.transaction().execute(async (trx) => {
    const isDecided = await decideDeviceAuthorization(trx, {
      userCodeHash: row.user_code_hash,
      nowMs: deps.now(),
      state: decision.approve ? 'approved' : 'denied',
      expiresAtMs: Math.max(row.expires_at, deps.now() + DEVICE_APPROVAL_LIFETIME_MS),
      accountId: caller.account.account_id,
      sid: caller.login.sid,
      profileId,
    })
    if (!isDecided) {
      // Another tab may have sent the same decision at the same time.
      const decidedDevice = await selectDeviceByUserCode(trx, row.user_code_hash, deps.now())
      if (decidedDevice && isRepeated(decidedDevice)) return
      throw createUnusableCodeProblem()
    }
    const action = decision.approve ? 'device_approve' : 'device_deny'
    await recordCallerAction(trx, context, { action, profileId })
  })
}

const createUnusableCodeProblem = () =>
  new Problem('not_found', { message: 'This code cannot be used.', errors: { user_code: ['unusable'] } })

const isPending = ({ state }: DeviceAuthorizationRow) => state === 'pending'

/**
 * Returns the device that shows a user code. The attempt is counted before the code is checked, and withdrawn if
 * `isUsable` accepts the device.
 */
async function requireDeviceByUserCode(
  { deps, caller, request }: RequestContext,
  userCodeText: string,
  isUsable: (device: DeviceAuthorizationRow) => boolean,
): Promise<DeviceAuthorizationRow> {
  const attempts: LimitedAttempt[] = [
    { limit: 'userCodeDevice', key: caller.login.sid },
    { limit: 'userCodeAccount', key: caller.account.account_id },
    { limit: 'userCodeAddress', key: computeAddressKey(deps.keys, request.address) },
  ]
  await countAttemptOrThrow(deps, attempts)
  const userCode = parseUserCode(userCodeText)
  const row =
    userCode &&
    (await selectDeviceByUserCode(deps.database.primary, hashUserCode(deps, userCode), deps.now()))
  if (!row || !isUsable(row)) throw createUnusableCodeProblem()
  await withdrawAttempts(deps, attempts)
  return row
}
