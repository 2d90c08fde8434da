/**
 * Lets a phone control this device, for example a television: opens, renews and ends the pairing, and passes on the
 * input of the phone.
 */
import { atom } from 'nanostores'
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import * as remote from '../contract/remote.ts'
import type { RemoteCommand } from '../rules/remote-commands.ts'
import { readStorage, writeStorage } from '../storage.ts'
import { REMOTE_PAIRING_KEY } from '../storage-keys.ts'
import { listenToRemoteControlEvents, type RemoteControlEvent, startAccountEvents } from './account-events.ts'
import { listenToPageChanges } from './remote-pairing-page.ts'

export type RemoteInput = { command: RemoteCommand } | { text: string }

export type TelevisionPairingState =
  | { status: 'none' }
  | { status: 'waiting'; code: string }
  | { status: 'paired'; deviceName: string }
  | { status: 'ended' }
  | { status: 'failed'; error: unknown }
export const $televisionPairing = atom<TelevisionPairingState>({ status: 'none' })

const RENEW_INTERVAL_MS = 10_000
/**
 * Delay after which a new page renews the pairing for the second time. The previous page of this tab announced to the
 * server that it closes. If the announcement arrives after the first renewal, only another renewal keeps the pairing.
 */
const SECOND_RENEWAL_DELAY_MS = 3_000

interface CurrentPairing {
  pairingId: string
  stop: () => void
}
let currentPairing: CurrentPairing | null = null
let isPairingOpening = false

/** Requests a code, unless a pairing exists. `onInput` receives the keys and texts of the phone. */
export async function openTelevisionPairing(onInput: (input: RemoteInput) => void): Promise<void> {
  if (currentPairing || isPairingOpening) return
  isPairingOpening = true
  $televisionPairing.set({ status: 'none' })
  try {
    const { pairing_id: pairingId, code } = await callApi(remote.openPairing)
    startPairing(pairingId, onInput)
    $televisionPairing.set({ status: 'waiting', code })
  } catch (error) {
    $televisionPairing.set({ status: 'failed', error })
  } finally {
    isPairingOpening = false
  }
}

/** Continues the pairing after a page load. */
export async function resumeTelevisionPairing(onInput: (input: RemoteInput) => void): Promise<void> {
  const pairingId = readStorage('sessionStorage', REMOTE_PAIRING_KEY)
  if (!pairingId || currentPairing) return
  startPairing(pairingId, onInput)
  await renewPairing(pairingId)
}

/** Ends the pairing from this device. */
export async function endTelevisionPairing(): Promise<void> {
  const pairingId = currentPairing?.pairingId
  stopPairing('none')
  if (pairingId) await callApi(remote.endPairing, { params: { pairing: pairingId } }).catch(() => {})
}

function startPairing(pairingId: string, onInput: (input: RemoteInput) => void): void {
  startAccountEvents()
  const stopListeningToEvents = listenToRemoteControlEvents((event) => {
    if (event.pairing_id === pairingId) handleRemoteControlEvent(event, onInput)
  })
  const renewalTimer = setInterval(() => void renewPairing(pairingId), RENEW_INTERVAL_MS)
  const secondRenewalTimer = setTimeout(() => void renewPairing(pairingId), SECOND_RENEWAL_DELAY_MS)
  const stopListeningToPage = listenToPageChanges(pairingId, () => void renewPairing(pairingId))
  writeStorage('sessionStorage', REMOTE_PAIRING_KEY, pairingId)
  currentPairing = {
    pairingId,
    stop: () => {
      stopListeningToEvents()
      clearInterval(renewalTimer)
      clearTimeout(secondRenewalTimer)
      stopListeningToPage()
      writeStorage('sessionStorage', REMOTE_PAIRING_KEY, '')
    },
  }
}

function stopPairing(status: 'none' | 'ended'): void {
  currentPairing?.stop()
  currentPairing = null
  $televisionPairing.set({ status })
}

function handleRemoteControlEvent(event: RemoteControlEvent, onInput: (input: RemoteInput) => void): void {
  if (event.state === 'ended') stopPairing('ended')
  else if (event.state === 'paired')
    $televisionPairing.set({ status: 'paired', deviceName: event.device_name ?? '' })
  // If the user has duplicated this tab, both tabs have the same pairing. A tab in the background must ignore the
  // input.
  else if (document.visibilityState === 'hidden') return
  else if (event.command !== undefined) onInput({ command: event.command })
  else if (event.text !== undefined) onInput({ text: event.text })
}

async function renewPairing(pairingId: string): Promise<void> {
  try {
    const { device_name: deviceName } = await callApi(remote.renewPairing, {
      params: { pairing: pairingId },
      body: {},
    })
    if (currentPairing?.pairingId !== pairingId) return
    if (deviceName !== null) $televisionPairing.set({ status: 'paired', deviceName })
    // The pairing has no phone yet, and this page cannot show its code, because only the previous page has received it.
    // The pairing is therefore ended.
    else if ($televisionPairing.get().status === 'none') await endTelevisionPairing()
  } catch (error) {
    if (
      currentPairing?.pairingId === pairingId &&
      error instanceof ApiError &&
      [401, 403, 404].includes(error.status)
    )
      stopPairing('ended')
  }
}
