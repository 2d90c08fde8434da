import { parentPort, workerData } from 'node:worker_threads'
import { examineBackup } from './backup.ts'

/** Worker thread of `checkBackup`. Reading a whole backup takes seconds and must not block requests. */
parentPort?.postMessage(examineBackup(workerData as string))
