/**
 * Lets clients take turns: waiting requests are started one address after the other, and for at most TURN_MS before the
 * event loop receives new ones. A burst of requests from one address, such as 8,000 large documents at once, then delays
 * the requests of other addresses by milliseconds rather than by the whole burst. Requests of an address that does not read
 * its responses (unread-responses.ts) start slowly: first those of connections that have read a response, and the newest
 * first, because ordinary clients may share the address.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isAlwaysAccepted, MAX_REQUESTS } from './admission.ts'
import { sendProblem } from './problem-response.ts'
import { READING_HABITS, type ReadingHabit, UnreadResponses } from './unread-responses.ts'

/** Long enough that requests which wait for a database share their lookups, short compared with a request. */
const TURN_MS = 2
/** Number of waiting requests of one address above which its `/api/` requests are rejected. */
export const MAX_WAITING_PER_ADDRESS = 1_000
/**
 * Time after which a waiting `/api/` request is rejected while more than MAX_REQUESTS wait, so that accepted requests
 * finish in time. Fewer requests are soon handled, for example after a pause of the process.
 */
export const MAX_WAITING_MS = 500
/** Time after which the waiting `/api/` requests of an address that does not read its responses are rejected. */
export const MAX_WAITING_UNREAD_MS = 2_000
/** Time until an address that does not read is looked at again while nothing else happens. */
const UNREAD_CHECK_INTERVAL_MS = 20

interface WaitingRequest {
  request: IncomingMessage
  response: ServerResponse
  address: string
  readingHabit: ReadingHabit
  sinceMs: number
}

interface TurnsOptions {
  /** Returns the address whose requests share their turns. */
  findAddress: (request: IncomingMessage) => string
  /** True for requests whose connection belongs to a proxy. */
  isForwarded?: (request: IncomingMessage) => boolean
  unreadResponses?: UnreadResponses
}

/** Calls `listener` at once while requests come one at a time, and in turns between the addresses otherwise. */
export function takeTurns(
  listener: RequestListener,
  { findAddress, isForwarded = () => false, unreadResponses = new UnreadResponses() }: TurnsOptions,
): RequestListener {
  const queue = new WaitingRequests(unreadResponses)
  let isTurnRunning = false
  let unreadCheck: NodeJS.Timeout | undefined
  const start = ({ request, response }: WaitingRequest) => {
    isTurnRunning = true
    listener(request, response)
  }
  const continueTurn = (startMs = performance.now()) => {
    isTurnRunning = false
    const nextRequest = queue.takeStartable()
    if (!nextRequest) return checkUnreadLater()
    start(nextRequest)
    // The work of a request that does not wait for anything is done in microtasks, and counts for the turn.
    if (performance.now() - startMs < TURN_MS) runAfterMicrotasks(() => continueTurn(startMs))
    else setImmediate(continueTurn)
  }
  /** Requests that still wait belong to addresses that do not read. */
  const checkUnreadLater = () => {
    if (queue.size === 0 || unreadCheck) return
    unreadCheck = setTimeout(() => {
      unreadCheck = undefined
      queue.rejectLate()
      if (isTurnRunning) checkUnreadLater()
      else continueTurn()
    }, UNREAD_CHECK_INTERVAL_MS)
  }
  return (request, response) => {
    const address = findAddress(request)
    const readingHabit = isForwarded(request)
      ? READING_HABITS.reads
      : unreadResponses.track(request, response, address)
    const waiting = { request, response, address, readingHabit, sinceMs: performance.now() }
    if (isTurnRunning) return queue.add(waiting)
    if (!unreadResponses.isOverLimit(address)) {
      setImmediate(continueTurn)
      return start(waiting)
    }
    queue.add(waiting)
    continueTurn()
  }
}

const runAfterMicrotasks = (callback: () => void) => queueMicrotask(() => process.nextTick(callback))

