import { describe, expect, it } from 'vitest'
import { titleAffinity } from '../../../server/recommend/affinity.ts'
import { titleFlags } from '../../../server/recommend/content.ts'
import { recommendGenreRows } from '../../../server/recommend/genre-rows.ts'
import { buildModel, type RecommendationModel } from '../../../server/recommend/model.ts'
import { recommendTitles } from '../../../server/recommend/picks.ts'
import { findSimilarTitles } from '../../../server/recommend/similar.ts'
import { type ProfileSignal, signalId } from '../../../server/recommend/types.ts'
import { crowded, everything, lonely, random, said, title, titles } from './cast.ts'

const models: [string, RecommendationModel][] = [
  ['with a crowd', crowded],
  ['with content alone', lonely],
]
const seeds = Array.from({ length: 12 }, (_, at) => at + 1)

describe.each(models)('picks %s', (_, model) => {
  it.each(seeds)(
    'never show what a signal names, what scope refuses or another type (profile %i)',
    (seed) => {
      const signals = said(titles, seed * 4, seed)
      const named = new Set(signals.map((signal) => signal.titleKey))
      const draw = random(seed)
      const refused = new Set(titles.filter(() => draw() < 0.5).map(({ key }) => key))
      const scope = (key: number): boolean => !refused.has(key)
      const off = new Set(signals.filter(() => draw() < 0.3).map(signalId))
      const picks = recommendTitles(model, signals, { limit: 40, scope, type: 'movie', off })
      expect(picks).toHaveLength(40)
      expect(new Set(picks.map(({ key }) => key)).size).toBe(40)
      for (const { key } of picks) {
        expect(named.has(key)).toBe(false)
        expect(refused.has(key)).toBe(false)
        expect(model.content.flags[key]! & titleFlags.movie).toBeTruthy()
      }
      const rows = recommendGenreRows(model, signals, { limit: 15, genres: 5, scope, off })
      const shown = rows.flatMap((row) => row.picks.map(({ key }) => key))
      expect(new Set(shown).size).toBe(shown.length)
      for (const key of shown) expect(named.has(key) || refused.has(key)).toBe(false)
    },
  )

  it.each(seeds)('never show kids an unsafe title, even when scope forgets (profile %i)', (seed) => {
    const safe = new Set(titles.filter(({ kids }) => kids).map(({ key }) => key))
    const options = { limit: 30, scope: everything, kids: true }
    const signals = said(titles, 10, seed)
    const keys = [
      ...recommendTitles(model, signals, options).map(({ key }) => key),
      ...recommendGenreRows(model, signals, { ...options, genres: 5 }).flatMap((row) =>
        row.picks.map(({ key }) => key),
      ),
      ...titles
        .slice(0, 20)
        .flatMap(({ key }) => findSimilarTitles(model, key, options).map((one) => one.key)),
    ]
    expect(keys.length).toBeGreaterThan(100)
    for (const key of keys) expect(safe.has(key)).toBe(true)
  })

  it.each(seeds)('depend on nothing but what they are told (profile %i)', (seed) => {
    const signals = said(titles, 15, seed)
    const ask = (told: readonly ProfileSignal[], off = new Set<string>()) =>
      recommendTitles(model, told, { limit: 15, scope: everything, off })
    const first = ask(signals)
    expect(ask([...signals].reverse())).toEqual(first)
    const some = new Set([signalId(signals[seed % 15]!)])
    const without = ask(signals, some)
    expect(ask(signals, some)).toEqual(without)
    expect(ask(signals)).toEqual(first)
  })

  it('re-rank when a signal behind them is switched off, and name it no more', () => {
    const signals = said(titles, 12, 5)
    const first = recommendTitles(model, signals, { limit: 15, scope: everything })
    const signal = first[0]!.reasons[0]!.signal!
    const without = recommendTitles(model, signals, { limit: 15, scope: everything, off: new Set([signal]) })
    expect(without.map(({ key }) => key)).not.toEqual(first.map(({ key }) => key))
    for (const pick of without) for (const reason of pick.reasons) expect(reason.signal).not.toBe(signal)
  })

  it.each(seeds)('say why, in shares of the whole (profile %i)', (seed) => {
    const signals = said(titles, seed, seed)
    const ids = new Set(signals.map(signalId))
    for (const { reasons } of recommendTitles(model, signals, { limit: 15, scope: everything })) {
      expect(reasons.length).toBeGreaterThan(0)
      expect(reasons.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9)
      for (const { signal, share, kind } of reasons) {
        expect(share).toBeGreaterThan(0)
        if (kind !== 'popular') expect(ids.has(signal!)).toBe(true)
        expect(signal?.startsWith('disliked')).not.toBe(true)
      }
    }
  })

  it.each(seeds)(
    'an added like never puts its nearest neighbours below titles less like it (profile %i)',
    (seed) => {
      const signals = said(titles, 12, seed).filter(({ kind }) => kind !== 'disliked')
      const liked = titles[(seed * 97) % titles.length]!.key
      if (signals.some(({ titleKey }) => titleKey === liked)) return
      const options = { limit: 400, scope: everything, diversity: 0 }
      const before = recommendTitles(model, signals, options).map(({ key }) => key)
      const more: ProfileSignal[] = [...signals, { kind: 'liked', titleKey: liked, at: 1e9 }]
      const after = recommendTitles(model, more, options).map(({ key }) => key)
      const place = new Map(after.map((key, at) => [key, at]))
      const near = new Set(
        findSimilarTitles(model, liked, { limit: 10, scope: everything }).map(({ key }) => key),
      )
      expect(before.filter((key) => near.has(key)).length).toBeGreaterThan(0)
      for (const [at, neighbour] of before.entries()) {
        if (!near.has(neighbour)) continue
        const own = titleAffinity(model, liked, neighbour)
        for (const below of before.slice(at + 1, at + 60))
          if (place.has(below) && titleAffinity(model, liked, below) <= own)
            expect(place.get(neighbour) ?? Number.POSITIVE_INFINITY).toBeLessThan(place.get(below)!)
      }
    },
  )
})

