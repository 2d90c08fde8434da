/** Two processes of one machine may open a new database file at the same time. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteConnection } from '../../../server/db/sqlite-connection.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Source code of a thread that holds all locks of a database file for 200 ms. */
const LOCK_HOLDER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const db = new (require('node:sqlite').DatabaseSync)(workerData)
db.exec('create table other (id); begin exclusive')
parentPort.postMessage('locked')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
db.exec('commit')
db.close()`

it('opening a database file in WAL mode waits until another connection has released its locks', async () => {
  const databasePath = join(folder, 'marquee.db')
  const lockHolder = new Worker(LOCK_HOLDER_SOURCE, { eval: true, workerData: databasePath })
  const exitPromise = once(lockHolder, 'exit')
  await once(lockHolder, 'message')
  const connection = openSqliteConnection(databasePath)
  try {
    expect(connection.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
  } finally {
    connection.close()
    await exitPromise
  }
})
