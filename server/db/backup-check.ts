import { workerData } from 'node:worker_threads'
import { sendWorkerResult } from '../core/worker-message.ts'
import { checkBackupInThisThread } from './backup.ts'

/**
 * Entry point of the worker thread of `checkBackup`: examines the backup and sends the result to the thread that
 * started it. Reading a whole backup takes seconds and must not block requests.
 */
sendWorkerResult(checkBackupInThisThread(workerData as string))
