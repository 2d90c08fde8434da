/** The demo catalogue: its data is complete and consistent, and a second import changes nothing. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { seedDemoCatalogue } from '../../../server/first-run.ts'
import { DEMO_CATALOGUE_FOLDER } from '../../../server/importers/demo-importer.ts'
import { readPlaceNames } from '../../../server/importers/demo-people.ts'
import { readDemoRecords } from '../../../server/importers/demo-records.ts'
import { readLocalisedText } from '../../../server/queries/localised-text.ts'
import { titleRecordSchema } from '../../../server/queries/title-record.ts'
import { MOVIE_GENRE_IDS, TV_GENRE_IDS } from '../../../src/lib/rules/genres.ts'
import { TV_STATUSES } from '../../../src/lib/rules/limits.ts'
import { GUIDE_SEVERITIES } from '../../../src/lib/rules/parental-guide.ts'
import { MOVIE_AGE_RATINGS, NETWORKS, TV_AGE_RATINGS } from '../../../src/lib/rules/title-options.ts'
import { startTestServer } from '../../support/server.ts'
import { type DemoPersonLine, type DemoTitleLine, readDemoLines } from './demo-lines.ts'

const movies = readDemoLines<DemoTitleLine>('movies')
const series = readDemoLines<DemoTitleLine>('series')
const people = readDemoLines<DemoPersonLine>('people')
const titles = [...movies, ...series]
const today = new Date().toISOString().slice(0, 10)
const listCreditedNames = (title: DemoTitleLine) => [...title.cast, ...title.crew].map(([name]) => name)
/** Returns the names of the titles or people that violate a rule; every test expects an empty list. */
const listViolations = <T extends { title?: string; name?: string }>(
  items: T[],
  isValid: (item: T) => boolean,
) => items.filter((item) => !isValid(item)).map((item) => item.title ?? item.name)

test('the demo catalogue has at least 400 movies, 120 series, 1,500 people, and 25 kids titles of each type', () => {
  expect(movies.length).toBeGreaterThanOrEqual(400)
  expect(series.length).toBeGreaterThanOrEqual(120)
  expect(new Set(titles.flatMap(listCreditedNames)).size).toBeGreaterThanOrEqual(1_500)
  expect(movies.filter((title) => title.kids).length).toBeGreaterThanOrEqual(25)
  expect(series.filter((title) => title.kids).length).toBeGreaterThanOrEqual(25)
})

test('no two titles share an IMDb ID, and no two people share a name', () => {
  expect(
    listViolations(
      titles,
      (title) => titles.filter((candidate) => candidate.imdb_id === title.imdb_id).length === 1,
    ),
  ).toEqual([])
  expect(
    listViolations(
      people,
      (person) => people.filter((candidate) => candidate.name === person.name).length === 1,
    ),
  ).toEqual([])
})

test('genres, age ratings, networks and series statuses have only allowed values', () => {
  const hasOnlyAllowedValues = (allowedValues: readonly unknown[], values: unknown[]) =>
    values.every((value) => allowedValues.includes(value))
  expect(
    listViolations(
      movies,
      (title) => title.genres.length > 0 && hasOnlyAllowedValues(MOVIE_GENRE_IDS, title.genres),
    ),
  ).toEqual([])
  expect(
    listViolations(
      series,
      (title) => title.genres.length > 0 && hasOnlyAllowedValues(TV_GENRE_IDS, title.genres),
    ),
  ).toEqual([])
  expect(
    listViolations(movies, (title) => !title.rated || hasOnlyAllowedValues(MOVIE_AGE_RATINGS, [title.rated])),
  ).toEqual([])
  expect(
    listViolations(series, (title) => !title.rated || hasOnlyAllowedValues(TV_AGE_RATINGS, [title.rated])),
  ).toEqual([])
  expect(listViolations(series, (title) => hasOnlyAllowedValues(NETWORKS, title.networks ?? []))).toEqual([])
  expect(listViolations(series, (title) => hasOnlyAllowedValues(TV_STATUSES, [title.status]))).toEqual([])
})

