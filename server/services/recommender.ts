/**
 * Keeps a recommendation model at hand: learnt in a thread of its own, kept in DATA_DIR, learnt again as the catalogue and
 * the household move on. While there is none, popularity is served; while one is being learnt, the old one is.
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
  /** Null until there is one. Never waits. */
  current(): Model | null
  /** Learns what is new since the last time, if anything; `force` learns everything again. */
  refresh(force?: boolean): Promise<void>
  stop(): Promise<void>
}

const FILE = 'recommendations.bin'

/** `where` null: the database is in this process's memory, and so is the learning. */
export function createRecommender(database: Database, where: Where | null): Recommender {
  const trainer: Trainer | null =
    where && createTrainer({ source: new URL('./training-source.ts', import.meta.url).href, argument: where })
  let own: Model | null = null
  let running: Promise<void> | null = null
  const current = () => trainer?.current() ?? own

  async function train(force: boolean): Promise<void> {
    const [changed, done] = [await lastChange(database.primary), await lastDeed(database.primary)]
    const version = `${changed}.${done}`
    const model = current()
    if (!force && model?.version === version) return
    const what = force || model?.version.split('.')[0] !== String(changed) ? 'all' : 'crowd'
    if (!trainer) {
      const { content, crowd } = await learn(toldBy(database), model ? what : 'all')
      own = assemble(version, content ?? (model as Model).content, crowd)
      return
    }
    const learnt = await trainer.train(what, version)
    const file = join((where as Where).dataDir, FILE)
    await writeFile(`${file}.new`, new Uint8Array(packModel(learnt)), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  async function loaded(): Promise<void> {
    if (!(where && trainer) || trainer.current()) return
    const bytes = await readFile(join(where.dataDir, FILE)).catch(() => null)
    if (!bytes) return
    try {
      const { buffer, byteOffset, byteLength } = bytes
      trainer.use(loadModel(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer))
    } catch {
      // Written by another version, or cut short: it is learnt again.
    }
  }
  return {
    current,
    refresh(force = false) {
      running ??= loaded()
        .then(() => train(force))
        .finally(() => {
          running = null
        })
      return running
    },
    stop: async () => trainer?.stop(),
  }
}
