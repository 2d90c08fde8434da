/** Sends what waits, once, from one tab; only for the account that is signed in and the profile that acts (docs/offline.md). */
import { onSession, refreshSession } from '../client/auth.ts'
import { ApiError, networkError } from '../client/errors.ts'
import {
  drop,
  fateOf,
  markTried,
  type Owner,
  put,
  takeBack as removeFrom,
  sendAll,
  type Waiting,
  type Wish,
  type Write,
  waitingOf,
} from '../client/queue.ts'
import { isAway } from '../client/reach.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'
import { $profile, $profileId, $profiles } from './profile.ts'
import { refetchAll } from './query.ts'
import { sendWrite } from './send-write.ts'
import { $user } from './session.ts'
import { toast } from './toast.ts'
import { $listedAway, $sent, $waiting } from './waiting.ts'

const LOCK = 'marquee-outbox'
const FIRST_WAIT_MS = 4_000
const LONGEST_WAIT_MS = 120_000

function owner(): Owner | null {
  const account = $user.get()?.user_id
  const profile = $profile.get()?.profile_id
  return account && profile ? { account, profile } : null
}

function show(): void {
  const who = owner()
  const waiting = who ? waitingOf(localStorage, who) : []
  $waiting.set(waiting)
  $listedAway.set(listsOf(waiting))
  for (const write of waiting) if (write.kind === 'profile') showPreferences(write.preferences)
}

function listsOf(waiting: readonly Waiting[]) {
  const lists: Record<string, Partial<WatchlistEntry>> = {}
  const add = (key: string, { added_at: _at, ...body }: Omit<Wish, 'type' | 'media_id'>) => {
    lists[key] = { ...lists[key], ...body } as Partial<WatchlistEntry>
  }
  for (const one of waiting) {
    if (one.kind === 'list') add(`${one.title.type}/${one.title.id}`, one.body)
    if (one.kind === 'several')
      for (const { type, media_id, ...body } of one.entries) add(`${type}/${media_id}`, body)
  }
  return lists
}

/** What was chosen without a network holds after a reload too; the list that was kept does not know of it. */
function showPreferences(wanted: Record<string, unknown>): void {
  const profile = $profile.get()
  const known = profile?.preferences as Record<string, unknown> | undefined
  if (!profile || Object.entries(wanted).every(([name, value]) => known?.[name] === value)) return
  const changed = { ...profile, preferences: { ...profile.preferences, ...wanted } }
  $profiles.set(($profiles.get() ?? []).map((one) => (one.profile_id === profile.profile_id ? changed : one)))
}

let started = false
export function start(): void {
  if (started) return
  started = true
  $profile.subscribe(show)
  /* What another tab keeps or sends. */
  addEventListener('storage', ({ key }) => key?.startsWith('marquee-waiting') && show())
  addEventListener('online', () => void back())
  /* The first session of a page was asked for with its pages; a later one after an absence is news. */
  let away = isAway()
  onSession((session) => {
    if (session?.token && away) void back()
    away = session !== null && !session.token
  })
  $profile.subscribe((profile) => {
    if (profile) void flush()
  })
}

/** The network is there again: what waits goes first, then what is shown is read anew. */
async function back(): Promise<void> {
  if (isAway()) await refreshSession()
  if (!isAway() && !(await flush())) refetchAll()
}

let timer: ReturnType<typeof setTimeout> | undefined
let wait = FIRST_WAIT_MS

/** False when nothing waited. */
async function flush(): Promise<boolean> {
  const who = owner()
  if (!who || waitingOf(localStorage, who).length === 0) return false
  const turn = () => sendAll(localStorage, who, (write) => sendOne(who, write))
  const end = await (navigator.locks ? navigator.locks.request(LOCK, turn) : turn())
  show()
  if (end === 'done') refetchAll()
  clearTimeout(timer)
  wait = end === 'done' ? FIRST_WAIT_MS : Math.min(wait * 2, LONGEST_WAIT_MS)
  if (end === 'later') timer = setTimeout(() => void flush(), wait)
  return true
}

async function sendOne(who: Owner, write: Waiting): Promise<'sent' | 'refused' | 'later'> {
  const now = owner()
  /* Somebody else has come meanwhile: it is not theirs to send. */
  if (now?.account !== who.account || now.profile !== who.profile || $profileId.get() !== who.profile)
    return 'later'
  try {
    $sent.set({ write, reply: await sendWrite(write, who) })
    return 'sent'
  } catch (error) {
    const fate = error instanceof ApiError ? fateOf(error) : 'later'
    if (fate === 'later' && mayBeHeard(error)) markTried(localStorage, write)
    /* Its answer was lost the first time, or there was nothing to bring back. */
    if (fate === 'refused' && write.kind === 'undo') return 'sent'
    if (fate === 'refused') toast('common:changeRefused', { kind: 'bad' })
    return fate
  } finally {
    show()
  }
}

/** No answer came although there is a network: the server may have done it. */
const mayBeHeard = (error: unknown) =>
  navigator.onLine !== false && error instanceof ApiError && [0, 502, 504].includes(error.status)

/** Called by deliver.ts through the module that it fetched. @public */
export async function takeBack(write: Write): Promise<boolean> {
  const who = owner()
  if (!who) return false
  /* Not while it is being sent. */
  const turn = () => Promise.resolve(removeFrom(localStorage, who, write))
  const taken = await (navigator.locks ? navigator.locks.request(LOCK, turn) : turn())
  show()
  if (taken) void flush()
  return taken
}

/** Called by deliver.ts through the module that it fetched. @public */
export async function deliver(write: Write, leaving: boolean): Promise<unknown> {
  const who = owner()
  if (!who) throw networkError()
  const others = waitingOf(localStorage, who).length > 0
  if (leaving || others || isAway()) {
    const kept = keep(who, write)
    if (leaving)
      await sendWrite(kept, who).then(
        () => drop(localStorage, kept),
        () => {},
      )
    else void flush()
    show()
    return undefined
  }
  try {
    return await sendWrite(write, who)
  } catch (error) {
    const unheard = error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
    if (!unheard) throw error
    keep(who, write, mayBeHeard(error))
    return undefined
  }
}

function keep(who: Owner, write: Write, tried = false): Waiting {
  const kept = put(localStorage, who, write, tried)
  if (!kept) throw networkError()
  show()
  clearTimeout(timer)
  timer = setTimeout(() => void flush(), wait)
  return kept
}
