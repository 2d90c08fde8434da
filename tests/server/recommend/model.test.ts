import { describe, expect, it } from 'vitest'
import { collaborativeAffinity, titleAffinity } from '../../../server/recommend/affinity.ts'
import { trainCollaborativeModel } from '../../../server/recommend/collaborative.ts'
import { addEaseScores, easeWeight } from '../../../server/recommend/ease.ts'
import { invertMatrix } from '../../../server/recommend/inverse.ts'
import { buildModel, refreshModel } from '../../../server/recommend/model.ts'
import { loadModel, packModel } from '../../../server/recommend/pack.ts'
import { recommendTitles } from '../../../server/recommend/picks.ts'
import { addSequenceScores, sequenceWeight } from '../../../server/recommend/sequence.ts'
import { createTopK } from '../../../server/recommend/top-k.ts'
import { catalogue, crowded, everything, meetings, random, said, titles } from './cast.ts'

describe('the inverse', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 33])('of a %i x %i matrix times the matrix is one', (n) => {
    const draw = random(n)
    const x = Float64Array.from({ length: n * n }, () => draw() - 0.5)
    const m = new Float64Array(n * n)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        for (let k = 0; k < n; k++) m[i * n + j]! += x[i * n + k]! * x[j * n + k]! + (i === j ? 1 / n : 0)
    const p = invertMatrix(m.slice(), n)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0
        for (let k = 0; k < n; k++) sum += m[i * n + k]! * p[k * n + j]!
        expect(sum).toBeCloseTo(i === j ? 1 : 0, 8)
      }
  })
  it('refuses what is not positive definite', () => {
    expect(() => invertMatrix(Float64Array.of(1, 2, 2, 1), 2)).toThrow(RangeError)
  })
})

describe('the crowd', () => {
  const met = meetings(catalogue(60), 40)

  it('is the same regression through profiles and through titles', () => {
    const wide = trainCollaborativeModel(met, { ridge: 3, minSupport: 1 })
    expect(wide.titles.side).toBe('profiles')
    // Empty profiles change no sum, only which side is smaller.
    const empty = Array.from({ length: 50 }, (_, n) => ({
      profile: 1000 + n,
      titleKey: 1e6 + n,
      at: 0,
      value: 0,
    }))
    const tall = trainCollaborativeModel([...met, ...empty], { ridge: 3, minSupport: 2 })
    expect(tall.titles.side).toBe('titles')
    const fair = trainCollaborativeModel(met, { ridge: 3, minSupport: 2 })
    for (let i = 0; i < 10; i++)
      for (let j = 0; j < 10; j++) expect(easeWeight(tall, i, j)).toBeCloseTo(easeWeight(fair, i, j), 5)
  })
  it('gives a sum of signals the sum of what each gives', () => {
    const { crowd } = crowded
    const anchors = [
      { column: 1, weight: 0.7 },
      { column: 5, weight: 1.1 },
    ]
    const ease = new Float64Array(crowd.keys.length)
    const next = new Float64Array(crowd.keys.length)
    addEaseScores(crowd, anchors, ease)
    addSequenceScores(crowd, anchors, next)
    for (let j = 10; j < 40; j++) {
      expect(0.7 * easeWeight(crowd, 1, j) + 1.1 * easeWeight(crowd, 5, j)).toBeCloseTo(ease[j]!, 6)
      expect(0.7 * sequenceWeight(crowd, 1, j) + 1.1 * sequenceWeight(crowd, 5, j)).toBeCloseTo(next[j]!, 6)
    }
  })
  it('learns nothing from titles fewer than three profiles met', () => {
    const rare = { titleKey: 7, at: 0, value: 1 }
    const two = trainCollaborativeModel([
      { ...rare, profile: 1 },
      { ...rare, profile: 2 },
    ])
    expect([...two.keys]).toEqual([])
    expect([...trainCollaborativeModel([1, 2, 3].map((profile) => ({ ...rare, profile }))).keys]).toEqual([7])
  })
  it('does not care in which order it is told', () => {
    expect(trainCollaborativeModel([...met].reverse())).toEqual(trainCollaborativeModel(met))
  })
  it('knows no order among what came together', () => {
    const together = trainCollaborativeModel(met.map((one) => ({ ...one, at: 5 })))
    for (let j = 1; j < 20; j++) expect(sequenceWeight(together, 0, j)).toBe(0)
  })
})

describe('a model', () => {
  it('is the same after packing and loading', () => {
    const loaded = loadModel(packModel(crowded))
    expect(loaded.version).toBe('crowded')
    const signals = said(titles, 20, 3)
    const ask = (model: typeof loaded) => recommendTitles(model, signals, { limit: 15, scope: everything })
    expect(ask(loaded)).toEqual(ask(crowded))
  })
  it('refuses another file', () => {
    const packed = packModel(crowded)
    expect(() => loadModel(new ArrayBuffer(4))).toThrow(RangeError)
    expect(() => loadModel(new ArrayBuffer(64))).toThrow(RangeError)
    expect(() => loadModel(packed.slice(0, packed.byteLength - 64))).toThrow(RangeError)
    new DataView(packed).setUint32(8, 99, true)
    expect(() => loadModel(packed)).toThrow(RangeError)
  })
  it('refreshed is the model built anew', () => {
    const met = meetings(titles, 30, 9)
    const fresh = refreshModel(crowded, met, { version: 'next' })
    const anew = buildModel(titles, met, { version: 'next' })
    expect(new Uint8Array(packModel(fresh))).toEqual(new Uint8Array(packModel(anew)))
  })
  it('of no titles answers nothing', () => {
    const empty = buildModel([], [], { version: 'empty' })
    expect(
      recommendTitles(loadModel(packModel(empty)), said(titles, 5, 1), { limit: 5, scope: everything }),
    ).toEqual([])
  })
  it('outlives titles that left the catalogue', () => {
    const half = buildModel(titles.slice(0, 600), meetings(titles, 60), { version: 'half' })
    expect(recommendTitles(half, said(titles, 30, 4), { limit: 15, scope: everything })).toHaveLength(15)
  })
  it('has one kernel: content and crowd', () => {
    const [a, b] = [crowded.crowd.keys[0]!, crowded.crowd.keys[1]!]
    expect(titleAffinity(crowded, a, b)).toBeGreaterThanOrEqual(collaborativeAffinity(crowded, a, b))
    expect(titleAffinity(crowded, a, 1_000_000)).toBe(0)
  })
})

describe('best', () => {
  it.each([1, 2, 3, 10, 50])('keeps the %i best of many', (limit) => {
    const draw = random(limit)
    const all = Array.from({ length: 500 }, (_, key) => ({ key, score: Math.floor(draw() * 50) }))
    const kept = createTopK(limit)
    for (const { key, score } of all) if (kept.accepts(key, score)) kept.add(key, score)
    const sorted = all.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit)
    expect(kept.sorted()).toEqual(sorted)
  })
})
