import { expect, it } from 'vitest'
import { popularPicks } from '../../../server/recommend/fallback.ts'
import { packModel } from '../../../server/recommend/pack.ts'
import { createTrainer } from '../../../server/recommend/trainer.ts'
import {
  catalogueTitles,
  contentOnlyModel,
  createProfileSignals,
  trainedModel,
} from './synthetic-catalogue.ts'

const source = new URL('./source.ts', import.meta.url).href

it('trains the same model in a worker as in this thread, without blocking this thread', async () => {
  const trainer = createTrainer({ source, argument: 60 })
  expect(trainer.currentModel()).toBeNull()
  let timerCalls = 0
  const timer = setInterval(() => timerCalls++, 5)
  const [model, secondResult] = await Promise.all([
    trainer.train('crowd', 'crowded'),
    trainer.train('all', 'ignored'),
  ])
  clearInterval(timer)
  expect(timerCalls).toBeGreaterThan(3)
  expect(secondResult).toBe(model)
  expect(trainer.currentModel()).toBe(model)
  expect(new Uint8Array(packModel(model))).toEqual(new Uint8Array(packModel(trainedModel)))
})

it('a refresh keeps the content and trains on the current interactions', async () => {
  const trainer = createTrainer({ source, argument: 60 })
  trainer.setModel(contentOnlyModel)
  const model = await trainer.train('crowd', 'crowded')
  expect(model.content).toBe(contentOnlyModel.content)
  expect(model.crowd).toEqual(trainedModel.crowd)
})

it('a failing source leaves the current model in place', async () => {
  const trainer = createTrainer({ source, argument: 'broken' })
  trainer.setModel(contentOnlyModel)
  await expect(trainer.train('all', 'never')).rejects.toThrow('no such database')
  expect(trainer.currentModel()).toBe(contentOnlyModel)
})

it('picks popular titles without a model, excluding the titles of the signals', () => {
  const signals = createProfileSignals(catalogueTitles, 10, 1)
  const signalKeys = new Set(signals.map((signal) => signal.titleKey))
  const picks = popularPicks(contentOnlyModel.content.order, signals, {
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
