import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Job, learn, type TrainingSource } from './trainer.ts'

/** The thread `createTrainer` starts: reads through the given module, learns, hands the arrays over and ends. */

// On Linux this lowers the thread alone; elsewhere it would lower the whole server.
if (process.platform === 'linux') setPriority(10)

const { source, argument, what } = workerData as Job
const told = await ((await import(source)) as TrainingSource).open(argument)
try {
  const learnt = await learn(told, what)
  const { content } = learnt
  const arrays = [...Object.values(content ?? {}), ...Object.values(learnt.crowd), learnt.crowd.titles.cells]
  const buffers = arrays.filter(ArrayBuffer.isView).map((array) => array.buffer as ArrayBuffer)
  parentPort!.postMessage(learnt, [...new Set(buffers)])
} finally {
  await told.close?.()
}
