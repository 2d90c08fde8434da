/** Merging the rows of a file into the history of one title, without a database. */
import { expect, test } from 'vitest'
import type { HistoryRow } from '../../../server/importers/history/history-row.ts'
import type { TrackingRow } from '../../../server/queries/tracking-row.ts'
import type { CatalogueTitle } from '../../../server/services/history-import/catalogue-candidates.ts'
import { mergeTitle } from '../../../server/services/history-import/merge-title.ts'
import { findSeasonEpisode } from '../../../server/services/history-import/season-episode.ts'
import { TrackingChangeSet } from '../../../server/services/history-import/tracking-change-set.ts'
import {
  isSameViewing,
  parseViewingTimestamp,
} from '../../../server/services/history-import/viewing-timestamp.ts'

const NOW_MS = Date.parse('2026-11-20T15:00:00Z')
const movie: CatalogueTitle = {
  id: 1,
  type: 'movie',
  ids: {},
  titles: ['Heat'],
  year: 1995,
  runtimeSeconds: 10_200,
  episodes: [],
}
const series: CatalogueTitle = {
  id: 2,
  type: 'tv',
  ids: {},
  titles: ['Dark'],
  year: 2017,
  runtimeSeconds: 3_000,
  episodes: [1, 2, 3].map((episodeNumber) => ({
    season_number: 1,
    episode_number: episodeNumber,
    titles: [`Name ${episodeNumber}`],
    runtimeSeconds: episodeNumber === 2 ? 2_400 : null,
    air_date: null,
  })),
}
const createRow = (overrides: Partial<HistoryRow>): HistoryRow => ({
  source: 'netflix',
  line: 1,
  kind: 'watched',
  ids: {},
  title: 'x',
  ...overrides,
})
/** Merges the rows twice, checks that the second merge changes nothing, and returns the changes. */
function mergeTwice(
  title: CatalogueTitle,
  rows: HistoryRow[],
  changeSet = new TrackingChangeSet(),
  nowMs = NOW_MS,
) {
  const mergeRows = () => {
    const rowsWithEpisodes = rows.map((row) => ({ row, ...findSeasonEpisode(title, row) }))
    mergeTitle({ title, rows: rowsWithEpisodes, changeSet, nowMs, importedAtMs: nowMs })
    return JSON.stringify(changeSet.listChanges())
  }
  const firstChanges = mergeRows()
  expect(mergeRows()).toBe(firstChanges)
  return changeSet.listChanges().map(({ kind, after }) => ({ kind, ...after }))
}

test('the last viewing sets the position, and every finished viewing is counted', () => {
  const changes = mergeTwice(movie, [
    createRow({ at: '2021-03-01', progress: 3_000 }),
    createRow({ at: '2021-02-01' }),
    createRow({ at: '2020-01-01' }),
  ])
  expect(changes.filter((change) => change.kind === 'play')).toHaveLength(2)
  expect(changes.find((change) => change.kind === 'progress')).toMatchObject({
    progress: 3_000,
    finished: 0,
    plays: 2,
  })
})

test('a percentage becomes a position only when the duration is known', () => {
  const createPausedRows = (percent: number) => [createRow({ source: 'trakt', at: '2021-03-01', percent })]
  expect(mergeTwice(movie, createPausedRows(50))).toMatchObject([
    { kind: 'progress', progress: 5_100, finished: 0, plays: 0 },
  ])
  expect(mergeTwice(movie, createPausedRows(95)).find((change) => change.kind === 'progress')).toMatchObject({
    finished: 1,
  })
  expect(mergeTwice({ ...movie, runtimeSeconds: null }, createPausedRows(50))).toEqual([])
})

test('a row with an absolute episode number and no season matches the episode at this position of the series, counted without the specials', () => {
  const seasons = {
    ...series,
    episodes: [0, 1, 1, 2, 2]
      .map((season_number, index) => ({
        ...series.episodes[0]!,
        season_number,
        episode_number: [1, 1, 2, 1, 2][index]!,
      }))
      .reverse(),
  }
  const find = (episode: number, fields = {}) =>
    findSeasonEpisode(seasons, { title: 'x', type: 'tv', episode, isCounted: true, ...fields })
  expect([1, 2, 3, 4].map((episode) => find(episode))).toEqual([
    { season: 1, episode: 1 },
    { season: 1, episode: 2 },
    { season: 2, episode: 1 },
    { season: 2, episode: 2 },
  ])
  expect(find(5)).toEqual({ season: -1, episode: -1 })
  expect(find(2, { season: 2 })).toEqual({ season: 2, episode: 2 })
  expect(find(3, { isCounted: undefined })).toEqual({ season: -1, episode: -1 })
})

