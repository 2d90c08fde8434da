/** Server-sent events of `/api/events`, read with `fetch`: an EventSource could not say who is asking. */
import { events } from '../contract/system.ts'
import { currentToken } from './auth.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

export interface LiveEvent {
  kind: string
  profile_id?: string
  [more: string]: unknown
}

/** Listens until `signal` aborts; a broken connection is made again, and `onGap` told that events may be missing. */
export async function listen(
  onEvent: (event: LiveEvent) => void,
  { signal, onGap }: { signal: AbortSignal; onGap: () => void },
): Promise<void> {
  let wait = FIRST_WAIT_MS
  for (let first = true; !signal.aborted; first = false) {
    try {
      const token = await currentToken()
      const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
      const response = token ? await fetch(`${events.base}${events.path}`, { headers, signal }) : null
      if (response?.ok && response.body) {
        if (!first) onGap()
        wait = FIRST_WAIT_MS
        await read(response.body, onEvent)
      }
    } catch {
      // Offline, or told to stop.
    }
    if (signal.aborted) return
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())))
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
}

async function read(body: ReadableStream<Uint8Array>, onEvent: (event: LiveEvent) => void): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '))
      if (data) onEvent(JSON.parse(data.slice(6)) as LiveEvent)
    }
  }
}
