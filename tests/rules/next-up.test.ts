/** Every case of docs/next-up-vectors.json, and what cannot be written as one. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  computeSeriesCard,
  type EpisodeRecord,
  findFirstEpisode,
  findLatestEpisode,
  findNextEpisode,
  findSeriesContinuation,
} from '../../src/lib/rules/next-up.ts'
import {
  getProgressPercentage,
  isFinished,
  mergeProgress,
  type StoredProgress,
} from '../../src/lib/rules/progress.ts'

interface Case {
  name: string
  call: keyof typeof CALLS
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own shape, written down in docs/next-up.md
  given: any
  expect: unknown
}

const instant = (text: string) => Date.parse(text)
const timed = <R extends { updated_at: string }>(record: R) => ({
  ...record,
  updated_at: instant(record.updated_at),
})
const place = (one: { season_number: number; episode_number: number } | null) =>
  one && { season_number: one.season_number, episode_number: one.episode_number }

const CALLS = {
  nextEpisode: ({ current, episodes, today }: Case['given']) =>
    place(findNextEpisode(current, episodes, today)),
  latestEpisode: ({ episodes, today }: Case['given']) => place(findLatestEpisode(episodes, today)),
  isFinished: ({ progress, duration, credits_at }: Case['given']) =>
    isFinished(progress, duration, credits_at),
  percentage: ({ progress, duration }: Case['given']) => getProgressPercentage(progress, duration),
  continueCard: ({ show, records, now }: Case['given']) => {
    const dismissed_at = show.dismissed_at ? instant(show.dismissed_at) : null
    const card = computeSeriesCard({ ...show, dismissed_at }, records.map(timed), instant(now))
    const { kind, season, episode, progress, remaining, reason } = card
    return { kind, season, episode, progress, remaining, reason }
  },
  mergeProgress: ({ stored, reports, credits_at, now }: Case['given']) => {
    const facts = { creditsAt: credits_at ?? null, ...(now && { now: instant(now) }) }
    let kept: StoredProgress | null = stored && timed(stored)
    const outcomes = reports.map(timed).map((report: StoredProgress) => {
      const merged = mergeProgress(kept, report, facts)
      kept = merged.stored
      return merged.outcome
    })
    const after = kept as StoredProgress | null
    return { outcomes, stored: after && { ...after, updated_at: iso(after.updated_at) } }
  },
}
const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')

const { cases } = JSON.parse(
  readFileSync(new URL('../../docs/next-up-vectors.json', import.meta.url), 'utf8'),
) as { cases: Case[] }

describe('the published vectors', () => {
  for (const one of cases) {
    test(`${one.call}: ${one.name}`, () => expect(CALLS[one.call](one.given)).toEqual(one.expect))
  }
  test('are at least sixty, each with its own name', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60)
    expect(new Set(cases.map((one) => `${one.call} ${one.name}`)).size).toBe(cases.length)
  })
})

const season = (number: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    season_number: number,
    episode_number: i + 1,
    air_date: '2020-01-01',
  }))

test('where nothing is out of line, the rule of the specification word for word', () => {
  const counts = [3, 1, 4]
  const episodes = counts.flatMap((count, i) => season(i + 1, count))
  for (const { season_number: s, episode_number: e } of episodes) {
    const bySpec =
      counts[s - 1]! > e
        ? { season_number: s, episode_number: e + 1 }
        : counts[s]
          ? { season_number: s + 1, episode_number: 1 }
          : null
    expect(place(findNextEpisode({ season_number: s, episode_number: e }, episodes, '2026-01-01'))).toEqual(
      bySpec,
    )
  }
})

test('watching in order from the first card on sees every episode once', () => {
  const episodes = [...season(0, 2), ...season(1, 5), ...season(3, 4)]
  const records: EpisodeRecord[] = []
  let at = Date.parse('2026-01-01')
  let place: { season_number: number; episode_number: number } | null = findFirstEpisode(
    episodes,
    '2026-01-01',
  )
  while (place) {
    at += 60_000
    records.push({ ...place, updated_at: at, finished: true, plays: 1 })
    place = computeSeriesCard({ episodes }, records, at).facts
  }
  expect(records.map((one) => `${one.season_number}x${one.episode_number}`)).toEqual(
    [...season(1, 5), ...season(3, 4)].map((one) => `${one.season_number}x${one.episode_number}`),
  )
})

test('a series begins at its first numbered episode, if that has aired', () => {
  expect(findFirstEpisode([...season(0, 1), ...season(2, 2)], '2026-01-01')?.season_number).toBe(2)
  expect(findFirstEpisode(season(0, 1), '2026-01-01')?.season_number).toBe(0)
  expect(findFirstEpisode(season(1, 1), '2019-01-01')).toBeNull()
})

test('continueSeries is the card without idleness', () => {
  const record = { season_number: 1, episode_number: 1, updated_at: 0, finished: true }
  const { kind, episode } = findSeriesContinuation([record], season(1, 2), '2026-01-01')!
  expect([kind, episode.episode_number]).toEqual(['next', 2])
  expect(findSeriesContinuation([record], season(1, 1), '2026-01-01')).toBeNull()
})

test('what it is given stays as it was, a thousand episodes take no time', () => {
  const episodes = Object.freeze(season(1, 1000))
  const records = Object.freeze(
    episodes.map((one) => ({ ...one, updated_at: 1000 - one.episode_number, finished: true })),
  )
  const started = performance.now()
  expect(computeSeriesCard({ episodes }, records, 2000).reason).toBe('caught_up')
  expect(performance.now() - started).toBeLessThan(1000)
})