test('an episode is found by its number, by its title, or by the order of the rows when the file contains all episodes of the season', () => {
  expect(findSeasonEpisode(series, { title: 'x', type: 'tv', season: 2, episode: 9 })).toEqual({
    season: 2,
    episode: 9,
  })
  expect(findSeasonEpisode(series, { title: 'x', type: 'tv', episodeTitle: 'NAME 2' })).toEqual({
    season: 1,
    episode: 2,
  })
  expect(findSeasonEpisode(series, { title: 'x', type: 'tv', episode: 2 })).toEqual({ season: 1, episode: 2 })
  expect(findSeasonEpisode(series, { title: 'x', type: 'tv' })).toEqual({ season: -1, episode: -1 })
  const createEpisodeRow = (lineNumber: number, watchedAt: string, episodeTitle: string) =>
    createRow({ type: 'tv', season: 1, line: lineNumber, at: watchedAt, episodeTitle })
  const twoEpisodeRows = [
    createEpisodeRow(3, '2021-01-01', 'Eins'),
    createEpisodeRow(2, '2021-01-01', 'Zwei'),
  ]
  expect(
    mergeTwice(series, twoEpisodeRows).map((change) => [change.kind, (change as { name?: string }).name]),
  ).toEqual([
    ['play', 'Eins'],
    ['play', 'Zwei'],
  ])
  const wholeSeasonChanges = mergeTwice(series, [
    createEpisodeRow(1, '2021-01-02', 'Drei'),
    ...twoEpisodeRows,
  ])
  const progressRows = wholeSeasonChanges
    .filter((change) => change.kind === 'progress')
    .map((change) => Object.values(change).slice(1, 6))
  expect(progressRows.sort()).toEqual([
    [2, 1, 1, 1, 3_000],
    [2, 1, 2, 1, 2_400],
    [2, 1, 3, 1, 3_000],
  ])
  const changeSet = new TrackingChangeSet()
  mergeTwice(series, twoEpisodeRows, changeSet)
  const laterChanges = mergeTwice(
    series,
    [createEpisodeRow(1, '2021-01-02', 'Drei'), ...twoEpisodeRows],
    changeSet,
  )
  expect(
    laterChanges.filter((change) => change.kind === 'play' && (change as { name?: string }).name),
  ).toEqual([])
})

test('in any order of the rows, the newest rating is stored together with the like or dislike that is derived from this rating', () => {
  const ratingRows = [
    createRow({ kind: 'rated', rating: 9, at: '2020-01-01' }),
    createRow({ kind: 'rated', rating: 8, at: '2022-01-01' }),
    createRow({ kind: 'rated', rating: 2, at: '2021-01-01' }),
  ]
  for (const orderedRows of [ratingRows, ratingRows.toReversed()]) {
    expect(mergeTwice(movie, orderedRows)).toMatchObject([
      { kind: 'rating', rating: 8, updated_at: Date.parse('2022-01-01T12:00:00Z') },
      { kind: 'feedback', feedback: 'liked' },
    ])
  }
  const neutralRatingRow = createRow({ kind: 'rated', rating: 5, at: '2023-01-01' })
  expect(mergeTwice(movie, [...ratingRows, neutralRatingRow])).toMatchObject([{ kind: 'rating', rating: 5 }])
  expect(mergeTwice(series, [createRow({ kind: 'rated', season: 1, rating: 9 })])).toEqual([])
})

test('a rating replaces only a like that was derived from a rating, and a rating from a Marquee export sets no like or dislike', () => {
  const createChangeSet = () => {
    const changeSet = new TrackingChangeSet()
    changeSet.addStoredRow('feedback', { title_id: 1, feedback: 'liked', updated_at: 5 })
    return changeSet
  }
  const lowRatingRow = createRow({ kind: 'rated', rating: 2, at: '2020-01-01' })
  expect(mergeTwice(movie, [lowRatingRow], createChangeSet())).toMatchObject([{ kind: 'rating', rating: 2 }])
  expect(mergeTwice(movie, [{ ...lowRatingRow, source: 'marquee' }])).toMatchObject([{ kind: 'rating' }])
  const derivedChangeSet = createChangeSet()
  derivedChangeSet.addStoredRow('rating', { title_id: 1, rating: 9, updated_at: 5 })
  expect(mergeTwice(movie, [lowRatingRow], derivedChangeSet)).toMatchObject([
    { kind: 'feedback', feedback: 'disliked' },
    { kind: 'rating', rating: 2 },
  ])
})

