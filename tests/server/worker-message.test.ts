/** The parent receives the result of a worker thread, even if the thread also sends messages of `node --watch`. */
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receiveWorkerResult } from '../../server/core/worker-message.ts'
import { checkBackup } from '../../server/db/backup.ts'

const startWorker = (code: string) =>
  new Worker(`const { parentPort } = require('node:worker_threads'); ${code}`, { eval: true })

describe('receiveWorkerResult', () => {
  it('ignores messages without the property marqueeWorkerResult', async () => {
    const worker = startWorker(`
      for (const message of [{ 'watch:import': ['file:///a.ts'] }, 'text', null, 7]) parentPort.postMessage(message)
      parentPort.postMessage({ marqueeWorkerResult: { count: 3 } })`)
    expect(await receiveWorkerResult(worker)).toEqual({ count: 3 })
  })

  it('rejects when the worker exits without sending a result', async () => {
    const worker = startWorker(`parentPort.postMessage({ 'watch:import': [] })`)
    await expect(receiveWorkerResult(worker)).rejects.toThrow('without a result (code 0)')
  })

  it('rejects with the error of the worker', async () => {
    const worker = startWorker(`throw new Error('no such file')`)
    await expect(receiveWorkerResult(worker)).rejects.toThrow('no such file')
  })
})

describe('under node --watch', () => {
  // `node --watch` sets this variable. Workers then report every imported module to their parent.
  beforeEach(() => vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1'))
  afterEach(() => vi.unstubAllEnvs())

  it('checkBackup returns the result of its worker', async () => {
    expect(await checkBackup('no-such-folder/backup.db')).toEqual({
      ok: false,
      reason: 'damaged, or not a Marquee backup',
    })
  })
})
