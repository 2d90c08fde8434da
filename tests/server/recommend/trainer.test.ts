import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { listPopularPicks } from '../../../server/recommend/fallback.ts'
import { packModel } from '../../../server/recommend/pack.ts'
import { createTrainer } from '../../../server/recommend/trainer.ts'
import {
  catalogueTitles,
  contentOnlyModel,
  createProfileSignals,
  trainedModel,
} from './synthetic-catalogue.ts'

const sourceUrl = new URL('./source.ts', import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), 'marquee-trainer-'))
afterEach(() => expect(readdirSync(folder)).toEqual([]))
afterAll(() => rmSync(folder, { recursive: true }))

it('training in a child process does not block the calling thread, and has the same result as training in that thread', async () => {
  const trainer = createTrainer({ source: sourceUrl, argument: 60, folder })
  expect(trainer.getCurrentModel()).toBeNull()
  let timerCallCount = 0
  const timer = setInterval(() => timerCallCount++, 5)
  const [model, secondModel] = await Promise.all([
    trainer.train('collaborative', 'trained'),
    trainer.train('all', 'ignored'),
  ])
  clearInterval(timer)
  expect(timerCallCount).toBeGreaterThan(3)
  expect(secondModel).toBe(model)
  expect(trainer.getCurrentModel()).toBe(model)
  expect(new Uint8Array(packModel(model))).toEqual(new Uint8Array(packModel(trainedModel)))
})

it('training in the mode `collaborative` keeps the content data of the current model and trains the collaborative model with the current interactions', async () => {
  const trainer = createTrainer({ source: sourceUrl, argument: 60, folder })
  trainer.setModel(contentOnlyModel)
  const model = await trainer.train('collaborative', 'trained')
  expect(model.content).toBe(contentOnlyModel.content)
  expect(model.collaborative).toEqual(trainedModel.collaborative)
})

it('the current model does not change when the training source fails', async () => {
  const trainer = createTrainer({ source: sourceUrl, argument: 'broken', folder })
  trainer.setModel(contentOnlyModel)
  await expect(trainer.train('all', 'never')).rejects.toThrow('no such database')
  expect(trainer.getCurrentModel()).toBe(contentOnlyModel)
})

it('the promise of a stopped training rejects, and the next training succeeds', async () => {
  const trainer = createTrainer({ source: sourceUrl, argument: 60, folder })
  const stoppedTrainingPromise = expect(trainer.train('all', 'never')).rejects.toThrow(
    'exited without a result',
  )
  await trainer.stop()
  await stoppedTrainingPromise
  expect(trainer.getCurrentModel()).toBeNull()
  expect((await trainer.train('all', 'trained')).version).toBe('trained')
})

it('without a model, the picks are popular titles for which the profile has no signals', () => {
  const signals = createProfileSignals(catalogueTitles, 10, 1)
  const signalKeys = new Set(signals.map((signal) => signal.titleKey))
  const picks = listPopularPicks(contentOnlyModel.content.keysByPrior, signals, {
    limit: 5,
    scope: (key) => key % 4 === 0,
  })
  expect(picks).toHaveLength(5)
  for (const { key, reasons } of picks) {
    expect(key % 4).toBe(0)
    expect(signalKeys.has(key)).toBe(false)
    expect(reasons).toEqual([{ kind: 'popular', share: 1 }])
  }
})