test('listTrackedEpisodes returns the episodes with progress or viewings, and ignores ratings and watchlist entries', () => {
  const changeSet = new TrackingChangeSet()
  const episodeKey = { title_id: 2, season_number: 1, episode_number: 3 }
  changeSet.addStoredRow('rating', { title_id: 2, rating: 9, updated_at: 5 })
  changeSet.addStoredRow('list', { title_id: 2, in_watchlist: 1 })
  changeSet.addStoredRow('list_entry', { title_id: 2, list_id: 1, position: 1, added_at: 5 })
  changeSet.addStoredRow('play', { ...episodeKey, name: '', watched_at: 5 })
  changeSet.addStoredRow('progress', { ...episodeKey, episode_number: 2, finished: 1 })
  changeSet.addStoredRow('progress', { ...episodeKey, title_id: 3 })
  expect(changeSet.listTrackedEpisodes(2)).toEqual([
    { season_number: 1, episode_number: 3 },
    { season_number: 1, episode_number: 2 },
  ])
})

test('a row of the kind `dropped` for a season or an episode does not dismiss the series', () => {
  const droppedRow = { kind: 'dropped', type: 'tv', at: '2020-01-01T00:00:00Z' } as const
  expect(mergeTwice(series, [createRow({ ...droppedRow, season: 0 })])).toEqual([])
  expect(mergeTwice(series, [createRow({ ...droppedRow, season: 1, episode: 2 })])).toEqual([])
})

test('a row of the kind `dropped` dismisses its title, and a row of the kind `listed` adds the title to the watchlist as planned', () => {
  expect(
    mergeTwice(series, [
      createRow({ kind: 'dropped', at: '2020-01-01T00:00:00Z' }),
      createRow({ kind: 'listed' }),
    ]),
  ).toMatchObject([
    { kind: 'list', in_watchlist: 1, state: 'planned', added_at: null },
    { kind: 'interaction', dismissed_at: Date.parse('2020-01-01') },
  ])
})

test('a date means noon UTC of its day; times more than a day in the future or before 1970 are ignored; overlapping viewings count as one', () => {
  expect(parseViewingTimestamp('2021-03-29', NOW_MS)).toEqual({
    ms: Date.parse('2021-03-29T12:00:00Z'),
    isDateOnly: true,
  })
  for (const nowText of ['2026-11-20T00:30:00Z', '2026-11-20T23:30:00Z', '2026-11-21T06:00:00Z'])
    expect(parseViewingTimestamp('2026-11-21', Date.parse(nowText)).ms).toBe(
      Date.parse('2026-11-21T12:00:00Z'),
    )
  expect(parseViewingTimestamp('2030-01-01', NOW_MS).ms).toBe(0)
  expect(parseViewingTimestamp(undefined, NOW_MS).ms).toBe(0)
  expect(parseViewingTimestamp('1970-01-01', NOW_MS).ms).toBe(43_200_000)
  for (const timeBeforeEpoch of ['1969-12-31', '1942-11-26T20:00:00Z'])
    expect(parseViewingTimestamp(timeBeforeEpoch, NOW_MS)).toEqual({ ms: 0, isDateOnly: false })
  const parseTime = (timeText: string) => parseViewingTimestamp(timeText, NOW_MS)
  expect(isSameViewing(parseTime('2021-03-29'), parseTime('2021-03-30T01:00:00Z'), null)).toBe(true)
  expect(isSameViewing(parseTime('2021-03-29'), parseTime('2021-03-31'), null)).toBe(false)
  expect(isSameViewing(parseTime('2021-03-29T20:00:00Z'), parseTime('2021-03-29T21:30:00Z'), 7_200)).toBe(
    true,
  )
  expect(isSameViewing(parseTime('2021-03-29T20:00:00Z'), parseTime('2021-03-29T21:30:00Z'), null)).toBe(
    false,
  )
})