class WaitingRequests {
  /** Waiting requests by address, in the order in which the addresses have their turns. */
  readonly #byAddress = new Map<string, WaitingRequest[]>()
  readonly #unreadResponses: UnreadResponses
  #count = 0
  constructor(unreadResponses: UnreadResponses) {
    this.#unreadResponses = unreadResponses
  }

  get size(): number {
    return this.#count
  }

  add(waitingRequest: WaitingRequest): void {
    const waiting = this.#byAddress.get(waitingRequest.address) ?? []
    waiting.push(waitingRequest)
    this.#byAddress.set(waitingRequest.address, waiting)
    this.#count += 1
    if (waiting.length <= MAX_WAITING_PER_ADDRESS) return
    const isOverLimit = this.#unreadResponses.isOverLimit(waitingRequest.address)
    const rejectedIndex = isOverLimit ? findLeastUrgent(waiting) : waiting.length - 1
    const rejected = waiting[rejectedIndex]
    if (!rejected || !isRejectable(rejected.request)) return
    waiting.splice(rejectedIndex, 1)
    this.#count -= 1
    reject(rejected)
  }

  /** Removes the next request that may start and is neither too late nor given up by its client. */
  takeStartable(): WaitingRequest | undefined {
    for (let nextRequest = this.#takeNext(); nextRequest; nextRequest = this.#takeNext()) {
      if (nextRequest.response.destroyed) continue
      const isLate = this.#count > MAX_REQUESTS && performance.now() - nextRequest.sinceMs > MAX_WAITING_MS
      if (!isLate || !isRejectable(nextRequest.request)) return nextRequest
      reject(nextRequest)
    }
    return undefined
  }

  /** Rejects requests that have waited for MAX_WAITING_UNREAD_MS. */
  rejectLate(): void {
    const sinceMs = performance.now() - MAX_WAITING_UNREAD_MS
    for (const [address, waiting] of this.#byAddress) {
      const isLate = (entry: WaitingRequest) => entry.sinceMs < sinceMs && isRejectable(entry.request)
      if (!waiting.some(isLate)) continue
      const lateRequests = waiting.filter(isLate)
      this.#count -= lateRequests.length
      this.#set(
        address,
        waiting.filter((entry) => !isLate(entry)),
      )
      for (const entry of lateRequests) if (!entry.response.destroyed) reject(entry)
    }
  }

  /** Removes a request of the first address that may start one, and lets that address wait behind the others. */
  #takeNext(): WaitingRequest | undefined {
    for (const [address, waiting] of this.#byAddress) {
      const isOverLimit = this.#unreadResponses.isOverLimit(address)
      if (isOverLimit && !this.#unreadResponses.makeRoom(address)) continue
      const [nextRequest] = waiting.splice(isOverLimit ? findMostUrgent(waiting) : 0, 1)
      this.#count -= 1
      this.#byAddress.delete(address)
      this.#set(address, waiting)
      return nextRequest
    }
    return undefined
  }

  #set(address: string, waiting: WaitingRequest[]): void {
    if (waiting.length > 0) this.#byAddress.set(address, waiting)
    else this.#byAddress.delete(address)
  }
}

/**
 * Returns the waiting request to start first for an address that does not read its responses: the newest one of those
 * whose connection has the best reading habit.
 */
const findMostUrgent = (waiting: WaitingRequest[]): number => {
  const habits = waiting.map(({ readingHabit }) => readingHabit)
  return habits.lastIndexOf(Math.max(...habits) as ReadingHabit)
}
/** Returns the waiting request to reject first: the oldest one of those whose connection has the worst reading habit. */
const findLeastUrgent = (waiting: WaitingRequest[]): number => {
  const habits = waiting.map(({ readingHabit }) => readingHabit)
  return habits.indexOf(Math.min(...habits) as ReadingHabit)
}

const reject = ({ request, response }: WaitingRequest) => sendProblem(request, response, 'overloaded')

/** Pages and files of the site have no error format, and their rejection would break the page that is loading. */
const isRejectable = ({ url = '/' }: IncomingMessage) => url.startsWith('/api/') && !isAlwaysAccepted(url)