test('every title has names in English, French, Arabic and its own language, and overviews in English, French and Arabic', () => {
  const arabicLetterPattern = /[\p{Script=Arabic}\d]/u
  const hasOriginalName = ({ language, titles }: DemoTitleLine) =>
    language === 'en' || Boolean(titles[language])
  expect(
    listViolations(titles, (title) => Boolean(title.title && title.titles['fr'] && hasOriginalName(title))),
  ).toEqual([])
  expect(listViolations(titles, (title) => arabicLetterPattern.test(title.titles['ar'] ?? ''))).toEqual([])
  expect(
    listViolations(titles, ({ overview }) => ['en', 'fr', 'ar'].every((lang) => overview[lang])),
  ).toEqual([])
  expect(listViolations(titles, ({ overview }) => /\p{Script=Arabic}/u.test(overview['ar'] ?? ''))).toEqual(
    [],
  )
})

test('every parental guide has all five categories, and kids titles have a low age rating, no severe violence and at most mild other content', () => {
  const categories = ['alcohol', 'frightening', 'profanity', 'sex', 'violence']
  expect(
    listViolations(titles, ({ guide }) => Object.keys(guide).sort().join() === categories.join()),
    'categories',
  ).toEqual([])
  expect(
    listViolations(titles, ({ guide }) =>
      Object.values(guide).every((severity) => GUIDE_SEVERITIES.includes(severity)),
    ),
  ).toEqual([])
  const kidsTitles = titles.filter((title) => title.kids)
  expect(
    listViolations(kidsTitles, ({ rated }) => rated !== undefined && ['All', '7+', '8+'].includes(rated)),
  ).toEqual([])
  expect(
    listViolations(kidsTitles, ({ guide: { violence, ...otherLevels } }) => {
      return (
        violence !== 'Severe' &&
        Object.values(otherLevels).every((severity) => severity === 'None' || severity === 'Mild')
      )
    }),
  ).toEqual([])
})

test('no date is in the future, and nobody is credited before their year of birth', () => {
  const listDates = (title: DemoTitleLine) => [
    title.release_date ?? '',
    ...(title.seasons ?? []).flatMap((season) => [season.date ?? '', ...(season.dates ?? [])]),
  ]
  const getFirstYear = (title: DemoTitleLine) =>
    Number(
      (title.release_date ?? title.year ?? title.seasons?.[0]?.date ?? title.seasons?.[0]?.year)
        ?.toString()
        .slice(0, 4),
    )
  const birthdaysByName = new Map(
    people.flatMap(({ name, birthday }) => (birthday ? [[name, birthday]] : [])),
  )
  expect(listViolations(titles, (title) => listDates(title).every((date) => date <= today))).toEqual([])
  expect(
    listViolations(
      titles,
      (title) => getFirstYear(title) >= 1890 && getFirstYear(title) <= Number(today.slice(0, 4)),
    ),
  ).toEqual([])
  expect(listViolations(people, ({ birthday = '', deathday = '9999' }) => birthday < deathday)).toEqual([])
  expect(
    listViolations(people, ({ birthday, deathday }) =>
      [birthday, deathday].every((date) => !date || date <= today),
    ),
  ).toEqual([])
  expect(
    listViolations(titles, (title) =>
      listCreditedNames(title).every(
        (name) => Number(birthdaysByName.get(name)?.slice(0, 4) ?? 0) < getFirstYear(title),
      ),
    ),
  ).toEqual([])
})

test('every person of the people files is credited in a title, and over 1,000 people have a birthday', () => {
  const creditedNames = new Set(titles.flatMap(listCreditedNames))
  expect(listViolations(people, (person) => creditedNames.has(person.name))).toEqual([])
  expect(people.filter((person) => person.birthday).length).toBeGreaterThan(1_000)
  expect(people.filter((person) => person.bio).length).toBeGreaterThanOrEqual(300)
  expect(people.filter((person) => person.names?.['ar']).length).toBeGreaterThanOrEqual(300)
  expect(
    listViolations(people, ({ names }) => !names?.['ar'] || /\p{Script=Arabic}/u.test(names['ar'])),
  ).toEqual([])
})

