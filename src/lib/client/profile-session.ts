/**
 * The profile session: the time during which one profile acts in this tab. It ends when another profile is selected,
 * when the profile is locked or deleted, when its audience or group changes, and at a sign-out. Every request is bound
 * to the session in which it was made. Therefore no request, reply or timer of one profile affects the next profile.
 */
import { readActingProfileId } from '../storage.ts'
import { discardBootReads } from './boot.ts'

interface PrefetchedResponse {
  expiresAtMs: number
  response: Promise<Response>
}
export interface ProfileSession {
  /** Id of the acting profile; null until a profile is selected. */
  readonly profileId: string | null
  /** Aborts when the session ends. */
  readonly signal: AbortSignal
  /** Reads whose reply has not arrived yet, by read key (`buildReadKey` in call.ts). */
  readonly reads: Map<string, Promise<unknown>>
  /** Responses requested before they are needed, by read key. */
  readonly prefetchedResponses: Map<string, PrefetchedResponse>
}

let abortController: AbortController
let session = createSession(readActingProfileId())
const sessionStartListeners: (() => void)[] = []

function createSession(profileId: string | null): ProfileSession {
  abortController = new AbortController()
  return { profileId, signal: abortController.signal, reads: new Map(), prefetchedResponses: new Map() }
}

export const getProfileSession = () => session

/** Ends the current session and starts one for a profile, even when the profile stays the same. */
export function startProfileSession(profileId: string | null): void {
  abortController.abort()
  session = createSession(profileId)
  discardBootReads()
  for (const listener of sessionStartListeners) listener()
}

/** Calls `listener` after every start of a session, before the page sends requests in that session. */
export function onProfileSessionStart(listener: () => void): void {
  sessionStartListeners.push(listener)
}

/**
 * Returns a promise that settles like `promise`. If the current session ends first, the returned promise never settles.
 * The code that awaits the returned promise then does not continue for another profile.
 */
export function settleWhileProfileActs<T>(promise: Promise<T>): Promise<T> {
  const { signal } = session
  return new Promise((resolve, reject) => {
    promise.then(
      (value) => signal.aborted || resolve(value),
      (error: unknown) => signal.aborted || reject(error),
    )
  })
}

/** Like `setTimeout`, but does not run the task if the current session has ended by then. */
export function setProfileTimeout(task: () => void, delayMs: number): ReturnType<typeof setTimeout> {
  const { signal } = session
  return setTimeout(() => signal.aborted || task(), delayMs)
}
