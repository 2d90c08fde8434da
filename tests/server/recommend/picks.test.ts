import { describe, expect, it } from 'vitest'
import { createSeededGenerator } from '../../../server/images/random.ts'
import { computeTitleAffinity } from '../../../server/recommend/affinity.ts'
import { titleFlags } from '../../../server/recommend/content.ts'
import { recommendGenreRows } from '../../../server/recommend/genre-rows.ts'
import { buildModel, type RecommendationModel } from '../../../server/recommend/model.ts'
import { recommendTitles } from '../../../server/recommend/picks.ts'
import { findSimilarTitles } from '../../../server/recommend/similar.ts'
import { disableSignals, getSignalId, type ProfileSignal } from '../../../server/recommend/types.ts'
import { varyReasons } from '../../../server/recommend/vary-reasons.ts'
import {
  allowEveryTitle,
  catalogueTitles,
  contentOnlyModel,
  createProfileSignals,
  createTitle,
  trainedModel,
} from './synthetic-catalogue.ts'

const MODELS: [string, RecommendationModel][] = [
  ['with interactions', trainedModel],
  ['without interactions', contentOnlyModel],
]
const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1)

describe.each(MODELS)('picks of a model %s', (_name, model) => {
  it.each(SEEDS)(
    'picks exclude titles with signals, titles that the title filter rejects and titles of other types (profile %i)',
    (seed) => {
      const signals = createProfileSignals(catalogueTitles, seed * 4, seed)
      const signalKeys = new Set(signals.map((signal) => signal.titleKey))
      const drawNumber = createSeededGenerator(seed)
      const keysOutOfScope = new Set(catalogueTitles.filter(() => drawNumber() < 0.5).map(({ key }) => key))
      const isInScope = (titleKey: number): boolean => !keysOutOfScope.has(titleKey)
      const disabledIds = signals.filter(() => drawNumber() < 0.3).map(getSignalId)
      const remainingSignals = disableSignals(signals, disabledIds)
      const picks = recommendTitles(model, remainingSignals, {
        limit: 40,
        scope: isInScope,
        type: 'movie',
      })
      expect(picks).toHaveLength(40)
      expect(new Set(picks.map(({ key }) => key)).size).toBe(40)
      for (const { key } of picks) {
        expect(signalKeys.has(key)).toBe(false)
        expect(keysOutOfScope.has(key)).toBe(false)
        expect(model.content.flags[key]! & titleFlags.movie).toBeTruthy()
      }
      const rows = recommendGenreRows(model, remainingSignals, {
        limit: 15,
        maxRows: 5,
        scope: isInScope,
      })
      const titleKeysInRows = rows.flatMap((row) => row.picks.map(({ key }) => key))
      expect(titleKeysInRows.length).toBeGreaterThan(15)
      expect(new Set(titleKeysInRows).size).toBe(titleKeysInRows.length)
      for (const key of titleKeysInRows) expect(signalKeys.has(key) || keysOutOfScope.has(key)).toBe(false)
    },
  )

  it.each(SEEDS)(
    'picks contain only kids titles for a kids profile, even when the title filter allows all titles (profile %i)',
    (seed) => {
      const kidsKeys = new Set(catalogueTitles.filter(({ kids }) => kids).map(({ key }) => key))
      const options = { limit: 30, scope: allowEveryTitle, kids: true }
      const signals = createProfileSignals(catalogueTitles, 10, seed)
      const keys = [
        ...recommendTitles(model, signals, options).map(({ key }) => key),
        ...recommendGenreRows(model, signals, { ...options, maxRows: 5 }).flatMap((row) =>
          row.picks.map(({ key }) => key),
        ),
        ...catalogueTitles
          .slice(0, 20)
          .flatMap(({ key }) => findSimilarTitles(model, key, options).map((neighbour) => neighbour.key)),
      ]
      expect(keys.length).toBeGreaterThan(100)
      for (const key of keys) expect(kidsKeys.has(key)).toBe(true)
    },
  )

  it.each(SEEDS)(
    'picks depend only on the signals, not on their order or earlier calls (profile %i)',
    (seed) => {
      const signals = createProfileSignals(catalogueTitles, 15, seed)
      const pickTitles = (profileSignals: readonly ProfileSignal[]) =>
        recommendTitles(model, profileSignals, { limit: 15, scope: allowEveryTitle })
      const allPicks = pickTitles(signals)
      expect(pickTitles([...signals].reverse())).toEqual(allPicks)
      const remainingSignals = disableSignals(signals, [getSignalId(signals[seed % 15]!)])
      const picksWithoutSignal = pickTitles(remainingSignals)
      expect(pickTitles(remainingSignals)).toEqual(picksWithoutSignal)
      expect(pickTitles(signals)).toEqual(allPicks)
    },
  )

  it('picks change when a signal is disabled, and the disabled signal is not a reason of any pick', () => {
    const signals = createProfileSignals(catalogueTitles, 12, 5)
    const allPicks = recommendTitles(model, signals, { limit: 15, scope: allowEveryTitle })
    const signal = allPicks[0]!.reasons[0]!.signal!
    const picksWithoutSignal = recommendTitles(model, disableSignals(signals, [signal]), {
      limit: 15,
      scope: allowEveryTitle,
    })
    expect(picksWithoutSignal.map(({ key }) => key)).not.toEqual(allPicks.map(({ key }) => key))
    const signalsOfReasons = picksWithoutSignal.flatMap((pick) => pick.reasons.map((reason) => reason.signal))
    expect(signalsOfReasons.length).toBeGreaterThanOrEqual(15)
    expect(signalsOfReasons).not.toContain(signal)
  })

  it('when one kind of positive signal is disabled for a title, picks ignore all positive signals of the title, even if the title has no signal of the disabled kind', () => {
    const titleKey = catalogueTitles[0]!.key
    const otherSignals = createProfileSignals(catalogueTitles.slice(1), 8, 3)
    const titleSignals: ProfileSignal[] = [
      { kind: 'completed', titleKey, at: 50_000 },
      { kind: 'liked', titleKey, at: 60_000 },
    ]
    const pickTitles = (signals: ProfileSignal[]) =>
      recommendTitles(model, signals, { limit: 15, scope: (key) => key !== titleKey })
    const picksWithoutTitle = pickTitles(otherSignals)
    expect(pickTitles([...otherSignals, ...titleSignals])).not.toEqual(picksWithoutTitle)
    for (const disabledId of [`liked:${titleKey}`, `completed:${titleKey}`, `watched:${titleKey}`])
      expect(pickTitles(disableSignals([...otherSignals, ...titleSignals], [disabledId]))).toEqual(
        picksWithoutTitle,
      )
    const dislikeSignal: ProfileSignal = { kind: 'disliked', titleKey, at: 70_000 }
    expect(disableSignals([dislikeSignal], [`liked:${titleKey}`])).toEqual([dislikeSignal])
  })

  it.each(SEEDS)('picks have reasons with shares that add up to at most 1 (profile %i)', (seed) => {
    const signals = createProfileSignals(catalogueTitles, seed, seed)
    const signalIds = new Set(signals.map(getSignalId))
    const picks = recommendTitles(model, signals, { limit: 15, scope: allowEveryTitle })
    expect(picks).toHaveLength(15)
    for (const { reasons } of picks) {
      expect(reasons.length).toBeGreaterThan(0)
      expect(reasons.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9)
      for (const { signal, share, kind } of reasons) {
        expect(share).toBeGreaterThan(0)
        if (kind !== 'popular') expect(signalIds.has(signal!)).toBe(true)
        expect(signal?.startsWith('disliked')).not.toBe(true)
      }
    }
  })

  it.each(SEEDS)(
    'after a new like, the titles most similar to the liked title stay ahead of lower-ranked titles that are at most as similar (profile %i)',
    (seed) => {
      const signals = createProfileSignals(catalogueTitles, 12, seed).filter(
        ({ kind }) => kind !== 'disliked',
      )
      const signalKeys = new Set(signals.map(({ titleKey }) => titleKey))
      const likedKey = catalogueTitles.slice(seed * 97).find(({ key }) => !signalKeys.has(key))!.key
      const options = { limit: 400, scope: allowEveryTitle, diversity: 0 }
      const keysBefore = recommendTitles(model, signals, options).map(({ key }) => key)
      const signalsWithLike: ProfileSignal[] = [...signals, { kind: 'liked', titleKey: likedKey, at: 1e9 }]
      const keysAfter = recommendTitles(model, signalsWithLike, options).map(({ key }) => key)
      const ranksAfterByKey = new Map(keysAfter.map((key, rank) => [key, rank]))
      const neighbourKeys = new Set(
        catalogueTitles
          .map(({ key }) => ({ key, affinity: computeTitleAffinity(model, likedKey, key) }))
          .filter(({ key }) => key !== likedKey)
          .sort((a, b) => b.affinity - a.affinity)
          .slice(0, 10)
          .map(({ key }) => key),
      )
      let comparisonCount = 0
      for (const [rank, neighbourKey] of keysBefore.entries()) {
        if (!neighbourKeys.has(neighbourKey)) continue
        const similarity = computeTitleAffinity(model, likedKey, neighbourKey)
        for (const lowerKey of keysBefore.slice(rank + 1, rank + 60))
          if (
            ranksAfterByKey.has(lowerKey) &&
            computeTitleAffinity(model, likedKey, lowerKey) <= similarity
          ) {
            expect(ranksAfterByKey.get(neighbourKey) ?? Number.POSITIVE_INFINITY).toBeLessThan(
              ranksAfterByKey.get(lowerKey)!,
            )
            comparisonCount += 1
          }
      }
      expect(comparisonCount).toBeGreaterThan(20)
    },
  )
})

