/** What the rows of a file change for one title, without a database. */
import { expect, test } from 'vitest'
import type { HistoryRow } from '../../../server/importers/history/history-row.ts'
import type { CatalogueTitle } from '../../../server/services/history-import/catalogue-candidates.ts'
import { mergeTitle } from '../../../server/services/history-import/merge-title.ts'
import { findSeasonEpisode } from '../../../server/services/history-import/season-episode.ts'
import { TrackingChangeSet } from '../../../server/services/history-import/tracking-change-set.ts'
import { isSameViewing, parseViewingTime } from '../../../server/services/history-import/viewing-time.ts'

const NOW = Date.parse('2026-11-20T15:00:00Z')
const movie: CatalogueTitle = {
  id: 1,
  type: 'movie',
  ids: {},
  titles: ['Heat'],
  year: 1995,
  runtimeSeconds: 10_200,
  episodes: [],
}
const show: CatalogueTitle = {
  id: 2,
  type: 'tv',
  ids: {},
  titles: ['Dark'],
  year: 2017,
  runtimeSeconds: 3_000,
  episodes: [1, 2, 3].map((number) => ({
    season_number: 1,
    episode_number: number,
    titles: [`Name ${number}`],
    seconds: number === 2 ? 2_400 : null,
  })),
}
const row = (more: Partial<HistoryRow>): HistoryRow => ({
  source: 'netflix',
  line: 1,
  kind: 'watched',
  ids: {},
  title: 'x',
  ...more,
})
/** Merges twice, and says what there is then; the second time changes nothing. */
function merged(title: CatalogueTitle, rows: HistoryRow[], ledger = new TrackingChangeSet()) {
  const once = () => {
    const placed = rows.map((one) => ({ row: one, ...findSeasonEpisode(title, one) }))
    mergeTitle({ title, rows: placed, changeSet: ledger, nowMs: NOW, importedAtMs: NOW })
    return JSON.stringify(ledger.changes())
  }
  const first = once()
  expect(once()).toBe(first)
  return ledger.changes().map(({ kind, after }) => ({ kind, ...after }))
}

test('the last viewing says where somebody is, all of them say how often', () => {
  const changes = merged(movie, [
    row({ at: '2021-03-01', progress: 3_000 }),
    row({ at: '2021-02-01' }),
    row({ at: '2020-01-01' }),
  ])
  expect(changes.filter((one) => one.kind === 'play')).toHaveLength(2)
  expect(changes.find((one) => one.kind === 'progress')).toMatchObject({
    progress: 3_000,
    finished: 0,
    plays: 2,
  })
})

test('a share of the length is a position where the length is known', () => {
  const paused = (percent: number) => [row({ source: 'trakt', at: '2021-03-01', percent })]
  expect(merged(movie, paused(50))).toMatchObject([
    { kind: 'progress', progress: 5_100, finished: 0, plays: 0 },
  ])
  expect(merged(movie, paused(95)).find((one) => one.kind === 'progress')).toMatchObject({ finished: 1 })
  expect(merged({ ...movie, runtimeSeconds: null }, paused(50))).toEqual([])
})

test('an episode goes by its number, its title, or the wholeness of its season', () => {
  expect(findSeasonEpisode(show, { title: 'x', type: 'tv', season: 2, episode: 9 })).toEqual({
    season: 2,
    episode: 9,
  })
  expect(findSeasonEpisode(show, { title: 'x', type: 'tv', episodeTitle: 'NAME 2' })).toEqual({
    season: 1,
    episode: 2,
  })
  expect(findSeasonEpisode(show, { title: 'x', type: 'tv', episode: 2 })).toEqual({ season: 1, episode: 2 })
  expect(findSeasonEpisode(show, { title: 'x', type: 'tv' })).toEqual({ season: -1, episode: -1 })
  const named = (line: number, at: string, episodeTitle: string) =>
    row({ type: 'tv', season: 1, line, at, episodeTitle })
  const two = [named(3, '2021-01-01', 'Eins'), named(2, '2021-01-01', 'Zwei')]
  expect(merged(show, two).map((one) => [one.kind, (one as { name?: string }).name])).toEqual([
    ['play', 'Eins'],
    ['play', 'Zwei'],
  ])
  const whole = merged(show, [named(1, '2021-01-02', 'Drei'), ...two])
  const reached = whole.filter((one) => one.kind === 'progress').map((one) => Object.values(one).slice(1, 6))
  expect(reached.sort()).toEqual([
    [2, 1, 1, 1, 3_000],
    [2, 1, 2, 1, 2_400],
    [2, 1, 3, 1, 3_000],
  ])
  const ledger = new TrackingChangeSet()
  merged(show, two, ledger)
  const later = merged(show, [named(1, '2021-01-02', 'Drei'), ...two], ledger)
  expect(later.filter((one) => one.kind === 'play' && (one as { name?: string }).name)).toEqual([])
})

test('the newest rating counts, whatever the order of the rows', () => {
  const rows = [
    row({ kind: 'rated', rating: 9, at: '2020-01-01' }),
    row({ kind: 'rated', rating: 8, at: '2022-01-01' }),
    row({ kind: 'rated', rating: 2, at: '2021-01-01' }),
    row({ kind: 'rated', rating: 5, at: '2023-01-01' }),
  ]
  for (const some of [rows, rows.toReversed()]) {
    expect(merged(movie, some)).toMatchObject([{ kind: 'feedback', feedback: 'liked' }])
  }
  expect(merged(movie, [row({ kind: 'rated', rating: 5 })])).toEqual([])
})

test('what was given up stays away; what is listed is planned', () => {
  expect(
    merged(show, [row({ kind: 'dropped', at: '2020-01-01T00:00:00Z' }), row({ kind: 'listed' })]),
  ).toMatchObject([
    { kind: 'list', in_watchlist: 1, state: 'planned', added_at: null },
    { kind: 'interaction', dismissed_at: Date.parse('2020-01-01') },
  ])
})

test('times: days are their noon, the future has none, and nobody watches at two times of one day', () => {
  expect(parseViewingTime('2021-03-29', NOW)).toEqual({ ms: Date.parse('2021-03-29T12:00:00Z'), byDay: true })
  expect(parseViewingTime('2026-11-21', Date.parse('2026-11-20T23:30:00Z')).ms).toBe(Date.parse('2026-11-21'))
  expect(parseViewingTime('2030-01-01', NOW).ms).toBe(0)
  expect(parseViewingTime(undefined, NOW).ms).toBe(0)
  const at = (text: string) => parseViewingTime(text, NOW)
  expect(isSameViewing(at('2021-03-29'), at('2021-03-30T01:00:00Z'), null)).toBe(true)
  expect(isSameViewing(at('2021-03-29'), at('2021-03-31'), null)).toBe(false)
  expect(isSameViewing(at('2021-03-29T20:00:00Z'), at('2021-03-29T21:30:00Z'), 7_200)).toBe(true)
  expect(isSameViewing(at('2021-03-29T20:00:00Z'), at('2021-03-29T21:30:00Z'), null)).toBe(false)
})
