/**
 * Reads the bodies of requests before the app handles them, so that a client that sends its body slowly occupies neither
 * an admission slot (admission.ts) nor a database connection. Incomplete bodies have limits of their own.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { ProblemType } from '../core/problem.ts'
import { BODY_LIMIT_BYTES } from './body.ts'
import { sendProblem } from './problem-response.ts'

export interface BodyLimits {
  /** Time in which a body must arrive completely. */
  deadlineMs: number
  /** Maximum number of incomplete bodies of one address. */
  maxPerAddress: number
  /** Maximum number of incomplete bodies of all addresses. Each holds at most BODY_LIMIT_BYTES. */
  maxTotal: number
}
const DEFAULT_LIMITS: BodyLimits = { deadlineMs: 10_000, maxPerAddress: 32, maxTotal: 512 }

interface IncompleteBody {
  address: string
  reject: (type: ProblemType) => void
}

/**
 * The incomplete bodies by address. At a limit, the oldest body is rejected rather than the new one, because bodies of
 * ordinary clients arrive within milliseconds.
 */
class IncompleteBodies {
  readonly #byAddress = new Map<string, Set<IncompleteBody>>()
  readonly #limits: BodyLimits
  #total = 0
  constructor(limits: BodyLimits) {
    this.#limits = limits
  }
  add(body: IncompleteBody): void {
    const { maxPerAddress, maxTotal } = this.#limits
    if ((this.#byAddress.get(body.address)?.size ?? 0) >= maxPerAddress) this.#rejectOldest(body.address)
    else if (this.#total >= maxTotal) this.#rejectOldest(this.#findBusiestAddress())
    const bodies = this.#byAddress.get(body.address) ?? new Set()
    this.#byAddress.set(body.address, bodies.add(body))
    this.#total += 1
  }
  remove(body: IncompleteBody): void {
    const bodies = this.#byAddress.get(body.address)
    if (!bodies?.delete(body)) return
    this.#total -= 1
    if (bodies.size === 0) this.#byAddress.delete(body.address)
  }
  #findBusiestAddress(): string {
    let busiestAddress = ''
    let highestCount = 0
    for (const [address, bodies] of this.#byAddress)
      if (bodies.size > highestCount) {
        busiestAddress = address
        highestCount = bodies.size
      }
    return busiestAddress
  }
  #rejectOldest(address: string): void {
    const [oldest] = this.#byAddress.get(address) ?? []
    oldest?.reject('overloaded')
  }
}

interface CollectorOptions {
  /** True for requests whose body the app reads itself. */
  isUpload: (request: IncomingMessage) => boolean
  /** Returns the address whose incomplete bodies are counted together. */
  findAddress: (request: IncomingMessage) => string
  limits?: BodyLimits
}

/**
 * Calls `listener` when the body of the request is complete, with the body as `rawBody`, where the adapter of Hono
 * looks for it. A body above BODY_LIMIT_BYTES is passed on incomplete; the app rejects it by its size.
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
    let sizeBytes = 0
    let isDone = false
    let deadline: NodeJS.Timeout | undefined
    /** Returns false when the body has been handled or rejected before. */
    const finish = () => {
      if (isDone) return false
      isDone = true
      clearTimeout(deadline)
      incompleteBodies.remove(body)
      return true
    }
    const body: IncompleteBody = {
      address: findAddress(request),
      reject: (type) => {
        if (!finish()) return
        response.shouldKeepAlive = false
        sendProblem(request, response, type)
      },
    }
    const handle = () => {
      if (!finish()) return
      Object.assign(request, { rawBody: Buffer.concat(chunks) })
      listener(request, response)
    }
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (isDone) return
      chunks.push(chunk)
      if (sizeBytes > BODY_LIMIT_BYTES) handle()
    })
    request.on('end', handle)
    request.on('close', finish)
    // Most bodies arrive together with the headers. They are complete by now and never count as incomplete.
    setImmediate(() => {
      if (isDone || request.complete) return
      incompleteBodies.add(body)
      deadline = setTimeout(() => body.reject('request_timeout'), limits.deadlineMs).unref()
    })
  }
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
