/**
 * Entry point of the worker thread that reads the catalogue and prepares the index entries. The thread that started
 * this worker writes the entries at the same time.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseLocation, openDatabase } from '../../db/database.ts'
import { generateEntryPages } from './build-index.ts'
import { type EntryMessage, MAX_PAGES_IN_FLIGHT } from './receive-entries.ts'

const database = openDatabase({ ...(workerData as DatabaseLocation), isBackground: true })
let inFlightPageCount = 0
let continueReading = () => {}
parentPort?.on('message', () => {
  inFlightPageCount -= 1
  continueReading()
})
const sendMessage = (message: EntryMessage) => parentPort?.postMessage(message)
try {
  for await (const page of generateEntryPages(database.primary)) {
    sendMessage({ entryPage: page })
    inFlightPageCount += 1
    while (inFlightPageCount >= MAX_PAGES_IN_FLIGHT) {
      const { promise, resolve } = Promise.withResolvers<void>()
      continueReading = resolve
      await promise
    }
  }
  sendMessage({ entryPage: null })
} finally {
  await database.close()
  parentPort?.close()
}