test('at least 90 % of the titles credit at least eight people, and nobody occurs twice in a cast', () => {
  const hasEightPeople = (title: DemoTitleLine) => new Set(listCreditedNames(title)).size >= 8
  expect(titles.filter(hasEightPeople).length).toBeGreaterThanOrEqual(titles.length * 0.9)
  expect(
    listViolations(titles, ({ cast }) => new Set(cast.map(([name]) => name)).size === cast.length),
  ).toEqual([])
})

test('every biography has a text in English, French and Arabic, and every place of birth has an Arabic name', () => {
  const placeNames = readPlaceNames(`${DEMO_CATALOGUE_FOLDER}/places.json`)
  expect(
    listViolations(people, ({ bio }) => !bio || ['en', 'fr', 'ar'].every((lang) => Boolean(bio[lang]))),
  ).toEqual([])
  expect(
    listViolations(people, ({ bio }) => !bio || /^\P{Script=Latin}+$/u.test(bio['ar'] ?? '')),
    'Latin letters in Arabic',
  ).toEqual([])
  expect(
    listViolations(
      people,
      ({ place }) => !place || place.split(', ').every((placeName) => placeNames[placeName]?.['ar']),
    ),
  ).toEqual([])
})

test('every line of the demo catalogue becomes a valid record of the import pipeline', async () => {
  const invalidLines: string[] = []
  for await (const readResult of readDemoRecords(DEMO_CATALOGUE_FOLDER)) {
    if ('skip' in readResult) invalidLines.push(`${readResult.location} ${readResult.skip}`)
    else if (!('record' in readResult) || !titleRecordSchema.safeParse(readResult.record).success)
      invalidLines.push(readResult.location)
  }
  expect(invalidLines).toEqual([])
  expect(
    globSync(`${DEMO_CATALOGUE_FOLDER}/*/*.jsonl`).filter((file) => readFileSync(file).includes('\r')),
  ).toEqual([])
})

test('the import stores biographies and names in other scripts, and a second import changes nothing', {
  timeout: 60_000,
}, async () => {
  const server = await startTestServer({ database: openSqliteDatabase(':memory:') })
  const firstReport = await seedDemoCatalogue(server.deps)
  expect(firstReport).toMatchObject({ added: titles.length, changed: 0, skipped: 0 })
  const db = server.database.primary
  const person = await db
    .selectFrom('person')
    .selectAll()
    .where('name', '=', 'Omar Sharif')
    .executeTakeFirstOrThrow()
  expect(person).toMatchObject({ birthday: '1932-04-10', deathday: '2015-07-10' })
  expect(['en', 'fr', 'ar', 'de'].map((lang) => readLocalisedText(person.place_of_birth, lang))).toEqual([
    'Alexandria, Egypt',
    'Alexandrie, Égypte',
    'الإسكندرية، مصر',
    'Alexandria, Egypt',
  ])
  expect(readLocalisedText(person.biography, 'en')).toContain('Youssef Chahine')
  expect(readLocalisedText(person.biography, 'ar')).toContain('ليوسف شاهين')
  const nameQuery = db.selectFrom('person_name').select('text').where('person_id', '=', person.person_id)
  expect((await nameQuery.execute()).map((row) => row.text)).toContain('عمر الشريف')
  const readTables = async () =>
    Promise.all(
      (['title', 'person', 'person_name', 'credit', 'episode', 'title_name'] as const).map((table) =>
        db.selectFrom(table).selectAll().execute(),
      ),
    )
  const tablesBefore = await readTables()
  expect(await seedDemoCatalogue(server.deps)).toMatchObject({
    added: 0,
    changed: 0,
    same: titles.length,
    skipped: 0,
  })
  expect(await readTables()).toEqual(tablesBefore)
  await server.close()
})
