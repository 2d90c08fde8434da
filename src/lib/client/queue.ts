/**
 * Writes that wait for the network, in local storage: it survives a reload and is written before a page goes. Each write
 * has an entry of its own, named by account, profile and what it is about, so that the last word on one thing takes the
 * place of the one before, and two tabs never write over each other's.
 */
import type { MediaCard } from '../contract/media.ts'
import type { Feedback, WatchState } from '../contract/tracking.ts'

interface About {
  type: 'movie' | 'tv'
  id: string
}
/** Every one of them says a whole state, or when it was true: sent twice, it is as if sent once. */
export type Write =
  | { kind: 'list'; title: About; body: { in_watchlist: boolean; state?: WatchState }; card?: MediaCard }
  | { kind: 'feedback'; title: About; feedback: Feedback }
  | { kind: 'card'; title: About; event: 'dismiss' | 'undismiss' }
  | { kind: 'progress'; title: About; place: Place; progress: number; duration: number; at: string }
  | { kind: 'reset'; title: About }
  | { kind: 'clear' }
  | { kind: 'user' | 'profile'; preferences: Record<string, unknown> }
interface Place {
  season?: number
  episode?: number
}
export interface Owner {
  account: string
  profile: string
}
export type Waiting = Write & { key: string; seq: number }

const PREFIX = 'marquee-waiting'
/** More than an evening without a network makes; beyond it, a write fails as it would have. */
const MOST = 500

const start = ({ account, profile }: Owner) => `${PREFIX} ${account} ${profile} `

function nameOf(write: Write): string {
  if (!('title' in write)) return write.kind
  const { title, kind } = write
  const place = kind === 'progress' ? ` ${write.place.season ?? ''}x${write.place.episode ?? ''}` : ''
  return `${kind} ${title.type}/${title.id}${place}`
}

/** In the order they were made. */
export function waitingOf(storage: Storage, owner: Owner): Waiting[] {
  const found: Waiting[] = []
  for (let i = 0; i < storage.length; i++) {
    const key = storage.key(i) ?? ''
    if (!key.startsWith(start(owner))) continue
    const value = parse(storage.getItem(key))
    if (value) found.push({ ...value, key })
  }
  return found.sort((a, b) => a.seq - b.seq)
}

function parse(text: string | null): Waiting | null {
  try {
    return JSON.parse(text ?? 'null') as Waiting | null
  } catch {
    return null
  }
}

/** Keeps a write. False when there is no room for it. */
export function put(storage: Storage, owner: Owner, write: Write): Waiting | null {
  const waiting = waitingOf(storage, owner)
  const key = start(owner) + nameOf(write)
  const before = waiting.find((one) => one.key === key)
  if (!before && waiting.length >= MOST) return null
  for (const one of waiting) if (undone(one, write)) storage.removeItem(one.key)
  const seq = Math.max(Date.now(), (waiting.at(-1)?.seq ?? 0) + 1)
  const next = { ...slim(merge(before, write)), key, seq } as Waiting
  try {
    storage.setItem(key, JSON.stringify(next))
  } catch {
    return null
  }
  return next
}

/** Stores hand over whole titles, details and all: only what a poster shows is kept. */
function slim(write: Write): Write {
  if (!('title' in write)) return write
  const title = { type: write.title.type, id: write.title.id }
  if (write.kind !== 'list' || !write.card) return { ...write, title }
  const {
    id,
    type,
    slug,
    title: name,
    original_title,
    release_date,
    year,
    poster_path,
    backdrop_path,
  } = write.card
  const { color, language, rating, rating_votes, rated, safe_for_kids, high_quality, runtime } = write.card
  const looks = {
    id,
    type,
    slug,
    title: name,
    original_title,
    release_date,
    year,
    poster_path,
    backdrop_path,
  }
  const facts = { color, language, rating, rating_votes, rated, safe_for_kids, high_quality, runtime }
  return { ...write, title, card: { ...looks, ...facts, genres: [] } }
}

/** A reset takes the places before it with it. */
function undone(one: Write, by: Write): boolean {
  if (one.kind !== 'progress' && one.kind !== 'reset') return false
  if (by.kind === 'clear') return true
  return by.kind === 'reset' && one.title.type === by.title.type && one.title.id === by.title.id
}

function merge(before: Write | undefined, next: Write): Write {
  if (before?.kind === 'list' && next.kind === 'list') {
    const { in_watchlist } = next.body
    return { ...before, ...next, body: in_watchlist ? { ...before.body, ...next.body } : { in_watchlist } }
  }
  if (before?.kind === 'progress' && next.kind === 'progress') return before.at > next.at ? before : next
  if (before && 'preferences' in before && 'preferences' in next)
    return { ...next, preferences: { ...before.preferences, ...next.preferences } }
  return next
}

/** Takes a write out, unless a newer word on the same thing came while it was sent. */
export function drop(storage: Storage, sent: Waiting): void {
  if (parse(storage.getItem(sent.key))?.seq === sent.seq) storage.removeItem(sent.key)
}

export type Fate = 'sent' | 'refused' | 'later'

/** Sends what waits, one after the other, until nothing does or the server cannot be asked. */
export async function sendAll(
  storage: Storage,
  owner: Owner,
  send: (write: Waiting) => Promise<Fate>,
): Promise<'done' | 'later'> {
  for (;;) {
    const [next] = waitingOf(storage, owner)
    if (!next) return 'done'
    if ((await send(next)) === 'later') return 'later'
    drop(storage, next)
  }
}

/** What an answer means for a write: refused for good, or to be tried again. */
export function fateOf({ status, type }: { status: number; type: string }): Fate {
  const again = status === 0 || status === 401 || status === 408 || status === 425 || status === 429
  return again || status >= 500 || type === 'profile_locked' ? 'later' : 'refused'
}
