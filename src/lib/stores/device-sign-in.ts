/**
 * Sign-in with a code: this device shows a code and waits for the approval, or it approves the code of another device.
 */
import { sendPendingSignOut, startSessionWithTokens } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { waitForDeviceCodeDecision } from '../client/device-code-events.ts'
import { ApiError } from '../client/errors.ts'
import { isReplyLost } from '../client/lost-reply.ts'
import { pendingSignOut } from '../client/stored-session.ts'
import type { AuthTokens } from '../contract/auth.ts'
import {
  decideUserCode,
  type IssuedDeviceCode,
  lookUpUserCode,
  pollDeviceCode,
  type RequestingDevice,
  requestDeviceCode,
} from '../contract/device-sign-in.ts'
import { DEVICE_APPROVAL_LIFETIME_MS } from '../rules/user-code.ts'
import { readStorage, writeStorage } from '../storage.ts'
import { DEVICE_CODE_KEY } from '../storage-keys.ts'
import { callAfterSignOut } from './call-after-sign-out.ts'
import { getPathAfterSignIn } from './path-after-sign-in.ts'
import { loadProfiles, selectProfile } from './profile.ts'
import { enterProfile, redirectTo } from './route-guard.ts'

interface ApprovedSignIn {
  tokens: AuthTokens
  profileId: string | null
}
export type DeviceSignInOutcome = ApprovedSignIn | 'denied' | 'expired'

interface ApprovalOptions {
  onCodeIssued: (code: IssuedDeviceCode) => void
  signal: AbortSignal
}

/** After a reload, the page shows the same code again if the code is valid for at least this time. */
const MIN_REPEATED_CODE_LIFETIME_MS = 60_000

/**
 * Requests a code, calls `onCodeIssued` with the code to display, and waits for the decision. After a reload of the
 * page, continues to wait for the code that the page showed before, because a phone may already be approving it.
 * Returns the tokens and the profile of an approved sign-in, or `denied` or `expired`. Throws `ApiError` when the
 * server issues no code or rejects a poll. Throws the reason of `signal` when `signal` aborts; a login that the server
 * has created by then is signed out.
 */
export async function waitForApproval(options: ApprovalOptions): Promise<DeviceSignInOutcome> {
  const repeatedCode = loadStoredCode()
  const outcome = repeatedCode && (await waitForDecision(repeatedCode, options).finally(clearStoredCode))
  // If the repeated code has expired, or was used before the reload, a new code is requested.
  if (outcome && outcome !== 'expired') return outcome
  const issuedCode = await callAfterSignOut(requestDeviceCode, { body: {} })
  options.signal.throwIfAborted()
  storeCode(issuedCode)
  return waitForDecision(issuedCode, options).finally(clearStoredCode)
}

function storeCode(code: IssuedDeviceCode): void {
  const storedCode = { code, expiresAtMs: Date.now() + code.expires_in * 1000 }
  writeStorage('sessionStorage', DEVICE_CODE_KEY, JSON.stringify(storedCode))
}

const clearStoredCode = () => writeStorage('sessionStorage', DEVICE_CODE_KEY, '')

function loadStoredCode(): IssuedDeviceCode | null {
  const storedText = readStorage('sessionStorage', DEVICE_CODE_KEY)
  // With a pending sign-out, a new code is requested, because the request for a code sends the sign-out first
  // (`callAfterSignOut`).
  if (!storedText || pendingSignOut.get()) return null
  try {
    const { code, expiresAtMs } = JSON.parse(storedText) as { code: IssuedDeviceCode; expiresAtMs: number }
    const remainingMs = expiresAtMs - Date.now()
    const isUsable = remainingMs >= MIN_REPEATED_CODE_LIFETIME_MS && remainingMs <= code.expires_in * 1000
    return isUsable ? { ...code, expires_in: remainingMs / 1000 } : null
  } catch {
    return null
  }
}

