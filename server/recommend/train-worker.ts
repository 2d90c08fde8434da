import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { sendWorkerResult } from '../core/worker-message.ts'
import { type TrainingJob, type TrainingSource, trainFromData } from './trainer.ts'

/**
 * Entry point of the worker thread that `createTrainer` starts. The worker opens the training source, trains, transfers the
 * arrays to the main thread and ends.
 */

// On Linux, this call lowers the priority of this thread only. On other systems, it would lower the priority of the whole
// process.
if (process.platform === 'linux') setPriority(10)

const { source, argument, scope } = workerData as TrainingJob
const trainingData = await ((await import(source)) as TrainingSource).loadTrainingData(argument)
try {
  const result = await trainFromData(trainingData, scope)
  const { content } = result
  const arrays = [...Object.values(content ?? {}), ...Object.values(result.crowd), result.crowd.titles.cells]
  const buffers = arrays.filter(ArrayBuffer.isView).map((array) => array.buffer as ArrayBuffer)
  sendWorkerResult(result, [...new Set(buffers)])
} finally {
  await trainingData.close?.()
}
