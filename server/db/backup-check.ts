import { workerData } from 'node:worker_threads'
import { sendWorkerResult } from '../core/worker-message.ts'
import { examineBackup } from './backup.ts'

/** Worker thread of `checkBackup`. Reading a whole backup takes seconds and must not block requests. */
sendWorkerResult(examineBackup(workerData as string))