test('when a viewing with the date of today and no time is imported twice, the viewing is added once, and the progress keeps the time of the first import', () => {
  const changeSet = new TrackingChangeSet()
  const morningMs = Date.parse('2026-11-20T05:00:00Z')
  const exportRows = [
    createRow({ source: 'marquee', kind: 'played', at: '2026-11-20' }),
    createRow({ at: '2026-11-20' }),
  ]
  const viewing = { kind: 'play', watched_at: Date.parse('2026-11-20T12:00:00Z'), by_day: 1 }
  for (const nowMs of [morningMs, NOW_MS])
    expect(mergeTwice(movie, exportRows, changeSet, nowMs)).toMatchObject([
      viewing,
      { kind: 'progress', finished: 1, plays: 1, updated_at: morningMs },
    ])
})

/** Adds a stored viewing of the movie to a new change set. */
function createChangeSetWithViewing(fields: Partial<TrackingRow>) {
  const changeSet = new TrackingChangeSet()
  const viewingKey = { title_id: 1, season_number: 0, episode_number: 0, name: '' }
  changeSet.addStoredRow('play', {
    ...viewingKey,
    watched_at: 0,
    by_day: 0,
    marked: 0,
    note: null,
    ...fields,
  })
  return changeSet
}
/** Returns the day and hour of each viewing of the movie (`2019-01-01T12`), sorted; null for an unknown time. */
const listViewingHours = (changeSet: TrackingChangeSet) =>
  changeSet
    .getViewings({ title_id: 1, season_number: 0, episode_number: 0 })
    .map((viewing) => Number(viewing['watched_at']))
    .sort((a, b) => a - b)
    .map((timeMs) => (timeMs === 0 ? null : new Date(timeMs).toISOString().slice(0, 13)))

test('a stored viewing without a time matches one viewing of a file, and gets the time of that viewing unless the stored viewing was marked by hand', () => {
  const rows = ['2019-01-01', '2020-05-01', '2021-06-01'].map((day) => createRow({ at: day }))
  const storedProgress = { title_id: 1, season_number: 0, episode_number: 0, progress: 0, duration: 0 }
  for (const [marked, expectedHours] of [
    [0, ['2019-01-01T12', '2020-05-01T12', '2021-06-01T12']],
    [1, [null, '2020-05-01T12', '2021-06-01T12']],
  ] as const) {
    const changeSet = createChangeSetWithViewing({ marked, note: 'Mine.' })
    changeSet.addStoredRow('progress', { ...storedProgress, finished: 1, plays: 1, updated_at: 0 })
    mergeTwice(movie, rows, changeSet)
    expect(listViewingHours(changeSet)).toEqual(expectedHours)
    expect(changeSet.get('progress', storedProgress)).toMatchObject({
      plays: 3,
      updated_at: Date.parse('2021-06-01T12:00:00Z'),
    })
    const viewings = changeSet.getViewings(storedProgress)
    expect(viewings.map((viewing) => viewing['note']).filter(Boolean)).toEqual(['Mine.'])
  }
})

test('a row without a date adds a viewing only if other rows of the file match all stored viewings', () => {
  const changeSet = new TrackingChangeSet()
  mergeTwice(movie, [createRow({ at: '2019-01-01' }), createRow({ at: '2020-05-01' })], changeSet)
  mergeTwice(movie, [createRow({ source: 'tvtime' })], changeSet)
  expect(listViewingHours(changeSet)).toEqual(['2019-01-01T12', '2020-05-01T12'])
  const traktRows = ['2019-01-01T20:00:00Z', '2020-05-01T20:00:00Z', undefined].map((watchedAt) =>
    createRow({ source: 'trakt', ...(watchedAt && { at: watchedAt }) }),
  )
  mergeTwice(movie, traktRows, changeSet)
  expect(listViewingHours(changeSet)).toEqual([null, '2019-01-01T12', '2020-05-01T12'])
})

