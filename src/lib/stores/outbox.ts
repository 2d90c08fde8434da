/**
 * Sends pending writes from one tab at a time. Sends only writes of the signed-in account and the acting profile
 * (docs/offline.md).
 */
import { getAccessToken, onSessionChange, refreshSession } from '../client/auth.ts'
import { isOffline } from '../client/connectivity.ts'
import { ApiError, createNetworkError } from '../client/errors.ts'
import {
  buildWriteKey,
  classifySendError,
  deletePendingWrite,
  identifyUndoneRemoval,
  listPendingWrites,
  markUnconfirmed,
  type PendingWrite,
  revertPendingWrite,
  sendPendingWrites,
  storePendingWrite,
  type WatchlistChange,
  type WriteOwner,
  type WriteRequest,
} from '../client/pending-writes.ts'
import { takeReplacedReplies } from '../client/read-cache.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import type { deleteAllProgress } from '../contract/progress.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'
import { listStoredKeys, readStoredJson } from '../storage.ts'
import {
  EARLY_WRITES_KEY_PREFIX,
  OUTBOX_LOCK,
  PENDING_WRITES_KEY_PREFIX,
  REACHABILITY_EVENT,
} from '../storage-keys.ts'
import {
  $areWritesDelayed,
  $lastSentWrite,
  $pendingWatchlistChanges,
  $pendingWrites,
  getWriteOwner,
} from './pending-writes.ts'
import { $profile, $profiles } from './profile.ts'
import { refetchAll } from './query.ts'
import { sendWrite, showRefusedChange } from './send-write.ts'

const MIN_RETRY_DELAY_MS = 4_000
const MAX_RETRY_DELAY_MS = 120_000

const isCurrentOwner = ({ account, profile }: WriteOwner) => {
  const currentOwner = getWriteOwner()
  return currentOwner?.account === account && currentOwner.profile === profile
}

/** Updates the stores from local storage. */
function publishPendingWrites(): void {
  const owner = getWriteOwner()
  const pendingWrites = owner ? listPendingWrites(localStorage, owner) : []
  $pendingWrites.set(pendingWrites)
  $pendingWatchlistChanges.set(collectWatchlistChanges(pendingWrites))
  for (const write of pendingWrites) if (write.kind === 'profile') applyPreferences(write.preferences)
}

function collectWatchlistChanges(pendingWrites: readonly PendingWrite[]) {
  const changesByKey: Record<string, Partial<WatchlistEntry>> = {}
  const mergeChange = (
    titleKey: string,
    { added_at: _addedAt, ...body }: Omit<WatchlistChange, 'type' | 'media_id'>,
  ) => {
    changesByKey[titleKey] = { ...changesByKey[titleKey], ...body } as Partial<WatchlistEntry>
  }
  for (const write of pendingWrites) {
    if (write.kind === 'list') mergeChange(`${write.title.type}/${write.title.id}`, write.body)
    if (write.kind === 'mark')
      for (const { type, media_id, scope } of write.body.scopes)
        if (scope === 'title') mergeChange(`${type}/${media_id}`, { state: 'completed' })
    if (write.kind === 'several')
      for (const { type, media_id, ...body } of write.entries) mergeChange(`${type}/${media_id}`, body)
  }
  return changesByKey
}

/**
 * Applies pending preferences to the acting profile. After a reload, the cached profile contains the old preferences.
 */
function applyPreferences(preferences: Record<string, unknown>): void {
  const profile = $profile.get()
  const currentPreferences = profile?.preferences as Record<string, unknown> | undefined
  if (!profile || Object.entries(preferences).every(([name, value]) => currentPreferences?.[name] === value))
    return
  const changedProfile = { ...profile, preferences: { ...profile.preferences, ...preferences } }
  $profiles.set(
    ($profiles.get() ?? []).map((listedProfile) =>
      listedProfile.profile_id === profile.profile_id ? changedProfile : listedProfile,
    ),
  )
}

/**
 * When several writes were stored before the outbox was loaded, adds all of them to the pending writes, which are sent
 * in order. A later write can then not reach the server first. Called by lazy-outbox.ts after its dynamic import.
 * @public
 */
