/**
 * Reads the bodies of requests before the app handles the requests. A client that sends its body slowly therefore
 * occupies neither an admission slot (admission.ts) nor a database connection. Incomplete bodies have separate limits.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { ProblemType } from '../core/problem.ts'
import { BODY_LIMIT_BYTES } from './body.ts'
import { sendProblem } from './problem-response.ts'

export interface BodyLimits {
  /** Time in milliseconds in which a complete body must arrive. */
  deadlineMs: number
  /** Maximum memory in bytes of the incomplete bodies of one address. */
  maxBytesPerAddress: number
  /** Maximum memory in bytes of the incomplete bodies of all addresses. */
  maxBytesTotal: number
}
/** Per address, the limits allow 3,072 bodies of which nothing has arrived, or 341 bodies of the largest size. */
const DEFAULT_LIMITS: BodyLimits = {
  deadlineMs: 10_000,
  maxBytesPerAddress: 24 * 1024 * 1024,
  maxBytesTotal: 64 * 1024 * 1024,
}
/**
 * After a chunk with fewer bytes than this, which does not complete its body, the socket is not read for about
 * SLOW_READ_INTERVAL_MS. Ordinary clients send larger chunks.
 */
const SMALL_CHUNK_BYTES = 512
const SLOW_READ_INTERVAL_MS = 1_000
/** Approximate memory of a connection with its request, without the part of the body that has arrived. */
export const CONNECTION_MEMORY_BYTES = 8 * 1024

interface IncompleteBody {
  address: string
  sizeBytes: number
  reject: (type: ProblemType) => void
}

/**
 * The incomplete bodies by address. The limit applies to the memory of the bodies and not to their number, so that
 * bodies are rejected only when they use much memory. Rejecting a body costs more work than waiting for it, and
 * rejected clients reconnect immediately. Above the limit of an address, its oldest body is rejected rather than the
 * newest, because bodies of ordinary clients arrive within milliseconds. Above the total limit, the oldest body of the
 * address with the most bytes is rejected.
 */
class IncompleteBodies {
  readonly #byAddress = new Map<string, { bodies: Set<IncompleteBody>; sizeBytes: number }>()
  readonly #limits: BodyLimits
  #sizeBytes = 0
  constructor(limits: BodyLimits) {
    this.#limits = limits
  }
  add(body: IncompleteBody): void {
    const bodiesOfAddress = this.#byAddress.get(body.address) ?? { bodies: new Set(), sizeBytes: 0 }
    this.#byAddress.set(body.address, bodiesOfAddress)
    bodiesOfAddress.bodies.add(body)
    this.#changeSize(body, body.sizeBytes)
  }
  remove(body: IncompleteBody): void {
    const bodiesOfAddress = this.#byAddress.get(body.address)
    if (!bodiesOfAddress?.bodies.delete(body)) return
    bodiesOfAddress.sizeBytes -= body.sizeBytes
    this.#sizeBytes -= body.sizeBytes
    if (bodiesOfAddress.bodies.size === 0) this.#byAddress.delete(body.address)
  }
  growBody(body: IncompleteBody, byteCount: number): void {
    const isCounted = this.#byAddress.get(body.address)?.bodies.has(body)
    body.sizeBytes += byteCount
    if (isCounted) this.#changeSize(body, byteCount)
  }
  #changeSize({ address }: IncompleteBody, byteCount: number): void {
    const bodiesOfAddress = this.#byAddress.get(address)
    if (!bodiesOfAddress) return
    bodiesOfAddress.sizeBytes += byteCount
    this.#sizeBytes += byteCount
    if (bodiesOfAddress.sizeBytes > this.#limits.maxBytesPerAddress) this.#rejectOldest(address)
    else if (this.#sizeBytes > this.#limits.maxBytesTotal)
      this.#rejectOldest(this.#findAddressWithMostBytes())
  }
  #findAddressWithMostBytes(): string {
    let addressWithMostBytes = ''
    let largestSizeBytes = 0
    for (const [address, { sizeBytes }] of this.#byAddress)
      if (sizeBytes > largestSizeBytes) {
        addressWithMostBytes = address
        largestSizeBytes = sizeBytes
      }
    return addressWithMostBytes
  }
  #rejectOldest(address: string): void {
    const [oldestBody] = this.#byAddress.get(address)?.bodies ?? []
    oldestBody?.reject('overloaded')
  }
}

interface CollectorOptions {
  /** True for requests whose body the app reads itself. */
  isUpload: (request: IncomingMessage) => boolean
  /** Returns the address under which the incomplete bodies of the request are counted. */
  findAddress: (request: IncomingMessage) => string
  limits?: BodyLimits
}

/**
 * Calls `listener` when the body of the request is complete. The body is then in `rawBody`, where Hono's adapter
 * expects it. When a body is larger than BODY_LIMIT_BYTES, calls `listener` as soon as this is known, and the app reads
 * the body from the stream or rejects it.
 */
export function collectBodies(
  listener: RequestListener,
  { isUpload, findAddress, limits = DEFAULT_LIMITS }: CollectorOptions,
): RequestListener {
  const incompleteBodies = new IncompleteBodies(limits)
  return (request, response) => {
    if (!hasBody(request) || isUpload(request)) return listener(request, response)
    if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return listener(request, response)
    const chunks: Buffer[] = []
    let isCollectingFinished = false
    let deadlineTimer: NodeJS.Timeout | undefined
    /** Ends the collection of the body. Returns false when the collection has already ended. */
    const finishCollecting = () => {
      if (isCollectingFinished) return false
      isCollectingFinished = true
      clearTimeout(deadlineTimer)
      incompleteBodies.remove(body)
      return true
    }
    const body: IncompleteBody = {
      address: findAddress(request),
      sizeBytes: CONNECTION_MEMORY_BYTES,
      reject: (problemType) => {
        if (!finishCollecting()) return
        response.shouldKeepAlive = false
        sendProblem(request, response, problemType)
      },
    }
    const forwardRequest = () => {
      if (!finishCollecting()) return
      Object.assign(request, { rawBody: Buffer.concat(chunks) })
      listener(request, response)
    }
    /** Puts the collected chunks back into the stream, and calls `listener`. */
    const forwardUnreadRequest = () => {
      if (!finishCollecting()) return
      request.pause()
      request.off('data', collectChunk)
      request.unshift(Buffer.concat(chunks))
      listener(request, response)
    }
    const collectChunk = (chunk: Buffer) => {
      if (isCollectingFinished) return
      chunks.push(chunk)
      incompleteBodies.growBody(body, chunk.length)
      if (body.sizeBytes > CONNECTION_MEMORY_BYTES + BODY_LIMIT_BYTES) forwardUnreadRequest()
      else if (deadlineTimer && chunk.length < SMALL_CHUNK_BYTES) pauseReading(request.socket)
    }
    request.on('data', collectChunk)
    request.on('end', forwardRequest)
    request.on('close', finishCollecting)
    // Most bodies arrive together with the headers. They are complete when this callback runs, and are never counted.
    setImmediate(() => {
      if (isCollectingFinished || request.complete) return
      incompleteBodies.add(body)
      deadlineTimer = setTimeout(() => body.reject('request_timeout'), limits.deadlineMs).unref()
    })
  }
}

/**
 * Stops reading a socket for about SLOW_READ_INTERVAL_MS. The exact time is random. Thousands of clients that send at
 * the same moment are therefore not read at the same moment.
 */
function pauseReading(socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.resume(), SLOW_READ_INTERVAL_MS * (0.5 + Math.random())).unref()
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
