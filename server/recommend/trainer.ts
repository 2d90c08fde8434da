import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteAbandonedPartialFiles, getPartialPath } from '../core/partial-file.ts'
import { type ProcessJob, startProcessJob } from '../core/process-job.ts'
import { createContentBuilder } from './build-content.ts'
import { type CollaborativeModel, trainCollaborativeModel } from './collaborative.ts'
import type { ContentModel } from './content.ts'
import { assembleModel, type RecommendationModel } from './model.ts'
import { readModelFile } from './pack.ts'
import type { TrainingInteraction, TrainingTitle } from './types.ts'

/**
 * Exports of the module in `TrainerOptions.source`. The training process imports the module, which opens its own
 * database connection.
 */
export interface TrainingSource {
  openTrainingData(argument: unknown): TrainingData | Promise<TrainingData>
}

export interface TrainingData {
  readTitles(): Iterable<TrainingTitle> | AsyncIterable<TrainingTitle>
  readInteractions(): Iterable<TrainingInteraction> | AsyncIterable<TrainingInteraction>
  close?(): void | Promise<void>
}

/**
 * `all` trains on titles and interactions. `collaborative` reuses the content features and trains only the
 * collaborative model.
 */
export type TrainingScope = 'all' | 'collaborative'

/** The message that starts a training process. */
export interface TrainingJob {
  readonly source: string
  readonly argument: unknown
  readonly scope: TrainingScope
  readonly version: string
  /** Path of the file that the process writes: the trained parts in the format of pack.ts. */
  readonly file: string
}

export interface TrainingResult {
  readonly content: ContentModel | null
  readonly collaborative: CollaborativeModel
}

/** Trains in the calling thread and returns the trained parts; `content` is null when `scope` is `collaborative`. */
export async function trainFromData(
  trainingData: TrainingData,
  scope: TrainingScope,
): Promise<TrainingResult> {
  const builder = createContentBuilder()
  if (scope === 'all') for await (const title of trainingData.readTitles()) builder.add(title)
  return {
    content: scope === 'all' ? builder.build() : null,
    collaborative: trainCollaborativeModel(await Array.fromAsync(trainingData.readInteractions())),
  }
}

export interface Trainer {
  /** Returns the newest model, or null while there is none. Does not wait for a running training. */
  getCurrentModel(): RecommendationModel | null
  /** Sets a model that was loaded from disk. */
  setModel(model: RecommendationModel): void
  /**
   * Trains in a process of its own with low priority, sets the new model and returns it. Only one training runs at a
   * time: a call during a training starts nothing and returns the promise of that training. While there is no model,
   * `collaborative` is treated as `all`. On failure, the promise rejects and the old model stays.
   */
  train(scope: TrainingScope, version: string): Promise<RecommendationModel>
  /** Ends a running training. The promise of the training then rejects. */
  stop(): Promise<void>
}

export interface TrainerOptions {
  /** URL of a module that implements `TrainingSource`. */
  readonly source: string
  /**
   * Passed to `TrainingSource.openTrainingData`: any value that can be structured-cloned, for example a database path.
   */
  readonly argument: unknown
  /** Folder for the files in which training processes return their results. Nothing else uses the folder. */
  readonly folder: string
}

export function createTrainer({ source, argument, folder }: TrainerOptions): Trainer {
  let model: RecommendationModel | null = null
  let runningTraining: Promise<RecommendationModel> | null = null
  let trainingProcess: ProcessJob<null> | null = null

  async function runTraining(scope: TrainingScope, version: string): Promise<RecommendationModel> {
    mkdirSync(folder, { recursive: true })
    deleteAbandonedPartialFiles(folder)
    const file = getPartialPath(join(folder, 'model'))
    const job: TrainingJob = { source, argument, scope, version, file }
    trainingProcess = startProcessJob<null>(new URL('./train-process.ts', import.meta.url), job)
    try {
      await trainingProcess.result
      const trainedParts = await readModelFile(file)
      const content = trainedParts.content ?? model?.content
      if (!content) throw new Error('Training returned no titles.')
      model = assembleModel(version, content, trainedParts.collaborative)
      return model
    } finally {
      trainingProcess = null
      runningTraining = null
      await rm(file, { force: true })
    }
  }

  return {
    getCurrentModel: () => model,
    setModel(loadedModel) {
      model = loadedModel
    },
    train(scope, version) {
      runningTraining ??= runTraining(model ? scope : 'all', version)
      return runningTraining
    },
    async stop() {
      await trainingProcess?.stop()
      await runningTraining?.catch(() => {})
    },
  }
}
