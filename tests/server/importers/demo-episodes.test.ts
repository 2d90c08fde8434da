/** The episodes of the demo catalogue: titles, dates and overviews in three languages, and the season files. */
import { globSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { DEMO_CATALOGUE_FOLDER } from '../../../server/importers/demo-importer.ts'
import { readDemoRecords } from '../../../server/importers/demo-records.ts'
import type { SeasonRecord, TitleRecord } from '../../../server/queries/title-record.ts'
import { type DemoTitleLine, readDemoLines } from './demo-lines.ts'

interface EpisodeFile {
  file: string
  imdb_id: string
  season: number
  episodes: { title?: string; date?: string; en: string; fr: string; ar: string }[]
}

const LANGUAGES = ['en', 'fr', 'ar'] as const
/** Series that the adult profiles of the demo household watch or have on their lists. */
const HOUSEHOLD_SERIES = ['The Last of Us', 'Chernobyl', 'Squid Game', 'Shōgun', 'Arcane']

const seriesByImdbId = new Map(readDemoLines<DemoTitleLine>('series').map((line) => [line.imdb_id, line]))
const episodeFiles: EpisodeFile[] = globSync(`${DEMO_CATALOGUE_FOLDER}/episodes/*.json`)
  .sort()
  .map((file) => ({ file, ...JSON.parse(readFileSync(file, 'utf8')) }))
const recordsByImdbId = new Map<string, TitleRecord>()

const findSeasonRecord = ({ imdb_id, season }: EpisodeFile): SeasonRecord | undefined =>
  recordsByImdbId.get(imdb_id)?.seasons.find((candidate) => candidate.season_number === season)
/** Returns the location and the text of every overview that violates a rule. Every test expects an empty list. */
const listWrongOverviews = (
  languages: readonly (typeof LANGUAGES)[number][],
  isWrong: (overview: string) => boolean,
) =>
  episodeFiles.flatMap(({ file, episodes }) =>
    episodes.flatMap((episode, index) =>
      languages
        .filter((lang) => isWrong(episode[lang] ?? ''))
        .map((lang) => `${file} ${index + 1} ${lang}: ${episode[lang]}`),
    ),
  )

beforeAll(async () => {
  for await (const readResult of readDemoRecords(DEMO_CATALOGUE_FOLDER)) {
    if ('record' in readResult && readResult.record.imdb_id)
      recordsByImdbId.set(readResult.record.imdb_id, readResult.record)
  }
})

test('the first seasons of at least 60 series, including the series of the adult demo profiles, have episode descriptions', () => {
  const firstSeasonFiles = episodeFiles.filter((episodeFile) => episodeFile.season === 1)
  expect(firstSeasonFiles.length).toBeGreaterThanOrEqual(60)
  const describedTitles = firstSeasonFiles.map(
    (episodeFile) => seriesByImdbId.get(episodeFile.imdb_id)?.title,
  )
  expect(HOUSEHOLD_SERIES.filter((title) => !describedTitles.includes(title))).toEqual([])
})

test('every episode file describes all episodes of one season, and no season is described twice', () => {
  const seasonKeys = episodeFiles.map(({ imdb_id, season }) => `${imdb_id} ${season}`)
  expect(new Set(seasonKeys).size).toBe(seasonKeys.length)
  const incompleteFiles = episodeFiles.filter(
    (episodeFile) => findSeasonRecord(episodeFile)?.episodes.length !== episodeFile.episodes.length,
  )
  expect(incompleteFiles.map(({ file }) => file)).toEqual([])
})

test('the line of a series in the demo catalogue has no episode titles or dates for a season that has an episode file', () => {
  const filesWithTwoSources = episodeFiles.filter(({ imdb_id, season }) => {
    const demoSeason = seriesByImdbId.get(imdb_id)?.seasons?.find((candidate) => candidate.n === season)
    return demoSeason?.episodes || demoSeason?.dates
  })
  expect(filesWithTwoSources.map(({ file }) => file)).toEqual([])
})

test('every episode of the demo seasons has a date, and the dates ascend from the start of the season', () => {
  const unorderedFiles = episodeFiles.filter((episodeFile) => {
    const season = findSeasonRecord(episodeFile)
    const dates = season?.episodes.map((episode) => episode.air_date ?? '') ?? []
    return (
      dates.includes('') || dates[0] !== season?.air_date || dates.toString() !== dates.toSorted().toString()
    )
  })
  expect(unorderedFiles.map(({ file }) => file)).toEqual([])
})

test('all episodes of a season have different titles, or no episode of the season has a title', () => {
  const filesWithGaps = episodeFiles.filter(({ episodes }) => {
    const titles = episodes.flatMap(({ title }) => title ?? [])
    return titles.length > 0 && new Set(titles).size !== episodes.length
  })
  expect(filesWithGaps.map(({ file }) => file)).toEqual([])
})

test('episode overviews have 60 to 220 characters in English, French and Arabic, and no overview is used twice', () => {
  expect(listWrongOverviews(LANGUAGES, (text) => text.length < 60 || text.length > 220)).toEqual([])
  expect(listWrongOverviews(LANGUAGES, (text) => text !== text.trim() || !/[.!?؟…]$/.test(text))).toEqual([])
  const countsByOverview = new Map<string, number>()
  for (const { episodes } of episodeFiles)
    for (const episode of episodes)
      for (const lang of LANGUAGES)
        countsByOverview.set(episode[lang], (countsByOverview.get(episode[lang]) ?? 0) + 1)
  expect([...countsByOverview].filter(([, count]) => count > 1)).toEqual([])
})

test('French episode overviews have no-break spaces and typographic apostrophes, and Arabic overviews have no unquoted Latin letters', () => {
  expect(
    listWrongOverviews(['fr'], (text) => /(?<![\u00a0\u202f])[:;?!»]|«(?![\u00a0\u202f])/.test(text)),
  ).toEqual([])
  expect(listWrongOverviews(['en', 'fr'], (text) => /['"]|\p{Script=Arabic}/u.test(text))).toEqual([])
  expect(listWrongOverviews(['ar'], (text) => /[A-Za-z,;?]/.test(text.replaceAll(/«[^»]*»/g, '')))).toEqual(
    [],
  )
  expect(listWrongOverviews(['ar'], (text) => !/\p{Script=Arabic}/u.test(text))).toEqual([])
})
