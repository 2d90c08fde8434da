import type { TrainingData } from '../../../server/recommend/trainer.ts'
import { catalogue, meetings } from './cast.ts'

/** A training source as the server has one, over the made-up catalogue. `argument` is how many profiles it has. */
export function open(argument: unknown): TrainingData {
  if (argument === 'broken') throw new Error('no such database')
  const titles = catalogue(1200)
  return { titles: () => titles, interactions: () => meetings(titles, Number(argument)) }
}