/** Calls `onCodeIssued`, and polls until the code is approved or denied, or expires. */
async function waitForDecision(
  issuedCode: IssuedDeviceCode,
  { onCodeIssued, signal }: ApprovalOptions,
): Promise<DeviceSignInOutcome> {
  onCodeIssued(issuedCode)
  const giveUpAtMs = Date.now() + issuedCode.expires_in * 1000 + DEVICE_APPROVAL_LIFETIME_MS
  let intervalMs = issuedCode.interval * 1000
  const watchDecision = () => waitForDeviceCodeDecision(issuedCode.device_code, signal)
  let decisionPromise: Promise<boolean> | undefined = watchDecision()
  while (Date.now() < giveUpAtMs) {
    const pausePromise = waitUnlessAborted(intervalMs, signal)
    const isDecided = await Promise.race([pausePromise, decisionPromise ?? pausePromise])
    // If the event stream ends without a decision, the device waits for the interval of the code before it polls
    // again.
    if (!isDecided) await pausePromise
    signal.throwIfAborted()
    const reply = await pollDeviceCodeOnce(issuedCode.device_code)
    if (signal.aborted && reply?.tokens) await endUnwantedLogin()
    signal.throwIfAborted()
    if (reply?.tokens) return { tokens: reply.tokens, profileId: reply.profile_id ?? null }
    if (reply?.state === 'denied' || reply?.state === 'expired') return reply.state
    // After a failed poll, the device does not watch the decision: the server would report it again immediately, and
    // the device would poll without a pause.
    if (!reply) decisionPromise = undefined
    else if (isDecided !== undefined || !decisionPromise) decisionPromise = watchDecision()
    if (reply?.interval) intervalMs = reply.interval * 1000
  }
  return 'expired'
}

/**
 * Signs out the login of an approved code after the user has left the page or has chosen to sign in with a password.
 * The cookie of the login is already stored. If the server cannot be reached, the next sign-in repeats the sign-out.
 */
async function endUnwantedLogin(): Promise<void> {
  pendingSignOut.set()
  await sendPendingSignOut()
}

/** Resolves to undefined after `delayMs`, or when the signal aborts. */
function waitUnlessAborted(delayMs: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const endWait = () => resolve(undefined)
    setTimeout(endWait, delayMs)
    signal.addEventListener('abort', endWait, { once: true })
  })
}

/** Polls once. Returns undefined when the server cannot be reached or replies with 429 or 5xx. Throws other errors. */
async function pollDeviceCodeOnce(deviceCode: string) {
  try {
    return await callApi(pollDeviceCode, { body: { device_code: deviceCode } })
  } catch (error) {
    const isTemporaryError =
      error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
    if (isTemporaryError) return undefined
    throw error
  }
}

/**
 * Starts the session of an approved device and opens the profile that was chosen. If none was chosen, the route guard
 * selects a profile or opens the profile picker.
 */
export async function startApprovedSession({ tokens, profileId }: ApprovedSignIn): Promise<void> {
  const targetPath = getPathAfterSignIn()
  // The profile is selected before the session starts, so that the route guard does not open the profile picker.
  if (profileId !== null) selectProfile(profileId)
  startSessionWithTokens(tokens)
  if (profileId === null) {
    await redirectTo(targetPath, { history: 'replace', state: history.state })
    return
  }
  const profile = (await loadProfiles()).find((candidate) => candidate.profile_id === profileId)
  // For a locked profile, the route guard opens the profile picker, which focuses the profile and asks for the PIN.
  if (profile?.unlocked) enterProfile(profileId, targetPath)
}

/** Returns the data of the device that shows a code. Throws `ApiError`. */
export const loadRequestingDevice = (userCode: string, password?: string): Promise<RequestingDevice> =>
  callApi(lookUpUserCode, { body: { user_code: userCode, ...(password !== undefined && { password }) } })

export interface DeviceDecision {
  userCode: string
  isApproved: boolean
  profileId: string | null
  password?: string | undefined
}

/** Approves or denies the device that shows a code. Throws `ApiError`. */
export async function decideDeviceSignIn({
  userCode,
  isApproved,
  profileId,
  password,
}: DeviceDecision): Promise<void> {
  const sendDecision = () =>
    callApi(decideUserCode, {
      body: {
        user_code: userCode,
        approve: isApproved,
        profile_id: profileId,
        ...(password !== undefined && { password }),
      },
    })
  await sendDecision().catch((error: unknown) => {
    // Perhaps only the reply was lost. The request is therefore repeated: the server accepts the same decision again.
    if (!isReplyLost(error)) throw error
    return sendDecision()
  })
}
