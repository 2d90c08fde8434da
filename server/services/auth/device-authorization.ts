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
  formatUserCode,
  parseUserCode,
  USER_CODE_ALPHABET,
  USER_CODE_LENGTH,
} from '../../../src/lib/rules/user-code.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { selectAccountById } from '../../queries/account.ts'
import {
  type DeviceAuthorizationRow,
  decideDeviceAuthorization,
  insertDeviceAuthorization,
  recordDevicePoll,
  selectDeviceAuthorization,
  selectPendingByUserCode,
  takeApprovedDevice,
} from '../../queries/device-authorization.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { type Attempt, requireAttempt, withdrawAttempts } from './attempt-limit.ts'
import type { SignInResult } from './auth-tokens.ts'
import { createLogin } from './create-login.ts'
import { chooseDeviceName } from './device-name.ts'
import { computeAddressKey } from './password-check.ts'
import { createRandomToken, hmacSha256, sha256 } from './secret.ts'

const DEVICE_CODE_LIFE_MS = 10 * 60_000
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
  requestedName: string | undefined,
): Promise<IssuedDeviceCode> {
  await requireAttempt(deps, [
    { limit: 'deviceCodeAddress', key: computeAddressKey(deps.keys, request.address) },
  ])
  const deviceCode = createRandomToken()
  const userCode = await insertWithFreeUserCode(deps, {
    device_code_hash: sha256(deviceCode),
    state: 'pending',
    device_name: chooseDeviceName(requestedName, request.userAgent),
    ip: request.ip,
    created_at: deps.now(),
    expires_at: deps.now() + DEVICE_CODE_LIFE_MS,
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
    expires_in: DEVICE_CODE_LIFE_MS / 1000,
    interval: FIRST_POLL_INTERVAL_SECONDS,
  }
}

async function insertWithFreeUserCode(
  deps: Deps,
  row: Omit<DeviceAuthorizationRow, 'user_code_hash'>,
): Promise<string> {
  for (let attempt = 0; attempt < MAX_CODE_COLLISIONS; attempt++) {
    const userCode = createUserCode()
    const isInserted = await insertDeviceAuthorization(deps.database.primary, {
      ...row,
      user_code_hash: hashUserCode(deps, userCode),
    })
    if (isInserted) return userCode
  }
  throw new Problem('overloaded', { retryAfterSeconds: 60 })
}

export interface DevicePollResult {
  reply: DeviceCodePoll
  /** The new login. Only the first poll after the approval returns the login. */
  signInResult: SignInResult | null
}

/** Returns the state of a device code, and creates the login of an approved device. */
export async function pollDeviceCode(
  deps: Deps,
  request: RequestInfo,
  deviceCode: string,
): Promise<DevicePollResult> {
  const { primary } = deps.database
  const deviceCodeHash = sha256(deviceCode)
  const row = await selectDeviceAuthorization(primary, deviceCodeHash, deps.now())
  if (!row) return { reply: { state: 'expired' }, signInResult: null }
  if (row.state === 'denied') return { reply: { state: 'denied' }, signInResult: null }
  if (row.state === 'pending') return { reply: await recordPendingPoll(deps, row), signInResult: null }
  const approvedDevice = await takeApprovedDevice(primary, deviceCodeHash, deps.now())
  const account = approvedDevice?.account_id
    ? await selectAccountById(primary, approvedDevice.account_id)
    : undefined
  if (!approvedDevice || !account) return { reply: { state: 'expired' }, signInResult: null }
  if (account.blocked) return { reply: { state: 'denied' }, signInResult: null }
  const signInResult = await createLogin(deps, request, account, approvedDevice.device_name, 'login')
  return {
    reply: { state: 'approved', tokens: signInResult.tokens, profile_id: approvedDevice.profile_id },
    signInResult,
  }
}

async function recordPendingPoll(deps: Deps, row: DeviceAuthorizationRow): Promise<DeviceCodePoll> {
  const nowMs = deps.now()
  const isTooSoon = nowMs - row.polled_at < row.interval_seconds * 1000 - POLL_INTERVAL_TOLERANCE_MS
  const intervalSeconds = row.interval_seconds + (isTooSoon ? POLL_SLOW_DOWN_SECONDS : 0)
  await recordDevicePoll(deps.database.primary, row.device_code_hash, {
    polled_at: nowMs,
    interval_seconds: intervalSeconds,
  })
  return { state: isTooSoon ? 'slow_down' : 'pending', interval: intervalSeconds }
}

/** Describes the device that shows a code. Throws 404 for an unusable code, and 429 after too many unusable codes. */
export async function lookUpUserCode(context: RequestContext, userCode: string): Promise<RequestingDevice> {
  const row = await requirePendingDevice(context, userCode)
  return {
    name: row.device_name,
    ip: row.ip,
    same_network: row.ip !== null && row.ip === context.request.ip,
    requested_at: new Date(row.created_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
  }
}

interface UserCodeDecision {
  user_code: string
  approve: boolean
  profile_id?: string | null | undefined
}

/**
 * Approves or denies the device that shows a code. Throws 403 for a profile of another account, 404 for an
 * unusable code, and 429 after too many unusable codes.
 */
export async function decideUserCode(context: RequestContext, decision: UserCodeDecision): Promise<void> {
  const { deps, caller } = context
  const row = await requirePendingDevice(context, decision.user_code)
  const profileId = (decision.approve && decision.profile_id) || null
  const isOwnProfile = caller.profiles.some((profile) => profile.profile_id === profileId)
  if (profileId !== null && !isOwnProfile)
    throw new Problem('forbidden', { errors: { profile: ['unknown'] }, deniedObjectId: profileId })
  await deps.database.primary.transaction().execute(async (trx) => {
    const isDecided = await decideDeviceAuthorization(trx, {
      userCodeHash: row.user_code_hash,
      nowMs: deps.now(),
      state: decision.approve ? 'approved' : 'denied',
      accountId: caller.account.account_id,
      sid: caller.login.sid,
      profileId,
    })
    if (!isDecided) throw createUnusableCodeProblem()
    const action = decision.approve ? 'device_approve' : 'device_deny'
    await recordCallerAction(trx, context, { action, profileId })
  })
}

const createUnusableCodeProblem = () =>
  new Problem('not_found', { message: 'This code cannot be used.', errors: { user_code: ['unusable'] } })

/**
 * Returns the device that waits for approval with a user code. The attempt is counted before the code is checked, and
 * withdrawn if the code is usable.
 */
async function requirePendingDevice(
  { deps, caller, request }: RequestContext,
  userCodeText: string,
): Promise<DeviceAuthorizationRow> {
  const attempts: Attempt[] = [
    { limit: 'userCodeDevice', key: caller.login.sid },
    { limit: 'userCodeAccount', key: caller.account.account_id },
    { limit: 'userCodeAddress', key: computeAddressKey(deps.keys, request.address) },
  ]
  await requireAttempt(deps, attempts)
  const userCode = parseUserCode(userCodeText)
  const row =
    userCode &&
    (await selectPendingByUserCode(deps.database.primary, hashUserCode(deps, userCode), deps.now()))
  if (!row) throw createUnusableCodeProblem()
  await withdrawAttempts(deps, attempts)
  return row
}
