/** This device as the remote control of a television. */
import { atom } from 'nanostores'
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import * as remote from '../contract/remote.ts'
import type { RemoteCommand } from '../rules/remote-commands.ts'
import { readStorage, writeStorage } from '../storage.ts'
import { CONTROLLED_TELEVISION_KEY } from '../storage-keys.ts'
import { listenToRemoteEvents, startAccountEvents } from './account-events.ts'

export type PhonePairingState =
  | { status: 'none' }
  | { status: 'paired'; pairingId: string; deviceName: string }
  /** `locked-profile`: a profile with a PIN was selected on the television. */
  | { status: 'ended'; reason: 'ended' | 'locked-profile' }
export const $phonePairing = atom<PhonePairingState>({ status: 'none' })

/** Interval at which the phone checks whether the television is still on. */
const CHECK_INTERVAL_MS = 8_000
let stopListening: (() => void) | null = null

/** Pairs this device with the television that shows the code. Throws `ApiError`. */
export async function claimTelevision(code: string): Promise<void> {
  const previousId = readStorage('sessionStorage', CONTROLLED_TELEVISION_KEY)
  showPairing(await callApi(remote.claimPairing, { body: { code } }))
  if (previousId) await callApi(remote.endPairing, { params: { pairing: previousId } }).catch(() => {})
}

/** Continues the pairing after a page load. Returns false when there is no pairing to continue. */
export async function resumePhonePairing(): Promise<boolean> {
  const pairingId = readStorage('sessionStorage', CONTROLLED_TELEVISION_KEY)
  if (!pairingId) return false
  try {
    const { device_name: deviceName } = await renew(pairingId)
    showPairing({ pairing_id: pairingId, device_name: deviceName ?? '' })
    return true
  } catch {
    writeStorage('sessionStorage', CONTROLLED_TELEVISION_KEY, '')
    return false
  }
}

const renew = (pairing: string) => callApi(remote.renewPairing, { params: { pairing }, body: {} })

/** Sends a key to the television. A failure changes `$phonePairing`. Lost keys are not sent again. */
export const sendCommand = (command: RemoteCommand): Promise<boolean> =>
  sendInOrder((pairing) => callApi(remote.sendRemoteCommand, { params: { pairing }, body: { command } }))

/**
 * Sends the key of a held button, unless earlier input is still being sent: no key must arrive after the button is released.
 */
export function repeatCommand(command: RemoteCommand): void {
  if (unsentCount === 0) void sendCommand(command)
}

/** Sends a text to the focused field of the television. Returns false when it was not sent. */
export const sendText = (text: string): Promise<boolean> =>
  sendInOrder((pairing) => callApi(remote.sendRemoteText, { params: { pairing }, body: { text } }))

let unsentCount = 0
let lastSend: Promise<unknown> = Promise.resolve()

/** Sends requests one after the other, because parallel requests may arrive in another order. */
function sendInOrder(send: (pairing: string) => Promise<unknown>): Promise<boolean> {
  unsentCount += 1
  const result = lastSend
    .then(() => sendSafely(send))
    .finally(() => {
      unsentCount -= 1
    })
  lastSend = result
  return result
}

/** Ends the pairing from this device. */
export async function endPhonePairing(): Promise<void> {
  const state = $phonePairing.get()
  closePairing({ status: 'none' })
  if (state.status !== 'paired') return
  await callApi(remote.endPairing, { params: { pairing: state.pairingId } }).catch(() => {})
}

function showPairing({ pairing_id: pairingId, device_name: deviceName }: remote.PhonePairing): void {
  stopListening?.()
  startAccountEvents()
  const stopEvents = listenToRemoteEvents(({ pairing_id: id, state, reason }) => {
    if (id === pairingId && state === 'ended')
      closePairing({ status: 'ended', reason: reason ? 'locked-profile' : 'ended' })
  })
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void sendSafely(renew)
  }, CHECK_INTERVAL_MS)
  const announceClosing = () =>
    void callApi(remote.renewPairing, {
      params: { pairing: pairingId },
      body: { closing: true },
      keepalive: true,
    }).catch(() => {})
  const renewAfterReturn = ({ persisted }: PageTransitionEvent) => {
    if (persisted) void sendSafely(renew)
  }
  addEventListener('pagehide', announceClosing)
  addEventListener('pageshow', renewAfterReturn)
  stopListening = () => {
    stopEvents()
    clearInterval(timer)
    removeEventListener('pagehide', announceClosing)
    removeEventListener('pageshow', renewAfterReturn)
  }
  writeStorage('sessionStorage', CONTROLLED_TELEVISION_KEY, pairingId)
  $phonePairing.set({ status: 'paired', pairingId, deviceName })
}

function closePairing(state: PhonePairingState): void {
  stopListening?.()
  stopListening = null
  writeStorage('sessionStorage', CONTROLLED_TELEVISION_KEY, '')
  $phonePairing.set(state)
}

async function sendSafely(send: (pairing: string) => Promise<unknown>): Promise<boolean> {
  const state = $phonePairing.get()
  if (state.status !== 'paired') return false
  try {
    await send(state.pairingId)
    return true
  } catch (error) {
    const isEnded = error instanceof ApiError && [401, 403, 404].includes(error.status)
    const isCurrent = $phonePairing.get() === state
    if (isEnded && isCurrent)
      closePairing({ status: 'ended', reason: error.errors['pairing'] ? 'locked-profile' : 'ended' })
    return false
  }
}
