/** The demo catalogue: every line is whole and careful, and a second import changes nothing. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { seedDemoCatalogue } from '../../../server/first-run.ts'
import { DEMO_CATALOGUE_FOLDER } from '../../../server/importers/demo-importer.ts'
import { readDemoRecords } from '../../../server/importers/demo-records.ts'
import { titleRecordSchema } from '../../../server/queries/title-record.ts'
import { MOVIE_GENRES, TV_GENRES } from '../../../src/lib/rules/genres.ts'
import {
  MOVIE_RATINGS,
  NETWORKS,
  SEVERITIES,
  TV_RATINGS,
  TV_STATUSES,
} from '../../../src/lib/rules/limits.ts'
import { startServer } from '../../support/server.ts'
import { type DemoPersonLine, type DemoTitleLine, demoLines } from './demo-lines.ts'

const movies = demoLines<DemoTitleLine>('movies')
const series = demoLines<DemoTitleLine>('series')
const people = demoLines<DemoPersonLine>('people')
const titles = [...movies, ...series]
const today = new Date().toISOString().slice(0, 10)
const credits = (title: DemoTitleLine) => [...title.cast, ...title.crew].map(([name]) => name)
/** The titles (or people) of which it is not true, by name: an empty list is what every test wants. */
const failing = <T extends { title?: string; name?: string }>(all: T[], holds: (one: T) => boolean) =>
  all.filter((one) => !holds(one)).map((one) => one.title ?? one.name)

test('holds at least 400 movies, 120 series and 1,500 people, and 25 titles for children of each kind', () => {
  expect(movies.length).toBeGreaterThanOrEqual(400)
  expect(series.length).toBeGreaterThanOrEqual(120)
  expect(new Set(titles.flatMap(credits)).size).toBeGreaterThanOrEqual(1_500)
  expect(movies.filter((one) => one.kids).length).toBeGreaterThanOrEqual(25)
  expect(series.filter((one) => one.kids).length).toBeGreaterThanOrEqual(25)
})

test('no id is used twice', () => {
  expect(failing(titles, (one) => titles.filter((two) => two.imdb_id === one.imdb_id).length === 1)).toEqual(
    [],
  )
  expect(failing(people, (one) => people.filter((two) => two.name === one.name).length === 1)).toEqual([])
})

test('genres, age ratings, networks and states are those of the specification', () => {
  const within = (all: readonly unknown[], some: unknown[]) => some.every((one) => all.includes(one))
  expect(failing(movies, (one) => one.genres.length > 0 && within(MOVIE_GENRES, one.genres))).toEqual([])
  expect(failing(series, (one) => one.genres.length > 0 && within(TV_GENRES, one.genres))).toEqual([])
  expect(failing(movies, (one) => !one.rated || within(MOVIE_RATINGS, [one.rated]))).toEqual([])
  expect(failing(series, (one) => !one.rated || within(TV_RATINGS, [one.rated]))).toEqual([])
  expect(failing(series, (one) => within(NETWORKS, one.networks ?? []))).toEqual([])
  expect(failing(series, (one) => within(TV_STATUSES, [one.status]))).toEqual([])
})

test('every title is named in English, French, Arabic and its own language, and described in the three', () => {
  const arabic = /[\p{Script=Arabic}\d]/u
  const own = ({ language, titles }: DemoTitleLine) => language === 'en' || Boolean(titles[language])
  expect(failing(titles, (one) => Boolean(one.title && one.titles['fr'] && own(one)))).toEqual([])
  expect(failing(titles, (one) => arabic.test(one.titles['ar'] ?? ''))).toEqual([])
  expect(failing(titles, ({ overview }) => ['en', 'fr', 'ar'].every((lang) => overview[lang]))).toEqual([])
  expect(failing(titles, ({ overview }) => /\p{Script=Arabic}/u.test(overview['ar'] ?? ''))).toEqual([])
})

test('the parental guide has the five categories, and nothing strong is marked as safe for children', () => {
  const categories = ['alcohol', 'frightening', 'profanity', 'sex', 'violence']
  expect(
    failing(titles, ({ guide }) => Object.keys(guide).sort().join() === categories.join()),
    'categories',
  ).toEqual([])
  expect(
    failing(titles, ({ guide }) => Object.values(guide).every((one) => SEVERITIES.includes(one))),
  ).toEqual([])
  const kids = titles.filter((one) => one.kids)
  expect(failing(kids, ({ rated }) => rated !== undefined && ['All', '7+', '8+'].includes(rated))).toEqual([])
  expect(
    failing(kids, ({ guide: { violence, ...others } }) => {
      return violence !== 'Severe' && Object.values(others).every((one) => one === 'None' || one === 'Mild')
    }),
  ).toEqual([])
})

