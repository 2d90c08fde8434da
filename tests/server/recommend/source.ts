import type { TrainingData } from '../../../server/recommend/trainer.ts'
import { createCatalogue, createInteractions } from './synthetic-catalogue.ts'

/**
 * Returns the training data for the trainer process: a synthetic catalogue and interactions of synthetic profiles.
 * `argument` is the number of profiles. Throws an Error if `argument` is 'broken'.
 */
export function openTrainingData(argument: unknown): TrainingData {
  if (argument === 'broken') throw new Error('no such database')
  const titles = createCatalogue(1200)
  return { readTitles: () => titles, readInteractions: () => createInteractions(titles, Number(argument)) }
}
