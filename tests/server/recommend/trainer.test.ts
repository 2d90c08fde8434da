import { expect, it } from 'vitest'
import { popularPicks } from '../../../server/recommend/fallback.ts'
import { packModel } from '../../../server/recommend/pack.ts'
import { createTrainer } from '../../../server/recommend/trainer.ts'
import { crowded, lonely, said, titles } from './cast.ts'

const source = new URL('./source.ts', import.meta.url).href

it('a worker learns the model this thread would have learnt, and leaves it free meanwhile', async () => {
  const trainer = createTrainer({ source, argument: 60 })
  expect(trainer.currentModel()).toBeNull()
  let turns = 0
  const ticking = setInterval(() => turns++, 5)
  const [model, shared] = await Promise.all([
    trainer.train('crowd', 'crowded'),
    trainer.train('all', 'ignored'),
  ])
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(3)
  expect(shared).toBe(model)
  expect(trainer.currentModel()).toBe(model)
  expect(new Uint8Array(packModel(model))).toEqual(new Uint8Array(packModel(crowded)))
})

it('a refresh keeps the titles and learns what profiles did since', async () => {
  const trainer = createTrainer({ source, argument: 60 })
  trainer.setModel(lonely)
  const model = await trainer.train('crowd', 'crowded')
  expect(model.content).toBe(lonely.content)
  expect(model.crowd).toEqual(crowded.crowd)
})

it('a source that fails leaves the old model in place', async () => {
  const trainer = createTrainer({ source, argument: 'broken' })
  trainer.setModel(lonely)
  await expect(trainer.train('all', 'never')).rejects.toThrow('no such database')
  expect(trainer.currentModel()).toBe(lonely)
})

it('without a model the popular stand in, without what the profile knows', () => {
  const signals = said(titles, 10, 1)
  const known = new Set(signals.map((signal) => signal.titleKey))
  const picks = popularPicks(lonely.content.order, signals, { limit: 5, scope: (key) => key % 4 === 0 })
  expect(picks).toHaveLength(5)
  for (const { key, reasons } of picks) {
    expect(key % 4).toBe(0)
    expect(known.has(key)).toBe(false)
    expect(reasons).toEqual([{ kind: 'popular', share: 1 }])
  }
})
