import { workerData } from 'node:worker_threads'
import { sendWorkerResult } from '../core/worker-message.ts'
import { checkIntegrityInThisThread } from './integrity.ts'

/**
 * Entry point of the worker thread of `checkIntegrity`: examines the database and sends the first damage to the thread
 * that started it. Reading a whole database takes seconds and must not block requests.
 */
sendWorkerResult({ damage: checkIntegrityInThisThread(workerData as string) })
