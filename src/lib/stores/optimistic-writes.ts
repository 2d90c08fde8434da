/**
 * Writes that change the data of a read store and are shown before the server replies. The writes of a store are sent
 * one after another, so that the server stores the last choice of the user last.
 */
import { getProfileSession } from '../client/profile-session.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { perProfile } from './per-profile.ts'
import type { ReadStore } from './query.ts'
import { getFailureKey, showToast } from './toast.ts'

interface OptimisticWrite<T> {
  /** Returns the data with the change. */
  applyChange: (data: T) => T
  /**
   * Sends the write. Returns the changed data, or undefined if the reply does not contain it. `serverData` is the
   * data with the earlier writes of the store that have succeeded; undefined until the store has data.
   */
  send: (serverData: T | undefined) => Promise<T | undefined>
}

interface WriteQueue<T> {
  /** Shows the change and sends it after the earlier writes. If sending fails, rejects with the error of `send`. */
  addWrite: (write: OptimisticWrite<T>) => Promise<void>
}
/** The queues of the stores that have writes without a reply. The type of the data differs between the stores. */
// biome-ignore lint/suspicious/noExplicitAny: a map cannot relate the types of its keys and values
const $writeQueues = perProfile(() => new Map<ReadStore<any>, WriteQueue<any>>())

/**
 * Shows a change of the data of a store and sends it. Until the reply to this write arrives, replies to reads and to
 * earlier writes do not hide the change. If the write fails, removes only this change and rejects with the error. The
 * store is then reloaded after its last pending write, because the server may have stored the change.
 */
export function writeOptimistically<T extends object>(
  store: ReadStore<T>,
  write: OptimisticWrite<T>,
): Promise<void> {
  const writeQueues = $writeQueues.get()
  const writeQueue: WriteQueue<T> =
    writeQueues.get(store) ?? createWriteQueue(store, () => writeQueues.delete(store))
  writeQueues.set(store, writeQueue)
  return writeQueue.addWrite(write)
}

/** The same as `writeOptimistically`, but shows a message on failure. Returns true on success. */
export async function saveOptimistically<T extends object>(
  store: ReadStore<T>,
  write: OptimisticWrite<T>,
  failureKey?: TranslationKey,
): Promise<boolean> {
  try {
    await writeOptimistically(store, write)
    return true
  } catch (error) {
    showToast(failureKey ?? getFailureKey(error), { kind: 'bad' })
    return false
  }
}

/** Calls `onEmpty` when every write of the queue has succeeded or failed. */
function createWriteQueue<T extends object>(store: ReadStore<T>, onEmpty: () => void): WriteQueue<T> {
  const pendingWrites = new Set<OptimisticWrite<T>>()
  let lastSendPromise: Promise<unknown> = Promise.resolve()
  let hasFailed = false
  /** The data without the changes of the pending writes; undefined until the store has data. */
  let serverData = store.get().data
  let shownData = serverData
  const showChanges = () => {
    if (serverData === undefined) return
    let changedData = serverData
    for (const { applyChange } of pendingWrites) changedData = applyChange(changedData)
    shownData = changedData
    store.mutate(shownData)
  }
  const applyToNewData = ({ data }: { data?: T | undefined }) => {
    if (data === undefined || data === shownData) return
    serverData = data
    showChanges()
  }
  // The listener keeps a displayed store mounted when the user leaves the page before the reply. Otherwise the store
  // would ignore the reply, and the page would show the old data when the user returns.
  const stopListening = store.lc > 0 ? store.listen(applyToNewData) : () => {}
  // The calls of an ended profile session never settle, so the listener is removed here.
  getProfileSession().signal.addEventListener('abort', stopListening)
  const finishWrite = (write: OptimisticWrite<T>) => {
    pendingWrites.delete(write)
    showChanges()
    if (pendingWrites.size > 0) return
    if (hasFailed) store.revalidate()
    stopListening()
    onEmpty()
  }
  return {
    async addWrite(write) {
      pendingWrites.add(write)
      showChanges()
      const sendPromise = lastSendPromise.then(async () => {
        const reply = await write.send(serverData)
        if (reply !== undefined) serverData = reply
        else if (serverData !== undefined) serverData = write.applyChange(serverData)
      })
      lastSendPromise = sendPromise.catch(() => {
        hasFailed = true
      })
      try {
        await sendPromise
      } finally {
        finishWrite(write)
      }
    },
  }
}