describe('similar titles', () => {
  const family = [
    title(0, { genres: [878], keywords: ['space', 'robot'], directors: [7], cast: [1, 2] }),
    title(1, { genres: [878], keywords: ['space', 'robot'], directors: [7], cast: [2] }),
    title(2, { genres: [878], keywords: ['space'], cast: [3] }),
    title(3, { genres: [10749], keywords: ['wedding'], cast: [3] }),
    title(4, { genres: [10749], keywords: ['wedding'], language: 'fr', year: 1960 }),
    title(5, { genres: [878], keywords: ['robot'], type: 'tv' }),
  ]
  const model = buildModel(family, [], { version: 'six' })
  const ask = (key: number, type?: 'movie' | 'tv') =>
    findSimilarTitles(model, key, { limit: 10, scope: everything, ...(type ? { type } : {}) }).map(
      (one) => one.key,
    )

  it('come in the order of what they share, without the title itself', () => {
    expect(ask(0).slice(0, 2)).toEqual([1, 5])
    expect(ask(4)[0]).toBe(3)
    expect(ask(0)).not.toContain(0)
  })
  it('keep to a type', () => expect(ask(0, 'tv')).toEqual([5]))
  it('of an unknown title are none', () => expect(ask(99)).toEqual([]))
  it('listen to the crowd where there is one', () => {
    const met = Array.from({ length: 60 }, (_, n) => ({
      profile: n >> 1,
      titleKey: n % 2 ? 0 : 3,
      at: n,
      value: 1,
    }))
    const moved = buildModel(family, met, { version: 'met', crowd: { ridge: 5, minSupport: 3 } })
    const place = (m: RecommendationModel) =>
      findSimilarTitles(m, 0, { limit: 10, scope: everything }).findIndex(({ key }) => key === 3)
    expect(place(model)).not.toBe(0)
    expect(place(moved)).toBe(0)
  })
})

describe('content', () => {
  const alike = { genres: [878], keywords: ['space'] }
  const shelf = [
    title(0, alike),
    title(1, { ...alike, votes: 5 }),
    title(2, { ...alike, votes: 50_000 }),
    title(3, { genres: [35], keywords: ['wedding'] }),
    title(4, { genres: [35], keywords: ['wedding'] }),
  ]
  const met = (profiles: number) =>
    Array.from({ length: profiles * 2 }, (_, n) => ({
      profile: n >> 1,
      titleKey: 3 + (n % 2),
      at: n,
      value: 1,
    }))

  it('carries further to the better known of two titles equally like the liked one', () => {
    const model = buildModel(shelf, [], { version: 'shelf' })
    expect(titleAffinity(model, 0, 2)).toBeGreaterThan(titleAffinity(model, 0, 1))
    expect(titleAffinity(model, 0, 1)).toBeGreaterThan(0)
  })
  it('speaks more softly the more profiles there are', () => {
    const [few, many] = [3, 3000].map((profiles) => buildModel(shelf, met(profiles), { version: 'met' }))
    expect(titleAffinity(many!, 0, 2)).toBeLessThan(titleAffinity(few!, 0, 2) / 2)
    expect(titleAffinity(many!, 0, 2)).toBeGreaterThan(0)
  })
})

describe('a profile', () => {
  it('that said nothing gets what is popular, and is told so', () => {
    const picks = recommendTitles(lonely, [], { limit: 10, scope: everything })
    expect(picks.map(({ reasons }) => reasons[0]!.kind)).toEqual(Array(10).fill('popular'))
    expect(picks[0]!.key).toBe(lonely.content.order[0])
  })
  it('that chose genres gets those genres, and rows of them first', () => {
    const signals: ProfileSignal[] = [27, 878].map((genre) => ({ kind: 'genre', genre, at: 0 }))
    const of = new Map(titles.map((one) => [one.key, one.genres]))
    for (const { key, reasons } of recommendTitles(lonely, signals, { limit: 10, scope: everything })) {
      expect(of.get(key)!.some((genre) => genre === 27 || genre === 878)).toBe(true)
      expect(reasons[0]!.kind).toBe('genre')
    }
    const rows = recommendGenreRows(lonely, signals, { limit: 15, genres: 5, scope: everything })
    expect(rows.length).toBe(5)
    expect(
      rows
        .slice(0, 2)
        .map(({ genre }) => genre)
        .sort(),
    ).toEqual([27, 878])
    for (const row of rows) for (const { key } of row.picks) expect(of.get(key)).toContain(row.genre)
  })
  it('weighs what is new above what is old', () => {
    const [old, fresh] = [titles[3]!.key, titles[700]!.key]
    const ask = (first: number, second: number) =>
      recommendTitles(
        lonely,
        [
          { kind: 'liked', titleKey: first, at: 1 },
          { kind: 'liked', titleKey: second, at: 2 },
        ],
        {
          limit: 5,
          scope: everything,
        },
      )
    const weight = (picks: ReturnType<typeof ask>, key: number) =>
      picks.flatMap(({ reasons }) => reasons).filter((r) => r.key === key).length
    expect(weight(ask(old, fresh), fresh)).toBeGreaterThanOrEqual(weight(ask(fresh, old), fresh))
  })
})
