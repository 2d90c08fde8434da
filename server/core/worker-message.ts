/**
 * Messages that contain the result of a worker thread or of a child process. `node --watch` sends its own messages
 * through the same channel, so a result is marked with the field `marqueeWorkerResult`, and all other messages are
 * ignored.
 */
import type { ChildProcess } from 'node:child_process'
import { parentPort, type Worker } from 'node:worker_threads'

export interface ResultMessage<T> {
  marqueeWorkerResult: T
}

const isResultMessage = <T>(message: unknown): message is ResultMessage<T> =>
  typeof message === 'object' && message !== null && 'marqueeWorkerResult' in message

/** Sends the result from a worker thread to the thread that started it. */
export function sendWorkerResult<T>(result: T): void {
  const message: ResultMessage<T> = { marqueeWorkerResult: result }
  parentPort?.postMessage(message)
}

/** Resolves with the result of a worker. Rejects when the worker throws or exits without a result. */
export function receiveWorkerResult<T>(worker: Worker | ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (isResultMessage<T>(message)) resolve(message.marqueeWorkerResult)
    })
    worker.once('error', reject)
    worker.once('exit', (code: number | null) =>
      reject(new Error(`The worker exited without a result (code ${code}).`)),
    )
  })
}

/**
 * Resolves with the result of a worker thread, and ends the thread when `signal` aborts. In that case, rejects at
 * once and does not wait for the end of the thread, because a thread ends only after its running SQLite statement.
 */
export async function receiveThreadResult<T>(worker: Worker, signal: AbortSignal | undefined): Promise<T> {
  const { promise: abortPromise, reject: rejectAbortPromise } = Promise.withResolvers<never>()
  const terminateThread = () => {
    void worker.terminate()
    rejectAbortPromise(signal?.reason)
  }
  signal?.addEventListener('abort', terminateThread)
  if (signal?.aborted) terminateThread()
  try {
    return await Promise.race([receiveWorkerResult<T>(worker), abortPromise])
  } finally {
    signal?.removeEventListener('abort', terminateThread)
  }
}
