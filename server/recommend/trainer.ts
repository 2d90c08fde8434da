import { Worker } from 'node:worker_threads'
import { contentBuilder } from './build-content.ts'
import type { Content } from './content.ts'
import { buildCrowd, type Crowd } from './crowd.ts'
import { assemble, type Model } from './model.ts'
import type { Interaction, Title } from './types.ts'

/** What the module named by `source` exports: it is imported inside the worker and opens its own connection there. */
export interface TrainingSource {
  open(argument: unknown): Told | Promise<Told>
}

export interface Told {
  titles(): Iterable<Title> | AsyncIterable<Title>
  interactions(): Iterable<Interaction> | AsyncIterable<Interaction>
  close?(): void | Promise<void>
}

/** `all` reads titles and interactions; `crowd` only what profiles did, for the titles already known. */
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

/** Learns in the thread it is called in. */
export async function learn(told: Told, what: What): Promise<Learnt> {
  const builder = contentBuilder()
  if (what === 'all') for await (const title of told.titles()) builder.add(title)
  return {
    content: what === 'all' ? builder.build() : null,
    crowd: buildCrowd(await Array.fromAsync(told.interactions())),
  }
}

export interface Trainer {
  /** The newest model, or null until there is one: serve popularity then. Never waits. */
  current(): Model | null
  /** Puts a model loaded from disk in place. */
  use(model: Model): void
  /**
   * Learns in a thread of low priority and puts the result in place. One run at a time: a call during a run shares
   * it. `crowd` becomes `all` while there is no model. Rejects when the source fails; the old model stays.
   */
  train(what: What, version: string): Promise<Model>
  /** Ends a run that is under way, which then rejects. */
  stop(): Promise<void>
}

export interface TrainerOptions {
  /** URL of a module that is a `TrainingSource`. */
  readonly source: string
  /** Anything that can be cloned: a database path, for instance. */
  readonly argument: unknown
}

export function createTrainer({ source, argument }: TrainerOptions): Trainer {
  let model: Model | null = null
  let running: Promise<Model> | null = null
  let worker: Worker | null = null

  async function run(what: What, version: string): Promise<Model> {
    const job: Job = { source, argument, what }
    const thread = new Worker(new URL('./train-worker.ts', import.meta.url), { workerData: job })
    worker = thread
    try {
      const learnt = await new Promise<Learnt>((resolve, reject) => {
        thread.once('message', resolve)
        thread.once('error', reject)
        thread.once('exit', (code) => reject(new Error(`Training ended early (${code}).`)))
      })
      const content = learnt.content ?? model?.content
      if (!content) throw new Error('Training answered no titles.')
      model = assemble(version, content, learnt.crowd)
      return model
    } finally {
      worker = null
      running = null
    }
  }

  return {
    current: () => model,
    use(loaded) {
      model = loaded
    },
    train(what, version) {
      running ??= run(model ? what : 'all', version)
      return running
    },
    async stop() {
      await worker?.terminate()
    },
  }
}
