/**
 * Lets clients take turns: waiting requests are started one address after the other, and for at most TURN_MS before the
 * event loop receives new ones. A burst of requests from one address, such as 8,000 large documents at once, then delays
 * the requests of other addresses by milliseconds rather than by the whole burst.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isAlwaysAccepted, MAX_REQUESTS } from './admission.ts'
import { sendProblem } from './problem-response.ts'

/** Long enough that requests which wait for a database share their lookups, short compared with a request. */
const TURN_MS = 2
/** Number of waiting requests of one address above which its `/api/` requests are rejected. */
export const MAX_WAITING_PER_ADDRESS = 1_000
/**
 * Time after which a waiting `/api/` request is rejected while more than MAX_REQUESTS wait, so that accepted requests
 * finish in time. Fewer requests are soon handled, for example after a pause of the process.
 */
export const MAX_WAITING_MS = 500

interface WaitingRequest {
  request: IncomingMessage
  response: ServerResponse
  sinceMs: number
}

interface TurnsOptions {
  /** Returns the address whose requests share their turns. */
  findAddress: (request: IncomingMessage) => string
}

/** Calls `listener` at once while requests come one at a time, and in turns between the addresses otherwise. */
export function takeTurns(listener: RequestListener, { findAddress }: TurnsOptions): RequestListener {
  /** Waiting requests by address, in the order in which the addresses have their turns. */
  const waitingByAddress = new Map<string, WaitingRequest[]>()
  let waitingCount = 0
  let isTurnRunning = false
  const startTurn = (request: IncomingMessage, response: ServerResponse) => {
    isTurnRunning = true
    setImmediate(continueTurn)
    listener(request, response)
  }
  const continueTurn = (startMs = performance.now()) => {
    isTurnRunning = false
    const next = takeStartable()
    if (!next) return
    isTurnRunning = true
    listener(next.request, next.response)
    // The work of a request that does not wait for anything is done in microtasks, and counts for the turn.
    if (performance.now() - startMs < TURN_MS) runAfterMicrotasks(() => continueTurn(startMs))
    else setImmediate(continueTurn)
  }
  /** Removes the next request that is neither too late nor given up by its client. */
  const takeStartable = (): WaitingRequest | undefined => {
    for (let next = takeNext(waitingByAddress); next; next = takeNext(waitingByAddress)) {
      const { request, response, sinceMs } = next
      waitingCount -= 1
      if (response.destroyed) continue
      const isLate = waitingCount > MAX_REQUESTS && performance.now() - sinceMs > MAX_WAITING_MS
      if (!isLate || !isRejectable(request)) return next
      sendProblem(request, response, 'overloaded')
    }
    return undefined
  }
  return (request, response) => {
    if (!isTurnRunning) return startTurn(request, response)
    const address = findAddress(request)
    const waiting = waitingByAddress.get(address) ?? []
    if (waiting.length >= MAX_WAITING_PER_ADDRESS && isRejectable(request))
      return sendProblem(request, response, 'overloaded')
    waiting.push({ request, response, sinceMs: performance.now() })
    waitingByAddress.set(address, waiting)
    waitingCount += 1
  }
}

const runAfterMicrotasks = (callback: () => void) => queueMicrotask(() => process.nextTick(callback))

/** Removes the first request of the first address, and lets that address wait behind the others. */
function takeNext(waitingByAddress: Map<string, WaitingRequest[]>): WaitingRequest | undefined {
  const [entry] = waitingByAddress
  if (!entry) return
  const [address, waiting] = entry
  const next = waiting.shift()
  waitingByAddress.delete(address)
  if (waiting.length > 0) waitingByAddress.set(address, waiting)
  return next
}

/** Pages and files of the site have no error format, and their rejection would break the page that is loading. */
const isRejectable = ({ url = '/' }: IncomingMessage) => url.startsWith('/api/') && !isAlwaysAccepted(url)