export function adoptSeveralEarlyWrites(): void {
  if (listStoredKeys(EARLY_WRITES_KEY_PREFIX).length > 1) adoptEarlyWrites()
}

/**
 * Adds early writes to the pending writes, in order. An early write was stored by this page, or by a closed page,
 * before the outbox of that page was loaded. If local storage has no space to add a write, the early write stays stored.
 * The page that stored it then sends it and reports a failure (lazy-outbox.ts). If that page is closed, a later page
 * adds the write.
 */
function adoptEarlyWrites(): void {
  const storageKeys = listStoredKeys(EARLY_WRITES_KEY_PREFIX)
  for (const storageKey of storageKeys.sort()) {
    const earlyWrite = readStoredJson(storageKey) as { write: WriteRequest; owner: WriteOwner } | null
    if (!earlyWrite || storePendingWrite(localStorage, earlyWrite.owner, earlyWrite.write))
      localStorage.removeItem(storageKey)
  }
  if (storageKeys.length === 0) return
  publishPendingWrites()
  void flushPendingWrites()
}

let isStarted = false
export function runOutbox(): void {
  if (isStarted) return
  isStarted = true
  adoptEarlyWrites()
  $profile.subscribe(publishPendingWrites)
  // Another tab stored or sent a write.
  addEventListener(
    'storage',
    ({ key }) => key?.startsWith(PENDING_WRITES_KEY_PREFIX) && publishPendingWrites(),
  )
  addEventListener('online', () => void handleReconnect())
  // A session that has a token again shows that the server can be reached again. `wasOffline` excludes the first
  // session of a page, which does not follow an offline period.
  let wasOffline = isOffline() || takeReplacedReplies()
  onSessionChange((session) => {
    if (session?.token && (takeReplacedReplies() || wasOffline)) void handleReconnect()
    wasOffline = session !== null && !session.token
  })
  // Cached replies that are displayed are outdated when the server responds again.
  addEventListener(REACHABILITY_EVENT, () => {
    if (!isOffline() && !wasOffline && takeReplacedReplies()) void handleReconnect()
  })
  $profile.subscribe((profile) => {
    if (profile) void flushPendingWrites()
  })
}

/** After the network returns, sends the pending writes first and then refetches the displayed data. */
async function handleReconnect(): Promise<void> {
  if (isOffline()) await refreshSession()
  if (!isOffline() && !(await flushPendingWrites())) refetchAll()
}

let retryTimer: ReturnType<typeof setTimeout> | undefined
let retryDelayMs = MIN_RETRY_DELAY_MS

/** Sends the pending writes. Returns false when no write was pending. */
async function flushPendingWrites(): Promise<boolean> {
  const owner = getWriteOwner()
  if (!owner || listPendingWrites(localStorage, owner).length === 0) return false
  const sendPending = () => sendPendingWrites(localStorage, owner, (write) => sendPendingWrite(owner, write))
  const sendOutcome = await (navigator.locks
    ? navigator.locks.request(OUTBOX_LOCK, sendPending)
    : sendPending())
  publishPendingWrites()
  $areWritesDelayed.set(sendOutcome === 'later')
  if (sendOutcome === 'done') refetchAll()
  clearTimeout(retryTimer)
  retryDelayMs = sendOutcome === 'done' ? MIN_RETRY_DELAY_MS : Math.min(retryDelayMs * 2, MAX_RETRY_DELAY_MS)
  if (sendOutcome === 'later') retryTimer = setTimeout(() => void flushPendingWrites(), retryDelayMs)
  return true
}

