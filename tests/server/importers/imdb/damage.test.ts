import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../../server/db/database.ts'
import { computeTableHashes } from '../../../support/hash-tables.ts'
import { withSharedData } from '../../../support/shared-data.ts'
import { compressDump, createTemporaryFolder, type ImdbDumps, SMALL_DUMPS, writeDumps } from './dumps.ts'
import { ImdbImportFixture, type ImdbImportOptions } from './import-fixture.ts'

const mergeWithSmallDumps = (dumps: ImdbDumps): ImdbDumps => ({ ...SMALL_DUMPS, ...dumps })

describe('IMDb import with options, damaged dumps and interruptions', () => {
  let fixture: ImdbImportFixture
  beforeAll(async () => {
    fixture = await ImdbImportFixture.start(openSqliteDatabase(':memory:'))
  })
  afterAll(() => fixture.server.close())
  beforeEach(() => fixture.clearCatalogue())

  it('imports only the titles that the options select, and reports how many titles were not selected', async () => {
    const report = await fixture.runImport(writeDumps(SMALL_DUMPS), {
      'min-votes': '1',
      types: 'movie,short',
      adult: 'yes',
    })
    expect(report).toMatchObject({ added: 4 })
    // The import accepts spaces around the types, because the hint of the dashboard lists the types with spaces.
    const importOptions = { 'min-votes': '1', types: 'movie, short ,tvSeries' }
    expect(await fixture.runImport(writeDumps(SMALL_DUMPS), importOptions)).toMatchObject({
      skipped: 0,
      reasons: { 'is for adults now, and was hidden': 1 },
    })
    const popularTitlesReport = await fixture.runImport(writeDumps(SMALL_DUMPS), { 'min-votes': '500' })
    expect(popularTitlesReport.reasons).toMatchObject({ 'adult titles': 1, 'episodes without a number': 1 })
    expect(popularTitlesReport.reasons['titles and episodes with fewer than 500 votes']).toBe(3)
    expect(popularTitlesReport).toMatchObject({ read: 3, same: 3, lines: 42 })
  })

  it('reports damaged lines with their numbers and imports the other lines', async () => {
    const titleLines = [...(SMALL_DUMPS['title.basics'] ?? [])]
    titleLines.splice(
      1,
      0,
      'tt0000101|movie|short line',
      'no id here|movie|a|b|0|1|2|3|4',
      '',
      'tt0000101|movie|Again|Again|0|1999|\\N|1|Drama',
    )
    const folder = writeDumps(
      mergeWithSmallDumps({
        'title.basics': titleLines,
        'title.ratings': [
          ...(SMALL_DUMPS['title.ratings'] ?? []),
          'tt0000105|eleven|12',
          'tt0000101|9.9|1000000',
        ],
        'title.principals': [
          ...(SMALL_DUMPS['title.principals'] ?? []),
          'tt0000101|5|Bo Lind|actor|\\N|\\N',
          'tt0000101|5|nm0000002|\\N|\\N|\\N',
          'tt0000101|1000|nm0000002|actor|\\N|\\N',
          'tt0000101|last|nm0000002|actor|\\N|\\N',
        ],
      }),
    )
    const report = await fixture.runImport(folder)
    expect(report.skips).toEqual([
      'title.ratings:8: is not a rating',
      'title.ratings:9: repeats tt0000101',
      'title.basics.tsv.gz:3: has 3 columns, not 9',
      'title.basics.tsv.gz:4: does not begin with an id',
      'title.basics:6: repeats tt0000101',
      'title.principals:8: has no valid person',
      'title.principals:9: has no category',
      'title.principals:10: has no valid ordering',
      'title.principals:11: has no valid ordering',
    ])
    expect(report).toMatchObject({ added: 2, skipped: 9 })
    expect(await fixture.loadTitle('the-salt-road')).toMatchObject({ rating: 8.1 })
  })

  it.each<[string, (folder: string) => void, RegExp]>([
    [
      'a truncated gzip file',
      (folder) => truncateDump(folder, 'title.principals'),
      /title\.principals\.tsv\.gz is damaged/,
    ],
    [
      'a gzip file with a flipped byte',
      (folder) => flipByte(folder, 'title.akas'),
      /title\.akas\.tsv\.gz is damaged/,
    ],
    [
      'a file with the header of another dump',
      (folder) => writeFileSync(join(folder, 'title.akas.tsv.gz'), compressDump('title.crew', [])),
      /is not title\.akas: no column titleId/,
    ],
    [
      'an empty file',
      (folder) => writeFileSync(join(folder, 'title.crew.tsv.gz'), ''),
      /title\.crew\.tsv\.gz is empty/,
    ],
    [
      'a file without a line break',
      (folder) => writeFileSync(join(folder, 'name.basics.tsv.gz'), Buffer.alloc(3e6, 65)),
      /does not end/,
    ],
  ])(
    'leaves the catalogue unchanged when the dumps contain %s',
    async (_description, damageFile, messagePattern) => {
      await fixture.runImport(writeDumps(SMALL_DUMPS))
      const hashesBefore = await computeTableHashes(fixture.server.database)
      const newMovieLines = ['tt0000109|movie|New One|New One|0|2020|\\N|90|Drama']
      const folder = writeDumps(
        mergeWithSmallDumps({
          'title.basics': [...(SMALL_DUMPS['title.basics'] ?? []), ...newMovieLines],
          'title.ratings': [...(SMALL_DUMPS['title.ratings'] ?? []), 'tt0000109|9.0|99999'],
        }),
      )
      damageFile(folder)
      await expect(fixture.runImport(folder)).rejects.toThrow(messagePattern)
      expect(await computeTableHashes(fixture.server.database)).toEqual(hashesBefore)
      const dataDir = fixture.server.deps.config.dataDir
      expect(existsSync(join(dataDir, 'import')) && readdirSync(join(dataDir, 'import'))).toEqual([])
    },
  )

  it('stops an aborted import after the current batch, and the next run imports the remaining titles', async () => {
    const imdbIds = Array.from({ length: 400 }, (_, index) => `tt${String(1_000_000 + index)}`)
    const folder = writeDumps({
      'title.ratings': imdbIds.map((id, index) => `${id}|7.0|${1000 + index}`),
      'title.basics': imdbIds.map(
        (id, index) => `${id}|movie|Film ${index}|Film ${index}|0|2000|\\N|90|Drama`,
      ),
    })
    const abortController = new AbortController()
    const firstReport = await fixture.runImport(
      folder,
      { 'batch-ms': '1' },
      {
        signal: abortController.signal,
        onProgress: () => countTitles() > 0 && abortController.abort(),
      },
    )
    function countTitles() {
      return fixture.server.database.sqlite?.prepare('select count(*) as n from title').get()?.['n'] as number
    }
    expect(firstReport.added).toBeGreaterThan(0)
    expect(firstReport.added).toBeLessThan(400)
    expect(countTitles()).toBe(firstReport.added)
    const secondReport = await fixture.runImport(folder)
    expect(secondReport).toMatchObject({ added: 400 - firstReport.added, same: firstReport.added })
  })

  it.each<[string, ImdbImportOptions, RegExp]>([
    ['a folder that does not exist', { folder: '/nowhere/at/all' }, /--folder: .* does not exist/],
    ['a folder without dumps', {}, /has no title\.ratings/],
    ['an invalid number of votes', { 'min-votes': 'many' }, /--min-votes must be a whole number/],
    ['an unknown type', { types: 'movie,podcast' }, /--types must be a list of .*not "podcast"/],
    ['an invalid value for adult', { adult: 'maybe' }, /--adult must be yes or no/],
  ])('rejects %s with an error message', async (_description, options, messagePattern) => {
    await expect(fixture.runImport(createTemporaryFolder(), options)).rejects.toThrow(messagePattern)
  })

  it('skips titles that were imported from TMDB', async () => {
    const folder = writeDumps(SMALL_DUMPS)
    await fixture.runImport(folder)
    await fixture.db.updateTable('title').set({ source: 'tmdb', source_hash: 'x' }).execute()
    const report = await fixture.runImport(folder)
    expect(report).toMatchObject({ added: 0, changed: 0, skipped: 2 })
    expect(report.skips[0]).toBe('tt0000101: a source with higher priority has already described it')
  })

  it(
    'imports dumps as published by IMDb, and a second run changes nothing',
    withSharedData(async (sharedFolder) => {
      const folder = join(sharedFolder, 'imdb_tsv')
      const report = await fixture.runImport(folder, { 'min-votes': '10' })
      expect(report).toMatchObject({ lines: 29_451, skipped: 0 })
      expect(report.added).toBeGreaterThan(3_000)
      const hashesBefore = await computeTableHashes(fixture.server.database)
      expect(await fixture.runImport(folder, { 'min-votes': '10' })).toMatchObject({
        added: 0,
        changed: 0,
        same: report.added,
      })
      expect(await computeTableHashes(fixture.server.database)).toEqual(hashesBefore)
      const tinyReport = await fixture.runImport(join(folder, 'tiny'), { 'min-votes': '0', types: 'short' })
      expect(tinyReport.added).toBeGreaterThan(0)
    }),
    60_000,
  )
})

function truncateDump(folder: string, dumpName: string): void {
  const path = join(folder, `${dumpName}.tsv.gz`)
  writeFileSync(path, readFileSync(path).subarray(0, -9))
}

function flipByte(folder: string, dumpName: string): void {
  const path = join(folder, `${dumpName}.tsv.gz`)
  const bytes = readFileSync(path)
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
}
