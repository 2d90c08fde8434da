import { parentPort, workerData } from 'node:worker_threads'
import { examine } from './backup.ts'

/** Worker thread of `checkBackup`. Reading a whole backup takes seconds and must not block requests. */
parentPort?.postMessage(examine(workerData as string))
