import { Worker } from 'node:worker_threads'
import { contentBuilder } from './build-content.ts'
import type { Content } from './content.ts'
import { buildCrowd, type Crowd } from './crowd.ts'
import { assemble, type Model } from './model.ts'
import type { Interaction, Title } from './types.ts'

/**
 * Exports of the module named by `TrainerOptions.source`. The worker imports it and opens its own database connection
 * there.
 */
export interface TrainingSource {
  open(argument: unknown): Told | Promise<Told>
}

export interface Told {
  titles(): Iterable<Title> | AsyncIterable<Title>
  interactions(): Iterable<Interaction> | AsyncIterable<Interaction>
  close?(): void | Promise<void>
}

/**
 * `all` trains on titles and interactions; `crowd` reuses the content features and trains only the collaborative
 * model.
 */
export type What = 'all' | 'crowd'

export interface Job {
  readonly source: string
  readonly argument: unknown
  readonly what: What
}

export interface Learnt {
  readonly content: Content | null
  readonly crowd: Crowd
}

/** Trains in the calling thread. */
export async function learn(data: Told, what: What): Promise<Learnt> {
  const builder = contentBuilder()
  if (what === 'all') for await (const title of data.titles()) builder.add(title)
  return {
    content: what === 'all' ? builder.build() : null,
    crowd: buildCrowd(await Array.fromAsync(data.interactions())),
  }
}

export interface Trainer {
  /** Returns the newest model, or null while there is none. It never waits. */
  current(): Model | null
  /** Sets a model that was loaded from disk. */
  use(model: Model): void
  /**
   * Trains in a worker thread of low priority, sets the new model and returns it. Only one training runs at a time: a
   * call during a run returns the same promise. `crowd` becomes `all` while there is no model. On failure the promise
   * rejects and the old model stays.
   */
  train(what: What, version: string): Promise<Model>
  /** Terminates a running training, whose promise then rejects. */
  stop(): Promise<void>
}

export interface TrainerOptions {
  /** URL of a module that implements `TrainingSource`. */
  readonly source: string
  /** Passed to `TrainingSource.open`; any structured-cloneable value, for instance a database path. */
  readonly argument: unknown
}

export function createTrainer({ source, argument }: TrainerOptions): Trainer {
  let model: Model | null = null
  let runningTraining: Promise<Model> | null = null
  let worker: Worker | null = null

  async function runTraining(what: What, version: string): Promise<Model> {
    const job: Job = { source, argument, what }
    const trainingWorker = new Worker(new URL('./train-worker.ts', import.meta.url), { workerData: job })
    worker = trainingWorker
    try {
      const result = await new Promise<Learnt>((resolve, reject) => {
        trainingWorker.once('message', resolve)
        trainingWorker.once('error', reject)
        trainingWorker.once('exit', (code) =>
          reject(new Error(`Training worker exited early with code ${code}.`)),
        )
      })
      const content = result.content ?? model?.content
      if (!content) throw new Error('Training returned no titles.')
      model = assemble(version, content, result.crowd)
      return model
    } finally {
      worker = null
      runningTraining = null
    }
  }

  return {
    current: () => model,
    use(loadedModel) {
      model = loadedModel
    },
    train(what, version) {
      runningTraining ??= runTraining(model ? what : 'all', version)
      return runningTraining
    },
    async stop() {
      await worker?.terminate()
    },
  }
}
