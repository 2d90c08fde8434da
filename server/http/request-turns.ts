/**
 * Decides in which order waiting requests start: one request of each client address, then the next request of each
 * address, and so on. Requests start for at most TURN_MS; then the event loop receives new requests. A burst from one
 * address, such as 8,000 requests for large documents, therefore delays the requests of other addresses by milliseconds
 * and not by the duration of the burst.
 *
 * Requests of an address that does not read its responses (unread-responses.ts) start slowly. Ordinary clients may have
 * the same address. Of the requests of such an address, the requests on connections whose client has read a response
 * therefore start first, and newer requests start before older requests.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isAlwaysAccepted, MAX_ADMISSION_LIMIT } from './admission.ts'
import { sendProblem } from './problem-response.ts'
import { READING_HABITS, type ReadingHabit, UnreadResponses } from './unread-responses.ts'

/**
 * Maximum duration of a turn, which is a period in which waiting requests start. Several requests start in a turn, so
 * that they can share database lookups. A turn is short compared with the duration of a request.
 */
const TURN_MS = 2
/**
 * Number of waiting requests of one address above which the newest request is rejected. For an address that does not
 * read its responses, the request that `findLeastUrgent` selects is rejected instead. Requests for pages and files are
 * never rejected (`isRejectable`).
 */
export const MAX_WAITING_PER_ADDRESS = 1_000
/**
 * Time in milliseconds after which a waiting `/api/` request is rejected while more than MAX_ADMISSION_LIMIT requests
 * wait, so that accepted requests finish in time. A shorter queue is handled soon, for example after a pause of the
 * process.
 */
export const MAX_WAITING_MS = 500
/**
 * Time in milliseconds after which a waiting `/api/` request is rejected if its address does not read its responses.
 */
export const MAX_WAIT_OF_NON_READERS_MS = 2_000
/** Interval at which waiting requests of addresses that do not read their responses are checked again. */
const UNREAD_CHECK_INTERVAL_MS = 20

interface WaitingRequest {
  request: IncomingMessage
  response: ServerResponse
  address: string
  readingHabit: ReadingHabit
  queuedAtMs: number
}

interface TurnsOptions {
  /** Returns the client address of a request. All requests of an address wait in the same queue. */
  findAddress: (request: IncomingMessage) => string
  /** True for requests whose connection belongs to a proxy. */
  isForwarded?: (request: IncomingMessage) => boolean
  unreadResponses?: UnreadResponses
}

/**
 * Calls `listener` immediately if no turn is running and the address of the request reads its responses. Otherwise, the
 * request waits, and the addresses take turns: one request of each address starts per round.
 */
export function runRequestsInTurns(
  listener: RequestListener,
  { findAddress, isForwarded = () => false, unreadResponses = new UnreadResponses() }: TurnsOptions,
): RequestListener {
  const queue = new WaitingRequests(unreadResponses)
  let isTurnRunning = false
  let unreadCheckTimer: NodeJS.Timeout | undefined
  const startRequest = ({ request, response }: WaitingRequest) => {
    isTurnRunning = true
    listener(request, response)
  }
  const continueTurn = (turnStartedAtMs = performance.now()) => {
    isTurnRunning = false
    const nextRequest = queue.takeStartableRequest()
    if (!nextRequest) return checkUnreadLater()
    startRequest(nextRequest)
    // A request that waits for no database or file does its work in microtasks, so their duration counts towards the
    // turn.
    if (performance.now() - turnStartedAtMs < TURN_MS) runAfterMicrotasks(() => continueTurn(turnStartedAtMs))
    else setImmediate(continueTurn)
  }
  /**
   * Checks the waiting requests again after `UNREAD_CHECK_INTERVAL_MS`. All of them come from addresses that do not
   * read their responses.
   */
  const checkUnreadLater = () => {
    if (queue.size === 0 || unreadCheckTimer) return
    unreadCheckTimer = setTimeout(() => {
      unreadCheckTimer = undefined
      queue.rejectLateRequests()
      if (isTurnRunning) checkUnreadLater()
      else continueTurn()
    }, UNREAD_CHECK_INTERVAL_MS)
  }
  return (request, response) => {
    const address = findAddress(request)
    const readingHabit = isForwarded(request)
      ? READING_HABITS.reads
      : unreadResponses.track(request, response, address)
    const waitingRequest = { request, response, address, readingHabit, queuedAtMs: performance.now() }
    if (isTurnRunning) return queue.add(waitingRequest)
    if (!unreadResponses.isOverLimit(address)) {
      setImmediate(continueTurn)
      return startRequest(waitingRequest)
    }
    queue.add(waitingRequest)
    continueTurn()
  }
}

const runAfterMicrotasks = (callback: () => void) => queueMicrotask(() => process.nextTick(callback))

class WaitingRequests {
  /** Waiting requests by address. The addresses take turns in the order of this map (`#takeNext`). */
  readonly #byAddress = new Map<string, WaitingRequest[]>()
  readonly #unreadResponses: UnreadResponses
  #requestCount = 0
  constructor(unreadResponses: UnreadResponses) {
    this.#unreadResponses = unreadResponses
  }

