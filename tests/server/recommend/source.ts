import type { TrainingData } from '../../../server/recommend/trainer.ts'
import { createCatalogue, createInteractions } from './synthetic-catalogue.ts'

/** Training source for the process of the trainer, with the synthetic catalogue. `argument` is the number of profiles. */
export function loadTrainingData(argument: unknown): TrainingData {
  if (argument === 'broken') throw new Error('no such database')
  const titles = createCatalogue(1200)
  return { titles: () => titles, interactions: () => createInteractions(titles, Number(argument)) }
}
