/**
 * Provides the recommendation model. It is trained in a separate process and stored in DATA_DIR. It is
 * trained again when the catalogue or the data of the profiles change. Without a model, top picks and similar
 * titles are popular titles, and other rows are empty. During training, the previous model stays in use.
 */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, DatabaseLocation } from '../../db/database.ts'
import { selectCatalogueStateTag } from '../../queries/browse.ts'
import { selectTrainingSignalsVersion } from '../../queries/training-data.ts'
import { assembleModel, type RecommendationModel } from '../../recommend/model.ts'
import { listModelFileParts, readModelFile } from '../../recommend/pack.ts'
import { createTrainer, type Trainer, trainFromData } from '../../recommend/trainer.ts'
import { createTrainingSource } from './training-source.ts'

export interface Recommender {
  /** The current model; null until `refresh` has loaded the stored model or has trained the first model. */
  getCurrentModel(): RecommendationModel | null
  /**
   * Trains the parts of the model whose data have changed since the last training; none if nothing has changed. A call
   * during a training starts nothing and returns the promise of that training.
   */
  refresh(): Promise<void>
  stop(): Promise<void>
}

const MODEL_FILE_NAME = 'recommendations.bin'

/**
 * Creates the recommender. `location` is null for an in-memory database. The model is then trained in this process and
 * is not stored.
 */
export function createRecommender(database: Database, location: DatabaseLocation | null): Recommender {
  const trainer: Trainer | null =
    location &&
    createTrainer({
      source: new URL('./training-source.ts', import.meta.url).href,
      argument: location,
      folder: join(location.dataDir, 'training'),
    })
  let localModel: RecommendationModel | null = null
  let refreshPromise: Promise<void> | null = null
  const getCurrentModel = () => trainer?.getCurrentModel() ?? localModel

  async function trainModel(): Promise<void> {
    const [catalogueState, signalsVersion] = [
      await selectCatalogueStateTag(database.primary),
      await selectTrainingSignalsVersion(database.primary),
    ]
    const modelVersion = `${catalogueState}/${signalsVersion}`
    const model = getCurrentModel()
    if (model?.version === modelVersion) return
    const scope = model?.version.split('/')[0] === catalogueState ? 'collaborative' : 'all'
    if (!trainer) {
      const { content: contentModel, collaborative: collaborativeModel } = await trainFromData(
        createTrainingSource(database),
        scope,
      )
      localModel = assembleModel(
        modelVersion,
        contentModel ?? (model as RecommendationModel).content,
        collaborativeModel,
      )
      return
    }
    const trainedModel = await trainer.train(scope, modelVersion)
    const modelPath = join((location as DatabaseLocation).dataDir, MODEL_FILE_NAME)
    await writeFile(`${modelPath}.new`, listModelFileParts(trainedModel), { mode: 0o600 })
    await rename(`${modelPath}.new`, modelPath)
  }
  async function loadStoredModel(): Promise<void> {
    if (!(location && trainer) || trainer.getCurrentModel()) return
    try {
      const {
        version,
        content: contentModel,
        collaborative: collaborativeModel,
      } = await readModelFile(join(location.dataDir, MODEL_FILE_NAME))
      if (contentModel) trainer.setModel(assembleModel(version, contentModel, collaborativeModel))
    } catch {
      // The file is missing, truncated or has another version. The model is then trained again.
    }
  }
  return {
    getCurrentModel,
    refresh() {
      refreshPromise ??= loadStoredModel()
        .then(trainModel)
        .finally(() => {
          refreshPromise = null
        })
      return refreshPromise
    },
    stop: async () => trainer?.stop(),
  }
}
