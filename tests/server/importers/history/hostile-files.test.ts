/** Files that are made to exhaust the memory or the time of the server. */
import { describe, expect, it } from 'vitest'
import { parseNetflixTitle } from '../../../../server/importers/history/netflix-title.ts'
import { getImportFailureCode } from '../../../../server/services/history-import/dry-run.ts'
import {
  ImportRowCounter,
  MAX_IMPORT_ROWS,
  TooManyRowsError,
} from '../../../../server/services/history-import/import-row-counter.ts'
import type { DecidedRow } from '../../../../server/services/history-import/row-outcome.ts'
import { parseHistoryContent } from './shared-data.ts'

/** Far more time than reading one of these files takes, and far less time than an algorithm of quadratic time needs. */
const MAX_READ_MS = 4_000
const CHUNK_BYTES = 65_536

async function parseInTime(fileName: string, content: string) {
  const startedAtMs = performance.now()
  const parsedFile = await parseHistoryContent(fileName, Buffer.from(content), CHUNK_BYTES)
  expect(performance.now() - startedAtMs).toBeLessThan(MAX_READ_MS)
  return parsedFile
}

describe('a hostile table', () => {
  it.each([
    ['commas without a line break', ','.repeat(2 ** 21)],
    ['columns', `${','.repeat(1_001)}\n`],
    ['characters in many fields', `${'x,'.repeat(2 ** 20)}\n`],
  ])(
    'the rows before a row with too many %s are returned, and the rest of the file is reported as broken',
    async (_content, hostileRow) => {
      const { rows, skips } = await parseInTime('history.csv', `Title,Date\nHeat,1/2/20\n${hostileRow}`)
      expect(rows.map(({ title }) => title)).toEqual(['Heat'])
      expect(skips).toEqual([{ line: 3, skip: 'broken_file' }])
    },
  )

  it('a row with a date of 100,000 characters is imported without the date, in linear time', async () => {
    const hostileDate = `1${'T'.repeat(100_000)}`
    const csvText = `Const,Your Rating,Date Rated,Title\ntt0113277,9,${hostileDate},Heat\n`
    const { rows } = await parseInTime('ratings.csv', csvText)
    expect(rows).toMatchObject([{ title: 'Heat', rating: 9 }])
    expect(rows[0]).not.toHaveProperty('at')
  })

  it('a title with 200,000 spaces is rejected in linear time', async () => {
    const csvText = `Title,Date\nHeat,1/2/20\na${' '.repeat(200_000)}b,1/2/20\n`
    const { rows, skips } = await parseInTime('history.csv', csvText)
    expect(rows.map(({ title }) => title)).toEqual(['Heat'])
    expect(skips).toEqual([{ line: 3, skip: 'bad_row' }])
  })

  it('a row with an id of 10,000 digits is rejected', async () => {
    const csvText = `uuid,tvdb_id,imdb_id,title,year,is_watched\nu,1,tt${'1'.repeat(10_000)},Heat,1995,true\n`
    const { rows, skips } = await parseInTime('movies.csv', csvText)
    expect([rows, skips]).toEqual([[], [{ line: 2, skip: 'bad_row' }]])
  })
})

describe('a hostile table in HTML', () => {
  const header = '<table><tr><th>Title</th><th>Watched on</th></tr><tr><td>Heat<td>2020-01-02</tr>'

  it.each([
    ['brackets', '<'.repeat(900_000)],
    ['tags that are not closed', '<td '.repeat(200_000)],
  ])('the rows before a row with many %s are returned, in linear time', async (_content, hostileText) => {
    const { rows } = await parseInTime('watched.html', `${header}<tr><td>${hostileText}</tr></table>`)
    expect(rows[0]).toMatchObject({ title: 'Heat', at: '2020-01-02' })
  })

  it('a row that does not end is reported as broken after a million characters', async () => {
    const { rows, skips } = await parseInTime('watched.html', `${header}<tr><td>${'x'.repeat(2 ** 21)}`)
    expect(rows.map(({ title }) => title)).toEqual(['Heat'])
    expect(skips).toEqual([{ line: 1, skip: 'broken_file' }])
  })
})

describe('a hostile JSON file', () => {
  it('a JSON file is read in linear time when brackets follow many spaces', async () => {
    const value = `${' '.repeat(400_000)}1${'[]'.repeat(100_000)}`
    const { rows, skips } = await parseInTime(
      'export.json',
      `{"format":"marquee-export","version":1,"list":${value}}`,
    )
    expect([rows, skips]).toEqual([[], [{ line: 1, skip: 'broken_file' }]])
  })

  it('a JSON file is not read any further after an element exceeds four million characters', async () => {
    const { skips } = await parseInTime('history.json', `[{"trakt":1},${'['.repeat(2 ** 22 + CHUNK_BYTES)}`)
    expect(skips.at(-1)).toEqual({ line: 1, skip: 'broken_file' })
  })

  it('a JSON file is read even if white space separates an array from its key', async () => {
    const entry = { type: 'movie', title: 'Heat', year: 1995, imdb_id: null, tmdb_id: null }
    const rating = { ...entry, rating: 9, updated_at: null }
    const { rows } = await parseInTime(
      'export.json',
      `{"format":"marquee-export","version":1,"rating": \n\u00a0 [${JSON.stringify(rating)}]}`,
    )
    expect(rows).toMatchObject([{ title: 'Heat', rating: 9 }])
  })
})

describe('an import of a hostile file', () => {
  it('parseNetflixTitle does not divide a title with many colons, because the list of all divisions would need too much memory', () => {
    expect(parseNetflixTitle('a: '.repeat(50))).toEqual([{ title: 'a: '.repeat(50).slice(0, -2) }])
    expect(parseNetflixTitle('Show: Season 1: Episode')).toHaveLength(1)
  })

  it('stores the total number of rows, but the row counts of only 50 of 2,500 owners', () => {
    const counter = new ImportRowCounter('import')
    const row = { outcome: 'matched', owner: '', row_key: 'k', title_id: 1 } as DecidedRow
    for (let index = 0; index < 5_000; index += 1)
      counter.assignRowNumber({ ...row, owner: `o${index % 2_500}` }, 0)
    const owners = JSON.parse(counter.toColumns().owners) as { count: number }[]
    expect(owners).toHaveLength(50)
    expect(new Set(owners.map(({ count }) => count))).toEqual(new Set([2]))
    const totalCount = JSON.parse(counter.toColumns().counts)
    expect(totalCount).toEqual({ matched: 5_000 })
  })

  it('fails with the code too_large when the file has more rows than the limit', () => {
    const counter = new ImportRowCounter('import')
    const row = { outcome: 'matched', owner: '', row_key: 'k', title_id: 1 } as DecidedRow
    for (let count = 0; count < MAX_IMPORT_ROWS; count += 1) counter.assignRowNumber(row, 0)
    expect(() => counter.assignRowNumber(row, 0)).toThrow(TooManyRowsError)
    expect(getImportFailureCode(new TooManyRowsError())).toBe('too_large')
  })

  it('fails with the code interrupted, so that the user can try again, when the connection to the database is lost', () => {
    const terminationError = Object.assign(new Error('terminating connection'), { code: '57P01' })
    expect(getImportFailureCode(terminationError)).toBe('interrupted')
    expect(getImportFailureCode(new Error('a fault of the importer'))).toBe('failed')
  })
})
