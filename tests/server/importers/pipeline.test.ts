import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importPeople } from '../../../server/importers/import-people.ts'
import { createImportReport } from '../../../server/importers/import-report.ts'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { selectPersonNames } from '../../../server/queries/person.ts'
import { getPersonDocId } from '../../../server/queries/search-index.ts'
import { selectEpisodes } from '../../../server/queries/title-details.ts'
import { markTitlesDeleted } from '../../../server/queries/title-publishing.ts'
import type { PersonRecord, TitleReadResult, TitleRecord } from '../../../server/queries/title-record.ts'
import { computeTableHashes } from '../../support/hash-tables.ts'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'

function createReadResult(titleName: string, overrides: Partial<TitleRecord> = {}): TitleReadResult {
  const record: TitleRecord = {
    type: 'movie',
    original_title: titleName,
    names: [{ lang: 'en', text: titleName, role: 'main' }],
    genres: [18],
    rating: 7,
    rating_votes: 10,
    safe_for_kids: false,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    seasons: [],
    ...overrides,
  }
  return { location: titleName, record }
}
async function* toAsyncIterable<T>(items: T[]): AsyncGenerator<T> {
  yield* items
}
const createCast = (...people: PersonRecord[]) => people.map((person) => ({ person }))

describe.each(DATABASES)('import pipeline on %s', (_name, openTestDatabase) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => server.close())
  const runImport = (...readResults: TitleReadResult[]) =>
    importTitles(server.deps, readResults, { source: 'test' })
  const listSlugs = async () => {
    const rows = await server.database.primary
      .selectFrom('title')
      .select('slug')
      .orderBy('title_id')
      .execute()
    return rows.map((row) => row.slug)
  }

  it('imports a title once and reports each repetition when the source delivers the title several times, and the next run changes nothing', async () => {
    const readResults = [
      createReadResult('Twice', { imdb_id: 'tt0000001' }),
      createReadResult('Twice again', { imdb_id: 'tt0000001', rating: 9 }),
      createReadResult('Third', { imdb_id: 'tt0000001', tmdb_id: 5 }),
    ]
    const report = await runImport(...readResults)
    expect(report).toMatchObject({
      read: 3,
      added: 1,
      skipped: 2,
      reasons: { 'the source has already delivered this title': 2 },
    })
    const hashesBefore = await computeTableHashes(server.database)
    expect(await runImport(...readResults)).toMatchObject({ added: 0, changed: 0, same: 1 })
    expect(await computeTableHashes(server.database)).toEqual(hashesBefore)
  })

  it('skips records whose IDs belong to different titles, and imports the other records', async () => {
    await runImport(
      createReadResult('A', { imdb_id: 'tt0000011', tmdb_id: 11 }),
      createReadResult('B', { imdb_id: 'tt0000012', tmdb_id: 12 }),
    )
    const report = await runImport(
      createReadResult('Both', { imdb_id: 'tt0000011', tmdb_id: 12 }),
      createReadResult('Other', { imdb_id: 'tt0000011', tmdb_id: 13 }),
      createReadResult('Series now', { type: 'tv', imdb_id: 'tt0000012' }),
      createReadResult('C', { imdb_id: 'tt0000013' }),
    )
    expect(report).toMatchObject({ added: 1, skipped: 3 })
    expect(report.skips[0]).toBe('Both: its ids belong to another title')
  })

  it('updates a title in the bin and reports the title as skipped, but restores a title whose import was requested', async () => {
    const { primary } = server.database
    const loadTitle = () =>
      primary.selectFrom('title').selectAll().where('imdb_id', '=', 'tt0000014').executeTakeFirstOrThrow()
    await runImport(createReadResult('Binned', { imdb_id: 'tt0000014' }))
    const { title_id } = await loadTitle()
    await markTitlesDeleted(primary, [title_id], server.deps.now())
    const changedReadResult = createReadResult('Binned', { imdb_id: 'tt0000014', rating: 9 })
    for (const readResult of [changedReadResult, changedReadResult])
      expect(await runImport(readResult)).toMatchObject({
        changed: 0,
        same: 0,
        skips: ['Binned: is in the bin'],
      })
    expect(await loadTitle()).toMatchObject({ rating: 9, published: 0 })
    expect((await loadTitle()).deleted_at).not.toBeNull()
    expect(await runImport({ ...changedReadResult, isRequested: true })).toMatchObject({
      added: 1,
      skipped: 0,
    })
    expect(await loadTitle()).toMatchObject({ deleted_at: null, published: 1 })
  })

  it.each<[string, Partial<TitleRecord>, string]>([
    ['an invalid date', { release_date: '2020-13-01' }, 'release_date invalid_format'],
    ['a rating above ten', { rating: 11 }, 'rating too_big'],
    ['a NUL character', { original_title: 'a\0b' }, 'original_title custom'],
    ['more votes than the database type allows', { rating_votes: 3_000_000_000 }, 'rating_votes too_big'],
  ])('skips a record with %s', async (_description, fields, reason) => {
    const report = await runImport(createReadResult('Odd', { imdb_id: 'tt0000099', ...fields }))
    expect(report).toMatchObject({ added: 0, skipped: 1, skips: [`Odd: ${reason}`] })
  })

  it('creates unique slugs, also for titles without letters and for 200 titles with the same name', async () => {
    await server.database.primary.deleteFrom('title').execute()
    const namesakeReadResults = Array.from({ length: 200 }, (_, index) =>
      createReadResult('Same', { tmdb_id: 1000 + index, year: 1999 }),
    )
    await runImport(
      createReadResult('!!!', { tmdb_id: 1 }),
      createReadResult('???', { tmdb_id: 2 }),
      ...namesakeReadResults,
    )
    const slugs = await listSlugs()
    expect(new Set(slugs).size).toBe(202)
    expect(slugs.slice(0, 5)).toEqual(['untitled', 'untitled-2', 'same', 'same-1999', 'same-1999-2'])
  })

  it('replaces the overviews of episodes in all languages, and uses the main overview for a missing language', async () => {
    const createSeries = (overview: string, texts: { lang: string; overview: string }[]) =>
      createReadResult('Harbour', {
        type: 'tv',
        imdb_id: 'tt0000031',
        seasons: [
          { season_number: 1, episodes: [{ episode_number: 1, overview, texts }, { episode_number: 2 }] },
        ],
      })
    const readOverviews = async () => {
      const season = await server.database.primary
        .selectFrom('season')
        .select('season_id')
        .executeTakeFirstOrThrow()
      const episodePromises = ['en', 'fr', 'ar'].map((lang) =>
        selectEpisodes(server.database.reader, season.season_id, lang),
      )
      return (await Promise.all(episodePromises)).map((rows) => rows.map(({ overview }) => overview))
    }
    await runImport(
      createSeries('Fog', [
        { lang: 'fr', overview: 'Brume' },
        { lang: 'ar', overview: 'ضباب' },
      ]),
    )
    expect(await readOverviews()).toEqual([
      ['Fog', null],
      ['Brume', null],
      ['ضباب', null],
    ])
    await runImport(createSeries('Mist', [{ lang: 'fr', overview: 'Brouillard' }]))
    expect(await readOverviews()).toEqual([
      ['Mist', null],
      ['Brouillard', null],
      ['Mist', null],
    ])
  })

  it('imports the last overview of an episode when a source sends several in one language', async () => {
    const texts = ['Une', 'Deux'].map((overview) => ({ lang: 'fr', overview }))
    const report = await runImport(
      createReadResult('Repeated texts', {
        type: 'tv',
        imdb_id: 'tt0000033',
        seasons: [{ season_number: 1, episodes: [{ episode_number: 1, overview: 'One', texts }] }],
      }),
    )
    expect(report).toMatchObject({ added: 1, skipped: 0 })
    const rows = await server.database.primary
      .selectFrom('episode_text')
      .innerJoin('title', 'title.title_id', 'episode_text.title_id')
      .select('overview')
      .where('title.imdb_id', '=', 'tt0000033')
      .execute()
    expect(rows).toEqual([{ overview: 'Deux' }])
  })

  it('imports only the first thousand names of a title, including the display names, and only its first thousand keywords', async () => {
    const aliases = Array.from({ length: 3_000 }, (_, index) => ({
      lang: 'fr',
      text: `Nom ${index}`,
      role: 'aka' as const,
    }))
    const report = await runImport(
      createReadResult('Many names', {
        imdb_id: 'tt0000034',
        names: [{ lang: 'en', text: 'Many names', role: 'main' }, ...aliases],
        keywords: aliases.map(({ text }) => text),
      }),
    )
    expect(report).toMatchObject({ added: 1, skipped: 0 })
    const { title_id } = await server.database.primary
      .selectFrom('title')
      .select('title_id')
      .where('imdb_id', '=', 'tt0000034')
      .executeTakeFirstOrThrow()
    for (const table of ['title_name', 'title_keyword'] as const) {
      const rows = await server.database.primary
        .selectFrom(table)
        .select('title_id')
        .where('title_id', '=', title_id)
        .execute()
      expect(rows).toHaveLength(1_000)
    }
    const displayNames = await server.database.primary
      .selectFrom('title_name')
      .select('text')
      .where('title_id', '=', title_id)
      .where('role', '=', 'main')
      .execute()
    expect(displayNames).toEqual([{ text: 'Many names' }])
  })

  it('identifies people by their IDs, or by name when they have no ID', async () => {
    await server.database.primary.deleteFrom('person').execute()
    await runImport(
      createReadResult('X', {
        imdb_id: 'tt0000021',
        cast: createCast({ name: 'Kim' }, { name: 'Kim', tmdb_id: 7 }, { name: 'Kim', imdb_id: 'nm0000007' }),
      }),
      createReadResult('Y', {
        imdb_id: 'tt0000022',
        cast: createCast({ name: 'Kim' }, { name: 'Kim Lee', tmdb_id: 7, birthday: '1980-01-02' }),
      }),
    )
    const people = await server.database.primary
      .selectFrom('person')
      .selectAll()
      .orderBy('person_id')
      .execute()
    expect(people.map(({ name, slug, birthday }) => [name, slug, birthday])).toEqual([
      ['Kim', 'kim', null],
      ['Kim Lee', 'kim-2', '1980-01-02'],
      ['Kim', 'kim-3', null],
    ])
  })

  describe('names of people', () => {
    const importPerson = (record: PersonRecord) =>
      importPeople(server.deps, toAsyncIterable([{ location: 'person', record }]), {
        report: createImportReport(),
      })
    const loadPerson = (imdb_id: string) =>
      server.database.primary
        .selectFrom('person')
        .selectAll()
        .where('imdb_id', '=', imdb_id)
        .executeTakeFirstOrThrow()
    const listNames = async (imdbId: string) => {
      const { person_id } = await loadPerson(imdbId)
      const nameQuery = server.database.primary.selectFrom('person_name').select(['lang', 'text'])
      const rows = await nameQuery.where('person_id', '=', person_id).execute()
      return rows.map(({ lang, text }) => `${lang} ${text}`).sort()
    }
    const loadName = async (imdbId: string, lang: string) => {
      const { person_id } = await loadPerson(imdbId)
      return (await selectPersonNames(server.database.reader, [person_id], lang)).get(person_id)
    }
    const loadRevision = async (imdbId: string) => {
      const { person_id } = await loadPerson(imdbId)
      const changeQuery = server.database.primary.selectFrom('catalogue_change').select('revision')
      return (await changeQuery.where('doc_id', '=', getPersonDocId(person_id)).executeTakeFirstOrThrow())
        .revision
    }

    it('replaces the main name of a renamed person, and keeps the names in other languages', async () => {
      const names = [{ lang: 'ar', text: 'لانا' }]
      await importPerson({ name: 'Former Name', imdb_id: 'nm0000031', names })
      await runImport(
        createReadResult('Z', {
          imdb_id: 'tt0000032',
          cast: createCast({ name: 'New Name', imdb_id: 'nm0000031' }),
        }),
      )
      expect(await loadPerson('nm0000031')).toMatchObject({ name: 'New Name' })
      expect(await listNames('nm0000031')).toEqual(['ar لانا', 'en New Name'])
    })

    it('imports the first 200 names of a person', async () => {
      const names = Array.from({ length: 1_000 }, (_, index) => ({ lang: 'ar', text: `اسم ${index}` }))
      await importPerson({ name: 'Many Names', imdb_id: 'nm0000039', names })
      expect((await listNames('nm0000039')).filter((name) => name.includes('اسم'))).toHaveLength(200)
    })

    it('displays the first of several names in a language, and keeps the others for the search', async () => {
      const names = [
        { lang: 'ar', text: 'توم هانكس' },
        { lang: 'ar', text: 'توماس هانكس' },
        { lang: 'ru', text: 'Том Хэнкс' },
      ]
      await importPerson({ name: 'T. H.', imdb_id: 'nm0000033', names })
      expect(await loadName('nm0000033', 'ar')).toBe('توم هانكس')
      await importPerson({ name: 'T. H.', imdb_id: 'nm0000033', names: names.toReversed() })
      expect(await loadName('nm0000033', 'ar')).toBe('توماس هانكس')
      expect(await listNames('nm0000033')).toEqual([
        ' توم هانكس',
        'ar توماس هانكس',
        'en T. H.',
        'ru Том Хэнкс',
      ])
      await importPerson({ name: 'T. H.', imdb_id: 'nm0000033', names: [] })
      expect(await listNames('nm0000033')).toEqual(['en T. H.'])
    })

    it('records a change of a person when an import adds only a name in another language', async () => {
      const record = { name: 'Ann', imdb_id: 'nm0000034', names: [{ lang: 'ar', text: 'آن' }] }
      await importPerson(record)
      const revision = await loadRevision('nm0000034')
      await importPerson(record)
      expect(await loadRevision('nm0000034')).toBe(revision)
      await importPerson({ ...record, names: [...record.names, { lang: 'ru', text: 'Анн' }] })
      expect(await loadRevision('nm0000034')).toBe(revision + 1)
    })

    it('keeps one displayed name per language after two people were merged', async () => {
      await importPerson({ name: 'Eve', imdb_id: 'nm0000035', names: [{ lang: 'ar', text: 'إيف' }] })
      await importPerson({ name: 'Eva', tmdb_id: 35, names: [{ lang: 'ar', text: 'إيفا' }] })
      await importPerson({ name: 'Eve', imdb_id: 'nm0000035', tmdb_id: 35 })
      expect(await listNames('nm0000035')).toEqual([' Eva', ' إيفا', 'ar إيف', 'en Eve'])
    })

    it('after a merge of two people, displays a name that one of them displayed, even if the other used the same name only for the search', async () => {
      const names = ['Ivo', 'إيفو'].map((text) => ({ lang: 'it', text }))
      await importPerson({ name: 'Ivan', imdb_id: 'nm0000036', names })
      await importPerson({ name: 'Ivan', tmdb_id: 36, names: [{ lang: 'ar', text: 'إيفو' }] })
      await importPerson({ name: 'Ivan', imdb_id: 'nm0000036', tmdb_id: 36 })
      expect(await loadName('nm0000036', 'ar')).toBe('إيفو')
    })
  })
})
