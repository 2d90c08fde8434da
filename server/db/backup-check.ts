import { parentPort, workerData } from 'node:worker_threads'
import { examine } from './backup.ts'

/** The thread `checkBackup` starts: reading a whole copy takes seconds, which requests must not wait for. */
parentPort?.postMessage(examine(workerData as string))