test('nothing lies in the future, and nobody worked before being born', () => {
  const dates = (one: DemoTitleLine) => [
    one.release_date ?? '',
    ...(one.seasons ?? []).flatMap((season) => [season.date ?? '', ...(season.dates ?? [])]),
  ]
  const year = (one: DemoTitleLine) =>
    Number(
      (one.release_date ?? one.year ?? one.seasons?.[0]?.date ?? one.seasons?.[0]?.year)
        ?.toString()
        .slice(0, 4),
    )
  const born = new Map(people.flatMap(({ name, birthday }) => (birthday ? [[name, birthday]] : [])))
  expect(failing(titles, (one) => dates(one).every((date) => date <= today))).toEqual([])
  expect(failing(titles, (one) => year(one) >= 1890 && year(one) <= Number(today.slice(0, 4)))).toEqual([])
  expect(failing(people, ({ birthday = '', deathday = '9999' }) => birthday < deathday)).toEqual([])
  expect(
    failing(people, ({ birthday, deathday }) => [birthday, deathday].every((one) => !one || one <= today)),
  ).toEqual([])
  expect(
    failing(titles, (one) =>
      credits(one).every((name) => Number(born.get(name)?.slice(0, 4) ?? 0) < year(one)),
    ),
  ).toEqual([])
})

test('people are described only where they appear, and most of them have a birthday', () => {
  const named = new Set(titles.flatMap(credits))
  expect(failing(people, (one) => named.has(one.name))).toEqual([])
  expect(people.filter((one) => one.birthday).length).toBeGreaterThan(1_000)
  expect(people.filter((one) => one.bio).length).toBeGreaterThanOrEqual(300)
  expect(people.filter((one) => one.names?.['ar']).length).toBeGreaterThanOrEqual(300)
  expect(failing(people, ({ names }) => !names?.['ar'] || /\p{Script=Arabic}/u.test(names['ar']))).toEqual([])
})

test('every line becomes a record that the pipeline takes', async () => {
  const wrong: string[] = []
  for await (const read of readDemoRecords(DEMO_CATALOGUE_FOLDER)) {
    if ('skip' in read) wrong.push(`${read.at} ${read.skip}`)
    else if (!titleRecordSchema.safeParse(read.record).success) wrong.push(read.at)
  }
  expect(wrong).toEqual([])
  expect(
    globSync(`${DEMO_CATALOGUE_FOLDER}/*/*.jsonl`).filter((file) => readFileSync(file).includes('\r')),
  ).toEqual([])
})

test('people keep their facts and their names in other scripts, and a second import changes nothing', {
  timeout: 60_000,
}, async () => {
  const server = await startServer({ database: openSqliteDatabase(':memory:') })
  const first = await seedDemoCatalogue(server.deps)
  expect(first).toMatchObject({ added: titles.length, changed: 0, skipped: 0 })
  const db = server.database.primary
  const person = await db
    .selectFrom('person')
    .selectAll()
    .where('name', '=', 'Omar Sharif')
    .executeTakeFirstOrThrow()
  expect(person).toMatchObject({
    birthday: '1932-04-10',
    deathday: '2015-07-10',
    place_of_birth: 'Alexandria, Egypt',
  })
  expect(person.biography).toContain('Youssef Chahine')
  const names = db.selectFrom('person_name').select('text').where('person_id', '=', person.person_id)
  expect((await names.execute()).map((row) => row.text)).toContain('عمر الشريف')
  const state = async () =>
    Promise.all(
      (['title', 'person', 'person_name', 'credit', 'episode', 'title_name'] as const).map((table) =>
        db.selectFrom(table).selectAll().execute(),
      ),
    )
  const before = await state()
  expect(await seedDemoCatalogue(server.deps)).toMatchObject({
    added: 0,
    changed: 0,
    same: titles.length,
    skipped: 0,
  })
  expect(await state()).toEqual(before)
  await server.close()
})