describe('similar titles', () => {
  const sixTitles = [
    createTitle(0, { genres: [878], keywords: ['space', 'robot'], directors: [7], cast: [1, 2] }),
    createTitle(1, { genres: [878], keywords: ['space', 'robot'], directors: [7], cast: [2] }),
    createTitle(2, { genres: [878], keywords: ['space'], cast: [3] }),
    createTitle(3, { genres: [10749], keywords: ['wedding'], cast: [3] }),
    createTitle(4, { genres: [10749], keywords: ['wedding'], language: 'fr', year: 1960 }),
    createTitle(5, { genres: [878], keywords: ['robot'], type: 'tv' }),
  ]
  const model = buildModel(sixTitles, [], { version: 'six' })
  const listSimilarKeys = (titleKey: number, type?: 'movie' | 'tv') =>
    findSimilarTitles(model, titleKey, { limit: 10, scope: allowEveryTitle, ...(type ? { type } : {}) }).map(
      (neighbour) => neighbour.key,
    )

  it('similar titles are ordered by shared facts, and do not contain the title itself', () => {
    expect(listSimilarKeys(0).slice(0, 2)).toEqual([1, 5])
    expect(listSimilarKeys(4)[0]).toBe(3)
    expect(listSimilarKeys(0)).not.toContain(0)
  })
  it('similar titles have only the requested type', () => expect(listSimilarKeys(0, 'tv')).toEqual([5]))
  it('the list of similar titles is empty for an unknown title', () =>
    expect(listSimilarKeys(99)).toEqual([]))
  it('a title ranks higher among the similar titles of another title if the same profiles interacted with both titles', () => {
    const interactions = Array.from({ length: 60 }, (_, index) => ({
      profile: index >> 1,
      titleKey: index % 2 ? 0 : 3,
      at: index,
      value: 1,
    }))
    const modelWithInteractions = buildModel(sixTitles, interactions, {
      version: 'met',
      collaborative: { ridge: 5, minSupport: 3 },
    })
    const findRank = (candidateModel: RecommendationModel) =>
      findSimilarTitles(candidateModel, 0, { limit: 10, scope: allowEveryTitle }).findIndex(
        ({ key }) => key === 3,
      )
    expect(findRank(model)).not.toBe(0)
    expect(findRank(modelWithInteractions)).toBe(0)
  })
})

