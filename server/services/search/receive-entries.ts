/** Receives the entries of the index from a worker thread that reads the catalogue. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DatabaseLocation } from '../../db/database.ts'
import type { EntryPage } from './write-index.ts'

/**
 * Message of the worker with a page of entries; null after the last page. The receiver replies with one
 * message for each page that it has used.
 */
export interface EntryMessage {
  entryPage: EntryPage | null
}

/**
 * The worker waits while this many of its pages have not been used by the receiver, so that memory stays bounded. These
 * pages contain as many documents as one transaction of the rebuild (BATCH_SIZE in search/sqlite-rebuild.ts).
 */
export const MAX_PAGES_IN_FLIGHT = 100

const isEntryMessage = (message: unknown): message is EntryMessage =>
  typeof message === 'object' && message !== null && 'entryPage' in message

/** Yields all pages. Throws when the worker fails or ends early. */
export async function* receiveEntryPages(location: DatabaseLocation): AsyncGenerator<EntryPage> {
  const worker = new Worker(new URL('./entry-worker.ts', import.meta.url), { workerData: location })
  try {
    for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
      if (!isEntryMessage(message)) continue
      if (message.entryPage === null) return
      yield message.entryPage
      worker.postMessage('used')
    }
    throw new Error('The worker that reads the catalogue ended early.')
  } finally {
    await worker.terminate()
  }
}
