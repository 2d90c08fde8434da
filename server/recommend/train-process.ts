import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { sendProcessResult } from '../core/worker-message.ts'
import { listModelFileParts } from './pack.ts'
import { type TrainingJob, type TrainingOutcome, type TrainingSource, trainFromData } from './trainer.ts'

/** Entry point of the process that `createTrainer` starts. It trains, writes the trained parts to a file, and exits. */

setPriority(10)
// The server has ended, so nobody would read the result.
process.once('disconnect', () => process.exit(1))
process.once('message', async (job: TrainingJob) => {
  await sendProcessResult(await runJob(job))
  process.exit(0)
})

async function runJob({ source, argument, scope, version, file }: TrainingJob): Promise<TrainingOutcome> {
  try {
    const trainingData = await ((await import(source)) as TrainingSource).loadTrainingData(argument)
    try {
      const parts = await trainFromData(trainingData, scope)
      await writeFile(file, listModelFileParts({ version, ...parts }), { mode: 0o600 })
    } finally {
      await trainingData.close?.()
    }
    return { error: null }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
