/**
 * Reads the server-sent events of `/api/events` with `fetch`, because an EventSource cannot send an Authorization
 * header.
 */
import { streamAccountEvents } from '../contract/system.ts'
import { getAccessToken } from './auth.ts'

const MIN_RETRY_DELAY_MS = 1_000
const MAX_RETRY_DELAY_MS = 60_000

export interface AccountEvent {
  kind: string
  profile_id?: string
  [field: string]: unknown
}

interface AccountEventsOptions {
  signal: AbortSignal
  onOpen: () => void
  onGap: () => void
  onRejected: () => Promise<unknown>
}

/**
 * Calls `onEvent` for every event until `signal` aborts. When the connection fails or ends, reconnects with
 * exponential backoff. Calls `onOpen` if the first attempt succeeds. After every later connection, calls `onGap`,
 * because events may have been missed. Calls `onRejected` when the server rejects the access token.
 */
export async function listenToAccountEvents(
  onEvent: (event: AccountEvent) => void,
  { signal, onOpen, onGap, onRejected }: AccountEventsOptions,
): Promise<void> {
  let retryDelayMs = MIN_RETRY_DELAY_MS
  for (let isFirstAttempt = true; !signal.aborted; isFirstAttempt = false) {
    try {
      const token = await getAccessToken()
      const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
      const response = token
        ? await fetch(`${streamAccountEvents.base}${streamAccountEvents.path}`, { headers, signal })
        : null
      if (response?.ok && response.body) {
        if (isFirstAttempt) onOpen()
        else onGap()
        retryDelayMs = MIN_RETRY_DELAY_MS
        await readEvents(response.body, onEvent)
      } else if (response?.status === 401) await onRejected()
    } catch {
      // The connection failed, or the signal aborted.
    }
    if (signal.aborted) return
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs * (0.5 + Math.random())))
    retryDelayMs = Math.min(retryDelayMs * 2, MAX_RETRY_DELAY_MS)
  }
}

/** Reads server-sent events until the stream ends, and calls `onEvent` for each event. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: AccountEvent) => void,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    buffer += decoder.decode(value, { stream: true })
    const eventBlocks = buffer.split('\n\n')
    buffer = eventBlocks.pop() ?? ''
    for (const eventBlock of eventBlocks) {
      const dataLine = eventBlock.split('\n').find((line) => line.startsWith('data: '))
      if (dataLine) onEvent(JSON.parse(dataLine.slice(6)) as AccountEvent)
    }
  }
}
