import { streamDeviceCodeEvents } from '../contract/device-sign-in.ts'
import { readEvents } from './events.ts'

/**
 * Resolves to true when the server reports that the code was approved or denied. Resolves to false when, before
 * that, the connection fails or ends, or `signal` aborts.
 */
export async function waitForDeviceCodeDecision(deviceCode: string, signal: AbortSignal): Promise<boolean> {
  const { base, path, method } = streamDeviceCodeEvents
  let isDecided = false
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      signal,
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ device_code: deviceCode }),
    })
    if (response.ok && response.body)
      await readEvents(response.body, ({ kind }) => {
        isDecided ||= kind === 'decided'
      })
  } catch {
    // The connection failed, or the signal aborted.
  }
  return isDecided
}
