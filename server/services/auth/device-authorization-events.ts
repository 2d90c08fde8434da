/**
 * Event streams of devices that wait for the decision about their code. The decision is read from the
 * database, because another process may have received it.
 */
import { Problem } from '../../core/problem.ts'
import { selectDeviceAuthorization, selectPendingDeviceCodes } from '../../queries/device-authorization.ts'
import type { Deps } from '../deps.ts'
import { sha256 } from './secret.ts'

const DECISION_CHECK_INTERVAL_MS = 500
const HEARTBEAT_INTERVAL_MS = 20_000
/** Maximum number of open streams. Further devices poll at the interval of their code. */
const MAX_DECISION_STREAMS = 500
const encoder = new TextEncoder()

interface DecisionStream {
  sendText: (text: string) => void
  endStream: () => void
}
const hubsByDatabase = new WeakMap<Deps['database'], DecisionStreamHub>()

/**
 * Opens the stream of a device code. The stream ends with the decision, or when the code expires. Throws 404 for an
 * unknown code, and 503 when MAX_DECISION_STREAMS streams are open.
 */
export async function openDecisionStream(deps: Deps, deviceCode: string): Promise<Response> {
  const deviceCodeHash = sha256(deviceCode)
  if (!(await selectDeviceAuthorization(deps.database.primary, deviceCodeHash, deps.now())))
    throw new Problem('not_found')
  const hub = hubsByDatabase.get(deps.database) ?? new DecisionStreamHub(deps)
  hubsByDatabase.set(deps.database, hub)
  return new Response(hub.openStream(deviceCodeHash), {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
  })
}

class DecisionStreamHub {
  readonly #deps: Deps
  /**
   * Streams by the hash of the device code. Each code has one stream. Opening another stream for a code closes
   * the previous stream.
   */
  readonly #streams = new Map<string, DecisionStream>()
  #timer: NodeJS.Timeout | undefined
  #lastHeartbeatMs = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  openStream(deviceCodeHash: string): ReadableStream<Uint8Array> {
    this.#streams.get(deviceCodeHash)?.endStream()
    if (this.#streams.size >= MAX_DECISION_STREAMS) throw new Problem('overloaded', { retryAfterSeconds: 5 })
    let removeStream = (): boolean => false
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const stream: DecisionStream = {
          sendText: (text) => controller.enqueue(encoder.encode(text)),
          endStream: () => {
            if (removeStream()) controller.close()
          },
        }
        removeStream = () =>
          this.#streams.get(deviceCodeHash) === stream && this.#streams.delete(deviceCodeHash)
        this.#streams.set(deviceCodeHash, stream)
        this.#timer ??= setInterval(
          () => void this.#checkStreams().catch(() => {}),
          DECISION_CHECK_INTERVAL_MS,
        )
        this.#timer.unref()
        stream.sendText(': welcome\n\n')
      },
      cancel: () => void removeStream(),
    })
  }

  async #checkStreams(): Promise<void> {
    if (this.#deps.isStopping()) for (const stream of [...this.#streams.values()]) stream.endStream()
    const deviceCodeHashes = [...this.#streams.keys()]
    if (deviceCodeHashes.length === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const pendingCodeHashes = await selectPendingDeviceCodes(
      this.#deps.database.primary,
      deviceCodeHashes,
      this.#deps.now(),
    )
    // A monotonic clock: if the system clock was set back, `Date.now()` would delay heartbeats until proxies end the
    // streams.
    const isHeartbeatDue = performance.now() - this.#lastHeartbeatMs >= HEARTBEAT_INTERVAL_MS
    if (isHeartbeatDue) this.#lastHeartbeatMs = performance.now()
    for (const deviceCodeHash of deviceCodeHashes) {
      const stream = this.#streams.get(deviceCodeHash)
      if (!pendingCodeHashes.has(deviceCodeHash)) {
        stream?.sendText('data: {"kind":"decided"}\n\n')
        stream?.endStream()
      } else if (isHeartbeatDue) stream?.sendText(': here\n\n')
    }
  }
}