async function sendPendingWrite(
  owner: WriteOwner,
  write: PendingWrite,
): Promise<'sent' | 'refused' | 'later'> {
  const directSend = directSendsByWriteKey.get(write.key)
  if (directSend) await directSend.catch(() => {})
  // Without a token, the write is not sent and counts as unsent.
  const accessToken = await getAccessToken().catch(() => null)
  // Another account or profile may act now and must not send this write.
  if (!accessToken || !isCurrentOwner(owner)) return 'later'
  try {
    const reply = await sendWrite(write, owner)
    if (write.kind === 'reset' || write.kind === 'clear')
      identifyUndoneRemoval(localStorage, owner, {
        key: write.key,
        reply: reply as ReplyOf<typeof deleteAllProgress>,
      })
    if (isCurrentOwner(owner)) $lastSentWrite.set({ write, reply })
    return 'sent'
  } catch (error) {
    // If another profile or session acts now, the request may have been sent with its credentials. The rejection then
    // does not apply to this write, which is sent again later.
    const outcome = error instanceof ApiError && isCurrentOwner(owner) ? classifySendError(error) : 'later'
    if (outcome === 'later' && hasPossiblyArrived(error)) markUnconfirmed(localStorage, write)
    // The server also rejects an undo that succeeded earlier without a response.
    const isRepeatedUndo = write.kind === 'undo' && write.tried
    if (outcome === 'refused' && !isRepeatedUndo) showRefusedChange(owner.profile)
    return outcome
  } finally {
    publishPendingWrites()
  }
}

/** Returns whether the server may have applied a write although no response arrived. */
const hasPossiblyArrived = (error: unknown) =>
  navigator.onLine !== false && error instanceof ApiError && [0, 502, 504].includes(error.status)

/**
 * Reverts a pending write. Returns false when it was already sent. Called by lazy-outbox.ts after its dynamic import.
 * @public
 */
export async function revertInOutbox(write: WriteRequest, owner: WriteOwner | null): Promise<boolean> {
  if (!owner) return false
  // The lock prevents reverting a write while it is being sent.
  const revertWrite = () => Promise.resolve(revertPendingWrite(localStorage, owner, write))
  const isReverted = await (navigator.locks
    ? navigator.locks.request(OUTBOX_LOCK, revertWrite)
    : revertWrite())
  publishPendingWrites()
  if (isReverted) void flushPendingWrites()
  return isReverted
}

/** Writes that are being sent without being stored, by key. A newer write with the same key waits for the reply. */
const directSendsByWriteKey = new Map<string, Promise<unknown>>()

/**
 * Sends a write for its owner and returns the reply. When the write cannot be sent now, stores the write and returns
 * undefined. Called by lazy-outbox.ts after its dynamic import. @public
 */
export async function sendOrStoreWrite(
  write: WriteRequest,
  owner: WriteOwner | null,
  isPageClosing: boolean,
): Promise<unknown> {
  if (!owner) throw createNetworkError()
  const writeKey = buildWriteKey(owner, write)
  const mustWait = listPendingWrites(localStorage, owner).length > 0 || directSendsByWriteKey.has(writeKey)
  if (isPageClosing || mustWait || isOffline()) {
    const storedWrite = storeWrite(owner, write)
    if (isPageClosing)
      await sendWrite(storedWrite, owner).then(
        () => deletePendingWrite(localStorage, storedWrite),
        () => {},
      )
    else void flushPendingWrites()
    publishPendingWrites()
    return undefined
  }
  const directSend = sendDirectly(write, owner)
  directSendsByWriteKey.set(writeKey, directSend)
  try {
    return await directSend
  } finally {
    directSendsByWriteKey.delete(writeKey)
  }
}

/** Sends a write and returns the reply. When the server cannot be reached, stores the write and returns undefined. */
async function sendDirectly(write: WriteRequest, owner: WriteOwner): Promise<unknown> {
  try {
    return await sendWrite(write, owner)
  } catch (error) {
    const isUnreachable = error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
    if (!isUnreachable) throw error
    const newerWrite = listPendingWrites(localStorage, owner).find(
      ({ key }) => key === buildWriteKey(owner, write),
    )
    storeWrite(owner, write, hasPossiblyArrived(error))
    if (newerWrite) storeWrite(owner, newerWrite)
    return undefined
  }
}

/** Stores a write and schedules its sending. Throws a network error when storage is full or not available. */
function storeWrite(owner: WriteOwner, write: WriteRequest, wasSent = false): PendingWrite {
  const storedWrite = storePendingWrite(localStorage, owner, write, wasSent)
  if (!storedWrite) throw createNetworkError()
  publishPendingWrites()
  clearTimeout(retryTimer)
  retryTimer = setTimeout(() => void flushPendingWrites(), retryDelayMs)
  return storedWrite
}
