/**
 * This device as a television that a phone controls: opens, renews and ends the pairing, and passes on the input of the
 * phone.
 */
import { atom } from 'nanostores'
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import * as remote from '../contract/remote.ts'
import type { RemoteCommand } from '../rules/remote-commands.ts'
import { readStorage, writeStorage } from '../storage.ts'
import { REMOTE_PAIRING_KEY } from '../storage-keys.ts'
import { listenToRemoteEvents, type RemoteEvent, startAccountEvents } from './account-events.ts'

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
 * The previous page announces that it closes. The announcement may arrive after the first renewal of this page, so this page
 * renews again after this time.
 */
const SECOND_RENEWAL_MS = 3_000

interface CurrentPairing {
  id: string
  stop: () => void
}
let currentPairing: CurrentPairing | null = null
let isOpening = false

/** Requests a code, unless a pairing exists. `onInput` receives the keys and texts of the phone. */
export async function openTelevisionPairing(onInput: (input: RemoteInput) => void): Promise<void> {
  if (currentPairing || isOpening) return
  isOpening = true
  $televisionPairing.set({ status: 'none' })
  try {
    const { pairing_id: id, code } = await callApi(remote.openPairing)
    startPairing(id, onInput)
    $televisionPairing.set({ status: 'waiting', code })
  } catch (error) {
    $televisionPairing.set({ status: 'failed', error })
  } finally {
    isOpening = false
  }
}

/** Continues the pairing after a page load. */
export async function resumeTelevisionPairing(onInput: (input: RemoteInput) => void): Promise<void> {
  const id = readStorage('sessionStorage', REMOTE_PAIRING_KEY)
  if (!id || currentPairing) return
  startPairing(id, onInput)
  await renewPairing(id)
}

/** Ends the pairing from this device. */
export async function endTelevisionPairing(): Promise<void> {
  const id = currentPairing?.id
  stopPairing('none')
  if (id) await callApi(remote.endPairing, { params: { pairing: id } }).catch(() => {})
}

function startPairing(id: string, onInput: (input: RemoteInput) => void): void {
  startAccountEvents()
  const stopEvents = listenToRemoteEvents((event) => {
    if (event.pairing_id === id) handleRemoteEvent(event, onInput)
  })
  const timer = setInterval(() => void renewPairing(id), RENEW_INTERVAL_MS)
  const secondRenewal = setTimeout(() => void renewPairing(id), SECOND_RENEWAL_MS)
  // Tells the server that the page closes. The pairing ends unless the next page of this tab continues it.
  const announceClosing = () =>
    void callApi(remote.renewPairing, {
      params: { pairing: id },
      body: { closing: true },
      keepalive: true,
    }).catch(() => {})
  const renewAfterReturn = ({ persisted }: PageTransitionEvent) => {
    if (persisted) void renewPairing(id)
  }
  addEventListener('pagehide', announceClosing)
  addEventListener('pageshow', renewAfterReturn)
  writeStorage('sessionStorage', REMOTE_PAIRING_KEY, id)
  currentPairing = {
    id,
    stop: () => {
      stopEvents()
      clearInterval(timer)
      clearTimeout(secondRenewal)
      removeEventListener('pagehide', announceClosing)
      removeEventListener('pageshow', renewAfterReturn)
      writeStorage('sessionStorage', REMOTE_PAIRING_KEY, '')
    },
  }
}

function stopPairing(status: 'none' | 'ended'): void {
  currentPairing?.stop()
  currentPairing = null
  $televisionPairing.set({ status })
}

function handleRemoteEvent(event: RemoteEvent, onInput: (input: RemoteInput) => void): void {
  if (event.state === 'ended') stopPairing('ended')
  else if (event.state === 'paired')
    $televisionPairing.set({ status: 'paired', deviceName: event.device_name ?? '' })
  // A duplicate of this tab in the background has the same pairing and must ignore the input.
  else if (document.visibilityState === 'hidden') return
  else if (event.command !== undefined) onInput({ command: event.command })
  else if (event.text !== undefined) onInput({ text: event.text })
}

async function renewPairing(id: string): Promise<void> {
  try {
    const { device_name: deviceName } = await callApi(remote.renewPairing, {
      params: { pairing: id },
      body: {},
    })
    if (currentPairing?.id !== id) return
    if (deviceName !== null) $televisionPairing.set({ status: 'paired', deviceName })
    // The pairing has no phone yet, and its code was displayed on the previous page.
    else if ($televisionPairing.get().status === 'none') await endTelevisionPairing()
  } catch (error) {
    if (currentPairing?.id === id && error instanceof ApiError && [401, 403, 404].includes(error.status))
      stopPairing('ended')
  }
}