describe('content similarity', () => {
  const sharedFacts = { genres: [878], keywords: ['space'] }
  const fiveTitles = [
    createTitle(0, sharedFacts),
    createTitle(1, { ...sharedFacts, votes: 5 }),
    createTitle(2, { ...sharedFacts, votes: 50_000 }),
    createTitle(3, { genres: [35], keywords: ['wedding'] }),
    createTitle(4, { genres: [35], keywords: ['wedding'] }),
  ]
  const createInteractionsOfProfiles = (profileCount: number) =>
    Array.from({ length: profileCount * 2 }, (_, index) => ({
      profile: index >> 1,
      titleKey: 3 + (index % 2),
      at: index,
      value: 1,
    }))

  it('content similarity is higher for the title with more votes when two titles share the same facts', () => {
    const model = buildModel(fiveTitles, [], { version: 'shelf' })
    expect(computeTitleAffinity(model, 0, 2)).toBeGreaterThan(computeTitleAffinity(model, 0, 1))
    expect(computeTitleAffinity(model, 0, 1)).toBeGreaterThan(0)
  })
  it('content similarity has less weight when the model is trained on more profiles', () => {
    const [modelOfFewProfiles, modelOfManyProfiles] = [3, 3000].map((profileCount) =>
      buildModel(fiveTitles, createInteractionsOfProfiles(profileCount), { version: 'met' }),
    )
    expect(computeTitleAffinity(modelOfManyProfiles!, 0, 2)).toBeLessThan(
      computeTitleAffinity(modelOfFewProfiles!, 0, 2) / 2,
    )
    expect(computeTitleAffinity(modelOfManyProfiles!, 0, 2)).toBeGreaterThan(0)
  })
})

