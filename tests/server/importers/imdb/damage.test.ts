import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../../server/db/database.ts'
import { hashTables } from '../../../support/hash-tables.ts'
import { withShared } from '../../../support/shared.ts'
import { type Dumps, gzOf, newFolder, SMALL, writeDumps } from './dumps.ts'
import { type Given, Place } from './place.ts'

const changed = (dumps: Dumps): Dumps => ({ ...SMALL, ...dumps })

describe('IMDb dumps', () => {
  let place: Place
  beforeAll(async () => {
    place = await Place.open(openSqliteDatabase(':memory:'))
  })
  afterAll(() => place.server.close())
  beforeEach(() => place.empty())

  it('leave out what was not asked for, and say how much', async () => {
    const report = await place.run(writeDumps(SMALL), {
      'min-votes': '1',
      types: 'movie,short',
      adult: 'yes',
    })
    expect(report).toMatchObject({ added: 4 })
    const few = await place.run(writeDumps(SMALL), { 'min-votes': '500' })
    expect(few.reasons).toMatchObject({ 'adult titles': 1, 'episodes without a number': 1 })
    expect(few.reasons['titles and episodes with fewer than 500 votes']).toBe(3)
    expect(few).toMatchObject({ read: 2, lines: 42 })
  })

  it('report a damaged line by number and go on', async () => {
    const basics = [...(SMALL['title.basics'] ?? [])]
    basics.splice(
      1,
      0,
      'tt0000101|movie|short line',
      'no id here|movie|a|b|0|1|2|3|4',
      '',
      'tt0000101|movie|Again|Again|0|1999|\\N|1|Drama',
    )
    const folder = writeDumps(
      changed({
        'title.basics': basics,
        'title.ratings': [...(SMALL['title.ratings'] ?? []), 'tt0000105|eleven|12', 'tt0000101|9.9|1000000'],
      }),
    )
    const report = await place.run(folder)
    expect(report.skips).toEqual([
      'title.ratings:8: is not a rating',
      'title.ratings:9: repeats tt0000101',
      'title.basics.tsv.gz:3: has 3 columns, not 9',
      'title.basics.tsv.gz:4: does not begin with an id',
      'title.basics:6: repeats tt0000101',
    ])
    expect(report).toMatchObject({ added: 2, skipped: 5 })
    expect(await place.title('the-salt-road')).toMatchObject({ rating: 8.1 })
  })

  it.each<[string, (folder: string) => void, RegExp]>([
    [
      'a gzip that ends early',
      (folder) => cut(folder, 'title.principals'),
      /title\.principals\.tsv\.gz is damaged/,
    ],
    ['a gzip with a flipped byte', (folder) => flip(folder, 'title.akas'), /title\.akas\.tsv\.gz is damaged/],
    [
      'the header of another file',
      (folder) => writeFileSync(join(folder, 'title.akas.tsv.gz'), gzOf('title.crew', [])),
      /is not title\.akas: no column titleId/,
    ],
    [
      'an empty file',
      (folder) => writeFileSync(join(folder, 'title.crew.tsv.gz'), ''),
      /title\.crew\.tsv\.gz is empty/,
    ],
    [
      'a file that is one endless line',
      (folder) => writeFileSync(join(folder, 'name.basics.tsv.gz'), Buffer.alloc(3e6, 65)),
      /does not end/,
    ],
  ])('leave the catalogue as it was when there is %s', async (_, damage, message) => {
    await place.run(writeDumps(SMALL))
    const before = await hashTables(place.server.database)
    const more = ['tt0000109|movie|New One|New One|0|2020|\\N|90|Drama']
    const folder = writeDumps(
      changed({
        'title.basics': [...(SMALL['title.basics'] ?? []), ...more],
        'title.ratings': [...(SMALL['title.ratings'] ?? []), 'tt0000109|9.0|99999'],
      }),
    )
    damage(folder)
    await expect(place.run(folder)).rejects.toThrow(message)
    expect(await hashTables(place.server.database)).toEqual(before)
    const dataDir = place.server.deps.config.dataDir
    expect(existsSync(join(dataDir, 'import')) && readdirSync(join(dataDir, 'import'))).toEqual([])
  })

  it('stop after the batch in hand, and the next run goes on', async () => {
    const many = Array.from({ length: 400 }, (_, at) => `tt${String(1_000_000 + at)}`)
    const folder = writeDumps({
      'title.ratings': many.map((id, at) => `${id}|7.0|${1000 + at}`),
      'title.basics': many.map((id, at) => `${id}|movie|Film ${at}|Film ${at}|0|2000|\\N|90|Drama`),
    })
    const stop = new AbortController()
    const first = await place.run(
      folder,
      { 'batch-ms': '1' },
      {
        signal: stop.signal,
        progress: () => first0() > 0 && stop.abort(),
      },
    )
    function first0() {
      return place.server.database.sqlite?.prepare('select count(*) as n from title').get()?.['n'] as number
    }
    expect(first.added).toBeGreaterThan(0)
    expect(first.added).toBeLessThan(400)
    expect(first0()).toBe(first.added)
    const second = await place.run(folder)
    expect(second).toMatchObject({ added: 400 - first.added, same: first.added })
  })

  it.each<[string, Given, RegExp]>([
    ['a folder that is not there', { folder: '/nowhere/at/all' }, /--folder: .* does not exist/],
    ['a folder without dumps', {}, /has no title\.ratings/],
    ['odd votes', { 'min-votes': 'many' }, /--min-votes must be a whole number/],
    ['an odd type', { types: 'movie,podcast' }, /--types must be a list of .*not "podcast"/],
    ['an odd wish', { adult: 'maybe' }, /--adult must be yes or no/],
  ])('refuse %s in one sentence', async (_, options, message) => {
    await expect(place.run(newFolder(), options)).rejects.toThrow(message)
  })

  it('a title that TMDB has described is left to TMDB', async () => {
    const folder = writeDumps(SMALL)
    await place.run(folder)
    await place.db.updateTable('title').set({ source: 'tmdb', source_hash: 'x' }).execute()
    const report = await place.run(folder)
    expect(report).toMatchObject({ added: 0, changed: 0, skipped: 2 })
    expect(report.skips[0]).toBe('tt0000101: a source with higher priority has already described it')
  })

  it(
    'read as published, and nothing changes the second time',
    withShared(async (shared) => {
      const folder = join(shared, 'imdb_tsv')
      const report = await place.run(folder, { 'min-votes': '10' })
      expect(report).toMatchObject({ lines: 29_451, skipped: 0 })
      expect(report.added).toBeGreaterThan(3_000)
      const before = await hashTables(place.server.database)
      expect(await place.run(folder, { 'min-votes': '10' })).toMatchObject({
        added: 0,
        changed: 0,
        same: report.added,
      })
      expect(await hashTables(place.server.database)).toEqual(before)
      const tiny = await place.run(join(folder, 'tiny'), { 'min-votes': '0', types: 'short' })
      expect(tiny.added).toBeGreaterThan(0)
    }),
    60_000,
  )
})

function cut(folder: string, name: string): void {
  const path = join(folder, `${name}.tsv.gz`)
  writeFileSync(path, readFileSync(path).subarray(0, -9))
}

function flip(folder: string, name: string): void {
  const path = join(folder, `${name}.tsv.gz`)
  const bytes = readFileSync(path)
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
}
