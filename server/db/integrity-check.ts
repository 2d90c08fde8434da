import { workerData } from 'node:worker_threads'
import { sendWorkerResult } from '../core/worker-message.ts'
import { examineIntegrity } from './integrity.ts'

/** Worker thread of `checkIntegrity`. Reading a whole database takes seconds and must not block requests. */
sendWorkerResult({ damage: examineIntegrity(workerData as string) })