test('a stored viewing matches only the file row with the nearest date, and a row of another day is added as a viewing', () => {
  const changeSet = new TrackingChangeSet()
  const januaryRow = createRow({ at: '2026-01-31' })
  const februaryRow = createRow({ at: '2026-02-01' })
  mergeTwice(movie, [januaryRow], changeSet)
  mergeTwice(movie, [februaryRow, januaryRow], changeSet)
  expect(listViewingHours(changeSet)).toEqual(['2026-01-31T12', '2026-02-01T12'])
  const changeSetWithDiaryViewing = createChangeSetWithViewing({
    watched_at: Date.parse('2026-01-01T12:00:00Z'),
    by_day: 1,
  })
  const traktRows = ['2026-01-01T20:00:00Z', '2026-01-02T20:00:00Z'].map((watchedAt) =>
    createRow({ source: 'trakt', at: watchedAt }),
  )
  mergeTwice(movie, traktRows, changeSetWithDiaryViewing)
  expect(listViewingHours(changeSetWithDiaryViewing)).toEqual(['2026-01-01T12', '2026-01-02T20'])
  const changeSetWithEveningViewing = createChangeSetWithViewing({
    watched_at: Date.parse('2026-01-31T20:00:00Z'),
  })
  const dayRows = ['2026-01-30', '2026-01-31'].map((day) => createRow({ at: day }))
  mergeTwice(movie, dayRows, changeSetWithEveningViewing)
  expect(listViewingHours(changeSetWithEveningViewing)).toEqual(['2026-01-30T12', '2026-01-31T20'])
})

test('an imported viewing is not added if its time differs from the time of a stored viewing by less than the runtime of the title', () => {
  const changeSet = createChangeSetWithViewing({ watched_at: Date.parse('2026-01-31T20:00:00Z') })
  const rows = ['2026-01-31T20:10:00Z', '2026-01-31T21:00:00Z', '2026-02-01T01:00:00Z'].map((watchedAt) =>
    createRow({ source: 'trakt', at: watchedAt }),
  )
  mergeTwice(movie, rows, changeSet)
  expect(listViewingHours(changeSet)).toEqual(['2026-01-31T20', '2026-02-01T01'])
})

test('a stored viewing without an episode number gets the number when the catalogue contains the episode name at a later import, stays marked by hand and keeps its note', () => {
  const createSeriesWithEpisodeNames = (names: string[]): CatalogueTitle => ({
    ...series,
    episodes: series.episodes.map((episode, index) => ({
      ...episode,
      season_number: index === 0 ? 1 : 2,
      titles: names[index] ? [names[index]] : [],
    })),
  })
  for (const season of [2, undefined]) {
    const changeSet = new TrackingChangeSet()
    const row = createRow({
      type: 'tv',
      ...(season && { season }),
      episodeTitle: 'Zweite',
      at: '2021-03-02',
    })
    const [unnumberedViewing] = mergeTwice(createSeriesWithEpisodeNames([]), [row], changeSet)
    expect(unnumberedViewing).toMatchObject({
      season_number: season ?? -1,
      episode_number: -1,
      name: 'Zweite',
    })
    const { kind: _kind, ...storedViewing } = unnumberedViewing as unknown as TrackingRow
    const createStoredChangeSet = () => {
      const storedChangeSet = new TrackingChangeSet()
      storedChangeSet.set('play', { ...storedViewing, marked: 1, note: 'Good.' })
      return storedChangeSet
    }
    const namedSeries = createSeriesWithEpisodeNames(['', 'Zweite'])
    const changes = mergeTwice(namedSeries, [row], createStoredChangeSet())
    const exportRow: HistoryRow = { ...row, source: 'marquee', kind: 'played' }
    for (const seriesChanges of [changes, mergeTwice(namedSeries, [exportRow], createStoredChangeSet())])
      expect(seriesChanges.filter(({ kind }) => kind === 'play')).toMatchObject([
        { season_number: 2, episode_number: 2, name: '', marked: 1, note: 'Good.' },
      ])
    expect(changes.find(({ kind }) => kind === 'progress')).toMatchObject({ finished: 1, plays: 1 })
  }
})

test('of several imported viewings with the same episode name and day, only one matches a stored date-only viewing, and the others are added', () => {
  const changeSet = new TrackingChangeSet()
  const createEpisodeRow = (episodeTitle: string, watchedAt: string) =>
    createRow({ type: 'tv', season: 1, episodeTitle, at: watchedAt })
  mergeTwice(series, [createEpisodeRow('Eins', '2026-01-01')], changeSet)
  const rows = ['Eins 2026-01-01T18:00:00Z', 'Eins 2026-01-01T21:00:00Z', 'Zwei 2026-01-01T21:00:00Z'].map(
    (text) => createEpisodeRow(text.slice(0, 4), text.slice(5)),
  )
  mergeTwice(series, rows, changeSet)
  const viewings = changeSet.getViewings({ title_id: 2, season_number: 1, episode_number: -1 })
  expect(viewings.map((viewing) => [viewing['name'], viewing['by_day']])).toEqual([
    ['Eins', 1],
    ['Eins', 0],
    ['Zwei', 0],
  ])
})