describe('picks of a profile', () => {
  it('picks are the most popular titles, with the reason `popular`, for a profile without signals', () => {
    const picks = recommendTitles(contentOnlyModel, [], { limit: 10, scope: allowEveryTitle })
    expect(picks.map(({ reasons }) => reasons[0]!.kind)).toEqual(Array(10).fill('popular'))
    expect(picks[0]!.key).toBe(contentOnlyModel.content.keysByPrior[0])
  })
  it('each signal is the first reason of at most a fifth of the picks if the picks have other reasons of similar strength', () => {
    const [likedKey, ...watchedKeys] = [5, 40, 90, 130, 170, 210].map((index) => catalogueTitles[index]!.key)
    const signals: ProfileSignal[] = [
      ...watchedKeys.map((titleKey, index) => ({ kind: 'completed' as const, titleKey, at: index })),
      { kind: 'liked', titleKey: likedKey!, at: 100 },
    ]
    const picks = recommendTitles(contentOnlyModel, signals, { limit: 15, scope: allowEveryTitle })
    const picksBySignal = Map.groupBy(picks, ({ reasons }) => reasons[0]!.signal ?? 'popular')
    expect(picksBySignal.size).toBeGreaterThanOrEqual(5)
    for (const [signal, { length }] of picksBySignal) expect(length, signal).toBeLessThanOrEqual(3)
    for (const { reasons } of picks) {
      expect(reasons.length).toBeLessThanOrEqual(3)
      for (const { share } of reasons) expect(share).toBeGreaterThanOrEqual(0.05)
    }
  })
  it('varyReasons does not change the order of titles that all have the same single reason', () => {
    const reason = { kind: 'liked' as const, key: 1, signal: 'liked:1', share: 0.9 }
    const titles = Array.from({ length: 10 }, (_, key) => ({ key, score: 1, reasons: [reason] }))
    expect(varyReasons(titles)).toEqual(titles)
  })
  it('a profile with chosen genres gets only titles of those genres, and rows of those genres first', () => {
    const signals: ProfileSignal[] = [27, 878].map((genre) => ({ kind: 'genre', genre, at: 0 }))
    const genresByKey = new Map(catalogueTitles.map(({ key, genres }) => [key, genres]))
    const picks = recommendTitles(contentOnlyModel, signals, { limit: 10, scope: allowEveryTitle })
    expect(picks).toHaveLength(10)
    for (const { key, reasons } of picks) {
      expect(genresByKey.get(key)!.some((genre) => genre === 27 || genre === 878)).toBe(true)
      expect(reasons[0]!.kind).toBe('genre')
    }
    const rows = recommendGenreRows(contentOnlyModel, signals, {
      limit: 15,
      maxRows: 5,
      scope: allowEveryTitle,
    })
    expect(rows.length).toBe(5)
    expect(
      rows
        .slice(0, 2)
        .map(({ genre }) => genre)
        .sort(),
    ).toEqual([27, 878])
    for (const row of rows) {
      expect(row.picks.length).toBeGreaterThan(0)
      for (const { key } of row.picks) expect(genresByKey.get(key)).toContain(row.genre)
    }
  })
  it('a like is the reason of at least as many picks when it is the newer of two likes as when it is the older one', () => {
    const [olderKey, newerKey] = [catalogueTitles[3]!.key, catalogueTitles[700]!.key]
    const pickTitles = (firstKey: number, secondKey: number) =>
      recommendTitles(
        contentOnlyModel,
        [
          { kind: 'liked', titleKey: firstKey, at: 1 },
          { kind: 'liked', titleKey: secondKey, at: 2 },
        ],
        {
          limit: 5,
          scope: allowEveryTitle,
        },
      )
    const countReasons = (picks: ReturnType<typeof pickTitles>, titleKey: number) =>
      picks.flatMap(({ reasons }) => reasons).filter((reason) => reason.key === titleKey).length
    expect(countReasons(pickTitles(olderKey, newerKey), newerKey)).toBeGreaterThanOrEqual(
      countReasons(pickTitles(newerKey, olderKey), newerKey),
    )
  })
})
