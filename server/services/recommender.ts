/**
 * Provides the recommendation model. It is trained in a worker thread, stored in DATA_DIR, and trained again when the catalogue
 * or the profiles' data change. Without a model, popularity is used; during training, the previous model is used.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/open.ts'
import { lastChange } from '../queries/browse.ts'
import { lastDeed } from '../queries/training.ts'
import { assemble, type Model } from '../recommend/model.ts'
import { loadModel, packModel } from '../recommend/pack.ts'
import { createTrainer, learn, type Trainer } from '../recommend/trainer.ts'
import { toldBy, type Where } from './training-source.ts'

export interface Recommender {
  /** The current model; null until the first training has finished. Never blocks. */
  current(): Model | null
  /** Trains what has changed since the last training, if anything; `force` trains everything again. */
  refresh(force?: boolean): Promise<void>
  stop(): Promise<void>
}

const MODEL_FILE = 'recommendations.bin'

/** `location` is null for an in-memory database; the model is then trained in this process and not stored. */
export function createRecommender(database: Database, location: Where | null): Recommender {
  const trainer: Trainer | null =
    location &&
    createTrainer({ source: new URL('./training-source.ts', import.meta.url).href, argument: location })
  let localModel: Model | null = null
  let running: Promise<void> | null = null
  const current = () => trainer?.current() ?? localModel

  async function train(force: boolean): Promise<void> {
    const [catalogueVersion, interactionVersion] = [
      await lastChange(database.primary),
      await lastDeed(database.primary),
    ]
    const version = `${catalogueVersion}.${interactionVersion}`
    const model = current()
    if (!force && model?.version === version) return
    const scope = force || model?.version.split('.')[0] !== String(catalogueVersion) ? 'all' : 'crowd'
    if (!trainer) {
      const { content, crowd } = await learn(toldBy(database), model ? scope : 'all')
      localModel = assemble(version, content ?? (model as Model).content, crowd)
      return
    }
    const trained = await trainer.train(scope, version)
    const path = join((location as Where).dataDir, MODEL_FILE)
    await writeFile(`${path}.new`, new Uint8Array(packModel(trained)), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  async function loadStoredModel(): Promise<void> {
    if (!(location && trainer) || trainer.current()) return
    const bytes = await readFile(join(location.dataDir, MODEL_FILE)).catch(() => null)
    if (!bytes) return
    try {
      const { buffer, byteOffset, byteLength } = bytes
      trainer.use(loadModel(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer))
    } catch {
      // The file is truncated or of another version; the model is trained again.
    }
  }
  return {
    current,
    refresh(force = false) {
      running ??= loadStoredModel()
        .then(() => train(force))
        .finally(() => {
          running = null
        })
      return running
    },
    stop: async () => trainer?.stop(),
  }
}