test('importing a date-only viewing changes nothing if the same viewing is stored with midnight as its time', () => {
  const midnightMs = Date.parse('2021-01-01')
  const viewingKey = { title_id: 2, season_number: 1, watched_at: midnightMs }
  const changeSet = new TrackingChangeSet()
  for (const episodeKey of [
    { episode_number: 1, name: '' },
    { episode_number: -1, name: 'Eins' },
  ])
    changeSet.addStoredRow('play', { ...viewingKey, ...episodeKey, by_day: 1, marked: 1, note: 'Mine.' })
  const exportRow = { source: 'marquee', kind: 'played', type: 'tv', season: 1, at: '2021-01-01' } as const
  const exportRows = [
    createRow({ ...exportRow, episode: 1 }),
    createRow({ ...exportRow, episodeTitle: 'Eins' }),
  ]
  expect(mergeTwice(series, exportRows, changeSet)).toEqual([])
})

test('a review becomes the note of the viewing on the same day, unless the viewing has a note', () => {
  const diaryRow = createRow({ source: 'letterboxd', at: '2021-03-01' })
  const reviewRow = createRow({
    source: 'letterboxd',
    at: '2021-03-01',
    line: 2,
    note: 'Long, and too short.',
  })
  const mergeAndListNotes = (rows: HistoryRow[], changeSet = new TrackingChangeSet()) => {
    mergeTwice(movie, rows, changeSet)
    const changes = changeSet.listChanges().filter(({ kind }) => kind === 'play')
    return changes.map(({ after }) => [after?.['watched_at'], after?.['note']])
  }
  const noonMs = Date.parse('2021-03-01T12:00:00Z')
  expect(mergeAndListNotes([diaryRow, reviewRow])).toEqual([[noonMs, 'Long, and too short.']])
  const watched_at = Date.parse('2021-03-01T20:30:00Z')
  expect(mergeAndListNotes([reviewRow], createChangeSetWithViewing({ watched_at }))).toEqual([
    [watched_at, 'Long, and too short.'],
  ])
  expect(mergeAndListNotes([reviewRow], createChangeSetWithViewing({ watched_at, note: 'Mine.' }))).toEqual(
    [],
  )
})

test('a viewing without an episode number stays marked by hand and keeps its note when an older export is imported again', () => {
  const storedViewing = {
    title_id: 2,
    season_number: 1,
    episode_number: -1,
    name: 'Eins',
    watched_at: Date.parse('2021-01-01T12:00:00Z'),
    by_day: 1,
    marked: 1,
    note: 'A start.',
  }
  const changeSet = new TrackingChangeSet()
  changeSet.addStoredRow('play', storedViewing)
  const createExportRow = (overrides: Partial<HistoryRow>) =>
    createRow({
      source: 'marquee',
      kind: 'played',
      type: 'tv',
      season: 1,
      episodeTitle: 'Eins',
      at: '2021-01-01',
      ...overrides,
    })
  expect(mergeTwice(series, [createExportRow({})], changeSet)).toEqual([])
  expect(mergeTwice(series, [createExportRow({ note: 'An old note.' })], changeSet)).toEqual([])
  expect(
    mergeTwice(series, [createExportRow({ episodeTitle: 'Zwei', note: 'Longer.' })], changeSet),
  ).toMatchObject([{ kind: 'play', name: 'Zwei', marked: 0, note: 'Longer.' }])
})

test('a viewing without an episode number keeps its note when a later import finds the number of the episode', () => {
  const changeSet = new TrackingChangeSet()
  const watched_at = Date.parse('2021-03-01T12:00:00Z')
  const viewingKey = { title_id: 2, season_number: 1, episode_number: -1, name: 'Erste' }
  changeSet.addStoredRow('play', { ...viewingKey, watched_at, by_day: 1, marked: 0, note: 'A start.' })
  const episodeRows = ['Erste', 'Zweite', 'Dritte'].map((episodeTitle, index) =>
    createRow({ type: 'tv', season: 1, episodeTitle, line: 3 - index, at: `2021-03-0${index + 1}` }),
  )
  const changes = mergeTwice(series, episodeRows, changeSet)
  expect(changes).toContainEqual(
    expect.objectContaining({ kind: 'play', season_number: 1, episode_number: 1, note: 'A start.' }),
  )
})
