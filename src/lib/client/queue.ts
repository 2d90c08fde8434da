/**
 * Writes that wait for the network, in local storage: it survives a reload and is written before a page goes. Each write
 * has an entry of its own, named by account, profile and what it is about, so that the last word on one thing takes the
 * place of the one before, and two tabs never write over each other's.
 */

import type { BodyOf } from '../contract/endpoint.ts'
import type { Feedback } from '../contract/feedback.ts'
import type { MediaCard } from '../contract/media.ts'
import type { putWatchlist, WatchState } from '../contract/watchlist.ts'

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
  /** Several titles of My List in one request; `id` tells one such deed from the next. */
  | { kind: 'several'; id: string; entries: Wish[] }
  | Removal
  /** Brings back what the removal of that key took, which the server may have heard of already. */
  | { kind: 'undo'; of: string }
  | { kind: 'user' | 'profile'; preferences: Record<string, unknown> }
/** Takes progress away. What waited until then and goes with it is kept inside, for Undo. */
export type Removal = ({ kind: 'reset'; title: About } | { kind: 'clear' }) & { took?: Waiting[] }
export type Wish = BodyOf<typeof putWatchlist>['entries'][number]
interface Place {
  season?: number
  episode?: number
}
export interface Owner {
  account: string
  profile: string
}
/** `tried`: it was sent, and no answer came. `undone`: an Undo waits after it. */
export type Waiting = Write & { key: string; seq: number; tried?: boolean; undone?: boolean }

const PREFIX = 'marquee-waiting'
/** More than an evening without a network makes; beyond it, a write fails as it would have. */
const MOST = 500

const start = ({ account, profile }: Owner) => `${PREFIX} ${account} ${profile} `

function nameOf(write: Write): string {
  if (write.kind === 'several') return `${write.kind} ${write.id}`
  if (write.kind === 'undo') return `${write.kind} ${write.of} back`
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

/** Keeps a write; `tried` when it was sent, and no answer came. Null when there is no room for it. */
export function put(storage: Storage, owner: Owner, write: Write, tried = false): Waiting | null {
  const waiting = waitingOf(storage, owner)
  const key = start(owner) + nameOf(write)
  const before = waiting.find((one) => one.key === key)
  if (!before && waiting.length >= MOST) return null
  const took = waiting.filter((one) => goesWith(one, write, key))
  for (const one of took) storage.removeItem(one.key)
  const seq = Math.max(Date.now(), (waiting.at(-1)?.seq ?? 0) + 1)
  const removal = write.kind === 'reset' || write.kind === 'clear'
  const whole = { ...slim(merge(before, write)), ...(removal && { took }), ...(tried && { tried }) }
  const next = { ...whole, key, seq } as Waiting
  try {
    storage.setItem(key, JSON.stringify(next))
  } catch {
    for (const one of took) storage.setItem(one.key, JSON.stringify(one))
    return null
  }
  return next
}

/**
 * Takes back a removal or a change of several titles. False when it does not wait any more. A removal that the server may
 * have heard of stays, with an Undo right after it. What a removal took along waits again.
 */
export function takeBack(storage: Storage, owner: Owner, write: Write): boolean {
  const waiting = waitingOf(storage, owner)
  const key = start(owner) + nameOf(write)
  const found = waiting.find((one) => one.key === key)
  if (!found || (found.kind === 'several' && found.tried)) return false
  if (found.tried) {
    const undo = { kind: 'undo', of: key } as const
    storage.setItem(start(owner) + nameOf(undo), JSON.stringify({ ...undo, seq: found.seq + 0.5 }))
    storage.setItem(key, JSON.stringify({ ...found, undone: true }))
  } else storage.removeItem(key)
  const took = 'took' in found ? (found.took ?? []) : []
  for (const one of took) if (storage.getItem(one.key) === null) storage.setItem(one.key, JSON.stringify(one))
  return true
}

/** Notes that a write was sent without an answer, unless a newer word on the same thing has come. */
export function markTried(storage: Storage, sent: Waiting): void {
  const now = parse(storage.getItem(sent.key))
  if (now?.seq === sent.seq) storage.setItem(sent.key, JSON.stringify({ ...now, tried: true }))
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

/** A removal takes the places before it with it, and the removals of them with their Undo. */
function goesWith(one: Waiting, by: Write, key: string): boolean {
  if (one.kind === 'undo') return by.kind === 'clear' || one.of === key
  if (one.kind !== 'progress' && one.kind !== 'reset' && one.kind !== 'clear') return false
  if (by.kind === 'clear') return true
  if (by.kind !== 'reset' || one.kind === 'clear') return false
  return one.title.type === by.title.type && one.title.id === by.title.id
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