  get size(): number {
    return this.#requestCount
  }

  add(waitingRequest: WaitingRequest): void {
    const waitingRequests = this.#byAddress.get(waitingRequest.address) ?? []
    waitingRequests.push(waitingRequest)
    this.#byAddress.set(waitingRequest.address, waitingRequests)
    this.#requestCount += 1
    if (waitingRequests.length <= MAX_WAITING_PER_ADDRESS) return
    const isOverLimit = this.#unreadResponses.isOverLimit(waitingRequest.address)
    const rejectedIndex = isOverLimit ? findLeastUrgent(waitingRequests) : waitingRequests.length - 1
    const rejectedRequest = waitingRequests[rejectedIndex]
    if (!rejectedRequest || !isRejectable(rejectedRequest.request)) return
    waitingRequests.splice(rejectedIndex, 1)
    this.#requestCount -= 1
    rejectRequest(rejectedRequest)
  }

  /**
   * Removes and returns the next request that may start; undefined if there is none. Drops requests that the client has
   * cancelled. While more than MAX_ADMISSION_LIMIT requests wait, rejects `/api/` requests that have waited longer than
   * MAX_WAITING_MS.
   */
  takeStartableRequest(): WaitingRequest | undefined {
    for (let nextRequest = this.#takeNext(); nextRequest; nextRequest = this.#takeNext()) {
      if (nextRequest.response.destroyed) continue
      const hasWaitedTooLongInFullQueue =
        this.#requestCount > MAX_ADMISSION_LIMIT &&
        performance.now() - nextRequest.queuedAtMs > MAX_WAITING_MS
      if (!hasWaitedTooLongInFullQueue || !isRejectable(nextRequest.request)) return nextRequest
      rejectRequest(nextRequest)
    }
    return undefined
  }

  /**
   * Rejects `/api/` requests that have waited for MAX_WAIT_OF_NON_READERS_MS, if their client address is over the
   * limit of unread responses.
   */
  rejectLateRequests(): void {
    const maxQueuedAtMs = performance.now() - MAX_WAIT_OF_NON_READERS_MS
    for (const [address, waitingRequests] of this.#byAddress) {
      const isLateRequest = (waitingRequest: WaitingRequest) =>
        waitingRequest.queuedAtMs < maxQueuedAtMs && isRejectable(waitingRequest.request)
      if (!waitingRequests.some(isLateRequest) || !this.#unreadResponses.isOverLimit(address)) continue
      const lateRequests = waitingRequests.filter(isLateRequest)
      this.#requestCount -= lateRequests.length
      this.#setWaitingRequests(
        address,
        waitingRequests.filter((waitingRequest) => !isLateRequest(waitingRequest)),
      )
      for (const lateRequest of lateRequests) if (!lateRequest.response.destroyed) rejectRequest(lateRequest)
    }
  }

  /**
   * Removes and returns a request of the first address that may start a request, and moves that address to the end of
   * the queue. Returns undefined if no address may start a request.
   */
  #takeNext(): WaitingRequest | undefined {
    for (const [address, waitingRequests] of this.#byAddress) {
      const isOverLimit = this.#unreadResponses.isOverLimit(address)
      if (isOverLimit && !this.#unreadResponses.tryStartOverLimit(address)) continue
      const [nextRequest] = waitingRequests.splice(isOverLimit ? findMostUrgent(waitingRequests) : 0, 1)
      this.#requestCount -= 1
      this.#byAddress.delete(address)
      this.#setWaitingRequests(address, waitingRequests)
      return nextRequest
    }
    return undefined
  }

  #setWaitingRequests(address: string, waitingRequests: WaitingRequest[]): void {
    if (waitingRequests.length > 0) this.#byAddress.set(address, waitingRequests)
    else this.#byAddress.delete(address)
  }
}

/**
 * Returns the index of the request to start first, for an address that does not read its responses. This is the newest
 * of the requests with the highest `readingHabit` (READING_HABITS).
 */
const findMostUrgent = (waitingRequests: WaitingRequest[]): number => {
  const readingHabits = waitingRequests.map(({ readingHabit }) => readingHabit)
  return readingHabits.lastIndexOf(Math.max(...readingHabits) as ReadingHabit)
}
/** Returns the index of the request to reject first: the oldest of the requests with the lowest `readingHabit`. */
const findLeastUrgent = (waitingRequests: WaitingRequest[]): number => {
  const readingHabits = waitingRequests.map(({ readingHabit }) => readingHabit)
  return readingHabits.indexOf(Math.min(...readingHabits) as ReadingHabit)
}

const rejectRequest = ({ request, response }: WaitingRequest) => sendProblem(request, response, 'overloaded')

/**
 * True for API requests, except health checks and metrics. Pages and files are never rejected: they have no error
 * format, and a missing file would break the page that is loading.
 */
const isRejectable = ({ url = '/' }: IncomingMessage) => url.startsWith('/api/') && !isAlwaysAccepted(url)
