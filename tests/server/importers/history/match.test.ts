/** Which title a row is about: by a small catalogue with every trap in it, and by real exports against a real one. */
import { describe, expect, test } from 'vitest'
import { compareTitles } from '../../../../server/importers/history/compare-titles.ts'
import { readCsvTable } from '../../../../server/importers/history/csv.ts'
import type { HistoryRow } from '../../../../server/importers/history/history-row.ts'
import { type MatchCandidate, matchTitle } from '../../../../server/importers/history/match-title.ts'
import { foldFullTitle, foldTitle, getTitleLookupKeys } from '../../../../src/lib/rules/fold-title.ts'
import {
  bytes,
  hasShared,
  MemoryCatalogue,
  opener,
  readShared,
  sharedCatalogue,
  withShared,
} from './shared-data.ts'

test('folding', () => {
  for (const [a, b] of [
    ['The Amélie', 'amelie'],
    ['Fanny & Alexander', 'Fanny and Alexander'],
    ['Rocky IV', 'rocky 4'],
    ['Lilya 4-Ever', 'LILYA 4 EVER'],
    ['Guardians of the Galaxy Volume 3', 'Guardians of the Galaxy, Vol. 3'],
    ['Ocean’s Eleven', "Ocean's 11"],
    ['The Accountant²', 'The Accountant 2'],
    ['Łódź', 'lodz'],
    ['الْكَيْت كَات', 'الكيت كات'],
    ['L’Avventura', 'avventura'],
  ] as const) {
    expect(foldTitle(a)).toBe(foldTitle(b))
  }
  expect(foldTitle('V for Vendetta')).toBe('v for vendetta')
  expect(foldTitle('…')).toBe('…')
  expect(foldTitle('A')).toBe('a')
  expect(foldFullTitle('The Fly')).not.toBe(foldFullTitle('Fly'))
  expect(getTitleLookupKeys('Birdman or (The Unexpected Virtue of Ignorance)')).toContain('birdman')
})

const film = (
  id: number,
  titles: string[],
  year: number,
  more: Partial<MatchCandidate> = {},
): MatchCandidate => ({
  id,
  type: 'movie',
  ids: {},
  titles,
  year,
  ...more,
})
const CATALOGUE = new MemoryCatalogue([
  film(1, ['The Hunt', 'Jagten'], 2012, {
    ids: { imdb: 'tt2106476', tmdb: 103663 },
    votes: 7000,
    runtimeMinutes: 115,
  }),
  film(2, ['The Hunt'], 2020, { ids: { imdb: 'tt8244784' }, votes: 2500, runtimeMinutes: 90 }),
  film(3, ['Avatar'], 2009, { votes: 30_000 }),
  film(4, ['Psycho'], 1960, { votes: 9000 }),
  film(5, ['Psycho'], 1998, { votes: 400 }),
  film(6, ['Home'], 2009),
  film(7, ['Solo'], 2018, { ids: { tmdb: 348350 } }),
  { id: 8, type: 'tv', ids: { tmdb: 103663 }, titles: ['Avatar'], year: 2005 },
  {
    id: 9,
    type: 'tv',
    ids: { tvdb: 334824 },
    titles: ['Dark'],
    year: 2017,
    episodes: [{ season_number: 1, episode_number: 1, titles: ['Secrets', 'Geheimnisse'] }],
  },
  { id: 10, type: 'tv', ids: {}, titles: ['Skylines'], year: 2019 },
])
const ask = (row: Partial<HistoryRow>) =>
  matchTitle({ source: 'netflix', line: 1, kind: 'watched', ids: {}, title: '', ...row }, CATALOGUE)

const ROWS: [string, Partial<HistoryRow>, string, number | null][] = [
  [
    'an id is final, whatever the title says',
    { title: 'Psycho', year: 1960, ids: { imdb: 'tt2106476' } },
    'imdb',
    1,
  ],
  ['TMDB numbers films and series apart', { title: 'x', type: 'tv', ids: { tmdb: 103663 } }, 'tmdb', 8],
  ['without a type such a number says nothing', { title: 'x', ids: { tmdb: 103663 } }, 'no_title', null],
  [
    'another IMDb id is another title',
    { title: 'The Hunt', year: 2012, ids: { imdb: 'tt1' } },
    'no_title',
    null,
  ],
  ['ids that disagree', { type: 'movie', ids: { imdb: 'tt1', tmdb: 103663 } }, 'ids_disagree', null],
  ['title and year', { title: 'the hunt', year: 2020 }, 'title_and_year', 2],
  ['in any language', { title: 'JAGTEN', year: 2012 }, 'title_and_year', 1],
  ['a year beside', { title: 'The Hunt', year: 2013 }, 'title_and_near_year', 1],
  ['two years beside are another film', { title: 'The Hunt', year: 2015 }, 'other_year', null],
  ['namesakes without a year', { title: 'The Hunt' }, 'several', null],
  ['a film cannot be watched before it is made', { title: 'The Hunt', at: '2014-05-05' }, 'title_alone', 1],
  ['nor longer than it is', { title: 'The Hunt', progress: 6800 }, 'title_alone', 1],
  ['it ended where that one ends', { title: 'The Hunt', progress: 5350 }, 'title_and_runtime', 2],
  ['the famous one', { title: 'Psycho' }, 'title_of_fame', 4],
  ['no title like it', { title: 'Nothing' }, 'no_title', null],
  ['a film, for what stands alone', { title: 'Avatar' }, 'title_alone', 3],
  ['a series alone is not sure', { title: 'Skylines' }, 'perhaps_a_series', null],
  [
    'a film is not matched as a series',
    { title: 'Home', type: 'tv', seasonName: 'Season 1' },
    'no_title',
    null,
  ],
  [
    'a sequel is no episode of a series',
    {
      title: 'Avatar: The Way of Water',
      readings: [{ title: 'Avatar', type: 'tv', episodeTitle: 'The Way of Water', siblings: 2 }],
    },
    'perhaps_a_series',
    null,
  ],
  [
    'a beginning that recurs is a series',
    { title: 'Skylines: A', readings: [{ title: 'Skylines', type: 'tv', episodeTitle: 'A', siblings: 2 }] },
    'title_alone',
    10,
  ],
  [
    'an episode by its title, in any language',
    { title: 'Dark: Geheimnisse', readings: [{ title: 'Dark', type: 'tv', episodeTitle: 'Geheimnisse' }] },
    'title_and_episode',
    9,
  ],
]
for (const [name, row, why, id] of ROWS) {
  test(name, async () => {
    const match = await ask(row)
    expect([match.reason, match.title?.id ?? null]).toEqual([why, id])
    expect(match.outcome === 'matched').toBe(id !== null)
  })
}

