/**
 * Makes this device the remote control of a television: claims, renews and ends the pairing, and sends keys and texts.
 */
import { atom } from 'nanostores'
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import * as remote from '../contract/remote.ts'
import type { RemoteCommand } from '../rules/remote-commands.ts'
import { readStorage, writeStorage } from '../storage.ts'
import { CONTROLLED_TELEVISION_KEY } from '../storage-keys.ts'
import { listenToRemoteControlEvents, startAccountEvents } from './account-events.ts'
import { listenToPageChanges } from './remote-pairing-page.ts'

export type PhonePairingState =
  | { status: 'none' }
  | { status: 'paired'; pairingId: string; deviceName: string }
  /** `locked-profile`: a profile with a PIN was selected on the television. */
  | { status: 'ended'; reason: 'ended' | 'locked-profile' }
export const $phonePairing = atom<PhonePairingState>({ status: 'none' })

/** Interval at which a visible page renews the pairing, and learns whether the pairing has ended. */
const CHECK_INTERVAL_MS = 8_000
let stopListening: (() => void) | null = null

/** Pairs this device with the television that shows the code. Throws `ApiError`. */
export async function claimTelevision(code: string): Promise<void> {
  const previousPairingId = readStorage('sessionStorage', CONTROLLED_TELEVISION_KEY)
  showPairing(await callApi(remote.claimPairing, { body: { code } }))
  if (previousPairingId)
    await callApi(remote.endPairing, { params: { pairing: previousPairingId } }).catch(() => {})
}

/** Continues the pairing after a page load. Returns false when there is no pairing to continue. */
export async function resumePhonePairing(): Promise<boolean> {
  const pairingId = readStorage('sessionStorage', CONTROLLED_TELEVISION_KEY)
  if (!pairingId) return false
  try {
    const { device_name: deviceName } = await renewPairing(pairingId)
    showPairing({ pairing_id: pairingId, device_name: deviceName ?? '' })
    return true
  } catch {
    writeStorage('sessionStorage', CONTROLLED_TELEVISION_KEY, '')
    return false
  }
}

const renewPairing = (pairingId: string) =>
  callApi(remote.renewPairing, { params: { pairing: pairingId }, body: {} })

/**
 * A key that was not sent within this time is dropped. Otherwise all keys that the user pressed while the network was
 * interrupted would act on the television at once when the network returns.
 */
const MAX_KEY_DELAY_MS = 3_000

/**
 * Sends a key to the television. Returns false if the key was dropped, and on failure. After a failure, the key is not
 * sent again.
 */
export function sendCommand(command: RemoteCommand): Promise<boolean> {
  const pressedAtMs = Date.now()
  return queueRequest(async (pairingId) => {
    if (Date.now() - pressedAtMs > MAX_KEY_DELAY_MS) throw new Error('The key is late.')
    await callApi(remote.sendRemoteCommand, {
      params: { pairing: pairingId },
      body: { command },
      writeTimeoutMs: MAX_KEY_DELAY_MS,
    })
  })
}

/**
 * Repeats the key of a held button. Does nothing while earlier input is being sent. Otherwise keys would queue and
 * reach the television after the user has released the button.
 */
export function repeatCommand(command: RemoteCommand): void {
  if (unsentRequestCount === 0) void sendCommand(command)
}

/** Sends a text to the focused field of the television. Returns false when it was not sent. */
export const sendText = (text: string): Promise<boolean> =>
  queueRequest((pairingId) =>
    callApi(remote.sendRemoteText, { params: { pairing: pairingId }, body: { text } }),
  )

let unsentRequestCount = 0
let lastSendPromise: Promise<unknown> = Promise.resolve()

/** Sends requests one after the other, because parallel requests may arrive in another order. */
function queueRequest(sendRequest: (pairingId: string) => Promise<unknown>): Promise<boolean> {
  unsentRequestCount += 1
  const sendPromise = lastSendPromise
    .then(() => trySendRequest(sendRequest))
    .finally(() => {
      unsentRequestCount -= 1
    })
  lastSendPromise = sendPromise
  return sendPromise
}

/** Ends the pairing from this device. */
export async function endPhonePairing(): Promise<void> {
  const pairingState = $phonePairing.get()
  closePairing({ status: 'none' })
  if (pairingState.status !== 'paired') return
  await callApi(remote.endPairing, { params: { pairing: pairingState.pairingId } }).catch(() => {})
}

function showPairing({ pairing_id: pairingId, device_name: deviceName }: remote.PhonePairing): void {
  stopListening?.()
  startAccountEvents()
  const stopListeningToEvents = listenToRemoteControlEvents(
    ({ pairing_id: eventPairingId, state, reason }) => {
      if (eventPairingId === pairingId && state === 'ended')
        closePairing({ status: 'ended', reason: reason ? 'locked-profile' : 'ended' })
    },
  )
  const renewalTimer = setInterval(() => {
    if (document.visibilityState === 'visible') void trySendRequest(renewPairing)
  }, CHECK_INTERVAL_MS)
  const stopListeningToPage = listenToPageChanges(pairingId, () => void trySendRequest(renewPairing))
  stopListening = () => {
    stopListeningToEvents()
    clearInterval(renewalTimer)
    stopListeningToPage()
  }
  writeStorage('sessionStorage', CONTROLLED_TELEVISION_KEY, pairingId)
  $phonePairing.set({ status: 'paired', pairingId, deviceName })
}

function closePairing(pairingState: PhonePairingState): void {
  stopListening?.()
  stopListening = null
  writeStorage('sessionStorage', CONTROLLED_TELEVISION_KEY, '')
  $phonePairing.set(pairingState)
}

async function trySendRequest(sendRequest: (pairingId: string) => Promise<unknown>): Promise<boolean> {
  const pairingState = $phonePairing.get()
  if (pairingState.status !== 'paired') return false
  try {
    await sendRequest(pairingState.pairingId)
    return true
  } catch (error) {
    const isPairingEnded = error instanceof ApiError && [401, 403, 404].includes(error.status)
    const isCurrentPairing = $phonePairing.get() === pairingState
    if (isPairingEnded && isCurrentPairing)
      closePairing({ status: 'ended', reason: error.errors['pairing'] ? 'locked-profile' : 'ended' })
    return false
  }
}
