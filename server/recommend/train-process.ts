import { writeFile } from 'node:fs/promises'
import { runProcessJob } from '../core/process-job.ts'
import { listModelFileParts } from './pack.ts'
import { type TrainingJob, type TrainingSource, trainFromData } from './trainer.ts'

/**
 * Entry point of the process that `createTrainer` starts. The process trains, and writes the trained parts to a file.
 */
runProcessJob(async ({ source, argument, scope, version, file }: TrainingJob): Promise<null> => {
  const trainingData = await ((await import(source)) as TrainingSource).openTrainingData(argument)
  try {
    const trainedParts = await trainFromData(trainingData, scope)
    await writeFile(file, listModelFileParts({ version, ...trainedParts }), { mode: 0o600 })
  } finally {
    await trainingData.close?.()
  }
  return null
})
