/** Every case of docs/next-up-vectors.json, and tests that cannot be written as a vector. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mergeProgress, type StoredProgress } from '../../src/lib/rules/merge-progress.ts'
import {
  computeSeriesCard,
  type EpisodeProgressRecord,
  findFirstEpisode,
  findLatestEpisode,
  findNextEpisode,
  findSeriesContinuation,
} from '../../src/lib/rules/next-up.ts'
import { getProgressPercentage, isFinished } from '../../src/lib/rules/progress.ts'

interface TestVector {
  name: string
  call: keyof typeof FUNCTIONS_BY_CALL_NAME
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own arguments, described in docs/next-up.md
  given: any
  expect: unknown
}

const parseTimeMs = (text: string) => Date.parse(text)
const parseRecordTime = <R extends { updated_at: string }>(record: R) => ({
  ...record,
  updated_at: parseTimeMs(record.updated_at),
})
const pickSeasonAndEpisode = (episode: { season_number: number; episode_number: number } | null) =>
  episode && { season_number: episode.season_number, episode_number: episode.episode_number }

const FUNCTIONS_BY_CALL_NAME = {
  nextEpisode: ({ current, episodes, today }: TestVector['given']) =>
    pickSeasonAndEpisode(findNextEpisode(current, episodes, today)),
  latestEpisode: ({ episodes, today }: TestVector['given']) =>
    pickSeasonAndEpisode(findLatestEpisode(episodes, today)),
  isFinished: ({ progress, duration, credits_at }: TestVector['given']) =>
    isFinished(progress, duration, credits_at),
  percentage: ({ progress, duration }: TestVector['given']) => getProgressPercentage(progress, duration),
  continueCard: ({ show, records, now }: TestVector['given']) => {
    const nowMs = parseTimeMs(now)
    const series = {
      episodes: show.episodes,
      credits_at: show.credits_at,
      dismissed_at: show.dismissed_at ? parseTimeMs(show.dismissed_at) : null,
      getViewerDate: (timeMs: number) =>
        timeMs === nowMs && show.today ? show.today : formatTime(timeMs).slice(0, 10),
    }
    const card = computeSeriesCard(series, records.map(parseRecordTime), nowMs)
    const { kind, season, episode, progress, remaining, reason } = card
    return { kind, season, episode, progress, remaining, reason }
  },
  mergeProgress: ({ stored, reports, credits_at, now }: TestVector['given']) => {
    const mergeOptions = { creditsAtSeconds: credits_at ?? null, ...(now && { nowMs: parseTimeMs(now) }) }
    let currentProgress: StoredProgress | null = stored && parseRecordTime(stored)
    const outcomes = reports.map(parseRecordTime).map((report: StoredProgress) => {
      const mergeResult = mergeProgress(currentProgress, report, mergeOptions)
      currentProgress = mergeResult.mergedProgress
      return mergeResult.outcome
    })
    const finalProgress = currentProgress as StoredProgress | null
    return {
      outcomes,
      stored: finalProgress && { ...finalProgress, updated_at: formatTime(finalProgress.updated_at) },
    }
  },
}
const formatTime = (timeMs: number) => new Date(timeMs).toISOString().replace('.000Z', 'Z')

const readDocument = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
const { version, cases: testVectors } = JSON.parse(readDocument('next-up-vectors.json')) as {
  version: number
  cases: TestVector[]
}

describe('test vectors of docs/next-up-vectors.json', () => {
  for (const testVector of testVectors) {
    test(`${testVector.call} ${testVector.name}`, () =>
      expect(FUNCTIONS_BY_CALL_NAME[testVector.call](testVector.given)).toEqual(testVector.expect))
  }
  test('the file of test vectors has the version 2, and docs/next-up.md states the same version', () => {
    expect(version).toBe(2)
    expect(readDocument('next-up.md')).toContain(`"format": "next-up-vectors", "version": ${version},`)
  })
  test('the test vectors contain runtimes in seconds, in fields named runtime_seconds', () => {
    const runtimesSeconds = testVectors
      .flatMap(({ given }) => given.show?.episodes ?? [])
      .flatMap((episode) => ('runtime_seconds' in episode ? [episode.runtime_seconds] : []))
    expect(readDocument('next-up-vectors.json')).not.toContain('"runtime":')
    expect(new Set(runtimesSeconds)).toEqual(new Set([1_500, 2_700]))
  })
  test('the file contains at least 60 test vectors with unique names', () => {
    expect(testVectors.length).toBeGreaterThanOrEqual(60)
    expect(new Set(testVectors.map((vector) => `${vector.call} ${vector.name}`)).size).toBe(
      testVectors.length,
    )
  })
})

const createSeason = (seasonNumber: number, episodeCount: number) =>
  Array.from({ length: episodeCount }, (_, index) => ({
    season_number: seasonNumber,
    episode_number: index + 1,
    air_date: '2020-01-01',
  }))

test('in seasons without gaps, the next episode has the following number, or is episode 1 of the next season, or is null after the last season', () => {
  const episodeCounts = [3, 1, 4]
  const episodes = episodeCounts.flatMap((episodeCount, index) => createSeason(index + 1, episodeCount))
  for (const { season_number: seasonNumber, episode_number: episodeNumber } of episodes) {
    const expectedEpisodeNumber =
      episodeCounts[seasonNumber - 1]! > episodeNumber
        ? { season_number: seasonNumber, episode_number: episodeNumber + 1 }
        : episodeCounts[seasonNumber]
          ? { season_number: seasonNumber + 1, episode_number: 1 }
          : null
    expect(
      pickSeasonAndEpisode(
        findNextEpisode(
          { season_number: seasonNumber, episode_number: episodeNumber },
          episodes,
          '2026-01-01',
        ),
      ),
    ).toEqual(expectedEpisodeNumber)
  }
})

test('a viewer who always watches the episode of the series card sees every regular episode once and in order', () => {
  const episodes = [...createSeason(0, 2), ...createSeason(1, 5), ...createSeason(3, 4)]
  const records: EpisodeProgressRecord[] = []
  let timeMs = Date.parse('2026-01-01')
  let nextSeasonAndEpisode: { season_number: number; episode_number: number } | null = findFirstEpisode(
    episodes,
    '2026-01-01',
  )
  while (nextSeasonAndEpisode) {
    timeMs += 60_000
    records.push({ ...nextSeasonAndEpisode, updated_at: timeMs, finished: true, plays: 1 })
    nextSeasonAndEpisode = computeSeriesCard({ episodes }, records, timeMs).facts
  }
  expect(records.map((episode) => `${episode.season_number}x${episode.episode_number}`)).toEqual(
    [...createSeason(1, 5), ...createSeason(3, 4)].map(
      (episode) => `${episode.season_number}x${episode.episode_number}`,
    ),
  )
})

test('the first episode is an aired regular episode, or a special if the series has only specials', () => {
  expect(findFirstEpisode([...createSeason(0, 1), ...createSeason(2, 2)], '2026-01-01')?.season_number).toBe(
    2,
  )
  expect(findFirstEpisode(createSeason(0, 1), '2026-01-01')?.season_number).toBe(0)
  expect(findFirstEpisode(createSeason(1, 1), '2019-01-01')).toBeNull()
})

test('after a finished episode, the continuation of a series is the next episode, or null if none exists', () => {
  const record = { season_number: 1, episode_number: 1, updated_at: 0, finished: true }
  const { kind, episode } = findSeriesContinuation([record], createSeason(1, 2), '2026-01-01')!
  expect([kind, episode.episode_number]).toEqual(['next', 2])
  expect(findSeriesContinuation([record], createSeason(1, 1), '2026-01-01')).toBeNull()
})

test('computing the series card of 1000 episodes takes less than one second and does not change the arguments', () => {
  const episodes = Object.freeze(createSeason(1, 1000))
  const records = Object.freeze(
    episodes.map((episode) => ({ ...episode, updated_at: 1000 - episode.episode_number, finished: true })),
  )
  const startedAtMs = performance.now()
  expect(computeSeriesCard({ episodes }, records, 2000).reason).toBe('caught_up')
  expect(performance.now() - startedAtMs).toBeLessThan(1000)
})