test('a match tells which reading holds', async () => {
  const reading = { title: 'Skylines', type: 'tv', episode: 4, episodeTitle: 'Folge 4' } as const
  expect((await ask({ title: 'Skylines: Folge 4', readings: [reading] })).reading).toEqual(reading)
})

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`

describe('real data', () => {
  const catalogue = hasShared ? sharedCatalogue() : new MemoryCatalogue([])

  test(
    '400 hand-labelled pairs: F1 of at least .97',
    withShared(async () => {
      const count = { right: 0, wrong: 0, missed: 0 }
      for await (const { get } of readCsvTable(opener(bytes('catalogue/matching_imdb_tmdb_400.csv.gz'))())) {
        const list = (name: string) => get(name).split(';').filter(Boolean)
        const side = (at: string) => ({
          titles: [get(`${at}title`), ...list(`${at}alternative_titles`)],
          year: Number(get(`${at}release_year`)) || null,
          runtime: Number(get(`${at}run_time`)) || null,
          directors: list(`${at}directors`),
          cast: list(`${at}cast`),
        })
        const { isSame: same } = compareTitles(side('l_'), side('r_'))
        const labelled = get('label') === '1'
        if (same) count[labelled ? 'right' : 'wrong'] += 1
        else if (labelled) count.missed += 1
      }
      const f1 = (2 * count.right) / (2 * count.right + count.wrong + count.missed)
      console.info(`pairs: F1 ${f1.toFixed(4)}`, count)
      expect(f1).toBeGreaterThanOrEqual(0.97)
    }),
  )

  test(
    'with their ids, every title the catalogue holds is found and none is wrong',
    withShared(async () => {
      const holds = new Map(
        catalogue.all.flatMap((one) => (one.ids.imdb ? [[one.ids.imdb, one] as const] : [])),
      )
      for (const path of [
        'trakt_a/watched-movies.json.gz',
        'trakt_a/watched-shows.json.gz',
        'imdb_a/ratings.csv.gz',
      ]) {
        const { rows } = await readShared(`exports/${path}`)
        const count = { held: 0, found: 0, wrong: 0 }
        for (const row of rows) {
          const { title } = await matchTitle(row, catalogue)
          if (holds.has(row.ids.imdb ?? '')) count.held += 1
          if (title && holds.get(row.ids.imdb ?? '') === title) count.found += 1
          if (title?.ids.imdb && title.ids.imdb !== row.ids.imdb) count.wrong += 1
        }
        console.info(`${path}: ${percent(count.found, count.held)} of held`, count)
        expect(count.wrong).toBe(0)
        expect(count.found / count.held).toBeGreaterThanOrEqual(0.99)
      }
    }),
  )

  test(
    'without their ids, by title and year: at least 95 % found, at most one in a thousand wrong',
    withShared(async () => {
      const holds = new Set(catalogue.all.map((one) => one.ids.imdb))
      for (const path of [
        'trakt_a/watched-movies.json.gz',
        'trakt_a/watched-shows.json.gz',
        'imdb_a/ratings.csv.gz',
      ]) {
        const { rows } = await readShared(`exports/${path}`)
        const count = { held: 0, found: 0, wrong: 0 }
        for (const { ids, ...row } of rows) {
          const { title } = await matchTitle({ ...row, ids: {} }, catalogue)
          if (holds.has(ids.imdb)) count.held += 1
          if (title && title.ids.imdb === ids.imdb) count.found += 1
          else if (title?.ids.imdb) count.wrong += 1
        }
        console.info(`${path} without ids: ${percent(count.found, count.held)} of held`, count)
        expect(count.found / count.held).toBeGreaterThanOrEqual(0.95)
        expect(count.wrong / count.found).toBeLessThanOrEqual(0.001)
      }
    }),
  )

  test(
    'Letterboxd by title and year: 95 % of what has a namesake in the catalogue',
    withShared(async () => {
      for (const path of [
        'letterboxd_a/watched.csv',
        'letterboxd_a/watchlist.csv',
        'letterboxd_b/watched.csv',
      ]) {
        const { rows } = await readShared(`exports/${path}`)
        let [named, matched] = [0, 0]
        for (const row of rows) {
          const match = await matchTitle(row, catalogue)
          if (match.candidates.length > 0) named += 1
          if (match.outcome === 'matched') matched += 1
        }
        console.info(
          `${path}: ${matched} of ${rows.length}, ${percent(matched, named)} of those with a namesake`,
        )
        expect(matched / named).toBeGreaterThanOrEqual(0.95)
      }
    }),
  )
})
