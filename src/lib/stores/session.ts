/** The signed-in user. The session starts with the first listener. */
import { atom, computed, onMount } from 'nanostores'
import { clearSession, onSession, type Session, startSession, storeTokens } from '../client/auth.ts'
import { call } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import { leftUnheard, rememberUser } from '../client/remembered.ts'
import type { User } from '../contract/auth.ts'
import * as auth from '../contract/auth.ts'

export type SessionState =
  | { status: 'pending' }
  | { status: 'anonymous' }
  | { status: 'signed-in'; user: User }

export const $session = atom<SessionState>({ status: 'pending' })
export const $user = computed($session, (session) => (session.status === 'signed-in' ? session.user : null))

const CHANNEL = 'marquee-session'
let channel: BroadcastChannel | undefined

function setSession(session: Session | null): void {
  $session.set(session ? { status: 'signed-in', user: session.user } : { status: 'anonymous' })
}

onMount($session, () => {
  const stop = onSession(setSession)
  void startSession()
  channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === 'signed-out') clearSession()
  }
  return () => {
    stop()
    channel?.close()
  }
})

export async function login(credentials: { email: string; password: string }): Promise<void> {
  const tokens = await call(auth.login, { body: credentials })
  leftUnheard.clear()
  storeTokens(tokens)
}

export async function register(
  invitation: string,
  credentials: { email: string; password: string },
): Promise<void> {
  storeTokens(await call(auth.register, { body: credentials, bearer: invitation }))
}

/** Signs this device out in all tabs. Without a network, the server is told at the next refresh. */
export async function logout(): Promise<void> {
  try {
    await call(auth.logout, { body: {} })
  } catch (error) {
    if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) leftUnheard.set()
    else throw error
  } finally {
    channel?.postMessage('signed-out')
    clearSession()
  }
}

export async function updateUser(change: {
  onboarded?: boolean
  preferences?: Partial<User['preferences']>
}): Promise<void> {
  const user = await call(auth.updateUser, { body: change })
  rememberUser(user)
  $session.set({ status: 'signed-in', user })
}
