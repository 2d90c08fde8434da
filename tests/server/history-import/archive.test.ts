/** Archives as services hand them out: over the API, on both databases. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { zip } from '../../support/zip.ts'
import { LETTERBOXD, MY_LIST, NETFLIX } from './archives.ts'
import {
  act,
  bring,
  dryRun,
  exported,
  type Household,
  household,
  leftovers,
  look,
  tables,
} from './household.ts'

const plays = (file: string) =>
  JSON.parse(file).play.map((one: { title: string; watched_at: string }) => [one.title, one.watched_at])

describe.each(DATABASES)('an archive on %s', (_name, open) => {
  let home: Household
  beforeAll(async () => {
    home = await household(await open())
  }, 120_000)
  afterAll(() => home.server.close())

  it('is one import: its histories are read, the rest is named', async () => {
    const id = await home.fresh('Letterboxd')
    const before = await tables(home.server, id)
    const run = await dryRun(home.adult, 'letterboxd-alice.zip', zip(LETTERBOXD))
    expect(run).toMatchObject({ status: 'ready', source: 'letterboxd', file_name: 'letterboxd-alice.zip' })
    expect(
      run.files.map((one: { name: string; rows: number; why: unknown }) => [one.name, one.rows, one.why]),
    ).toEqual([
      ['deleted/diary.csv', 3, null],
      ['diary.csv', 3, null],
      ['likes/films.csv', 1, null],
      ['likes/reviews.csv', 0, 'unknown_format'],
      ['lists/best.csv', 1, null],
      ['profile.csv', 0, 'unknown_format'],
      ['ratings.csv', 2, null],
      ['reviews.csv', 1, null],
      ['watched.csv', 3, null],
      ['watchlist.csv', 1, null],
    ])
    expect(run.rows).toMatchObject({ total: 15, skipped: 4 })
    expect(run.done).toBe(run.total)
    const skipped = await look(home.adult, run.import_id, 'skipped')
    expect(skipped.list.results.at(-1)).toMatchObject({ file: 'ratings.csv', line: 3, why: 'no_title' })
    expect(await tables(home.server, id)).toBe(before)
    const applied = await act(home.adult, run.import_id, 'apply')
    expect(applied.status).toBe('applied')
    const file = await exported(home.adult)
    expect(plays(file)).toEqual([
      ['The Shawshank Redemption', '2021-01-02'],
      ['The Godfather', '2021-04-01'],
      ['Pulp Fiction', '2021-06-07'],
      ['The Shawshank Redemption', '2022-05-06'],
    ])
    const { list, feedback, progress } = JSON.parse(file)
    expect(list.map((one: { title: string }) => one.title).sort()).toEqual(['Fight Club', 'Inception'])
    expect(feedback.map((one: { title: string }) => one.title).sort()).toEqual([
      'Pulp Fiction',
      'The Shawshank Redemption',
    ])
    expect(progress.find((one: { title: string }) => /Shaw/.test(one.title))).toMatchObject({ plays: 2 })
    expect((await act(home.adult, run.import_id, 'undo')).status).toBe('undone')
    expect(await tables(home.server, id)).toBe(before)
    expect(leftovers(home)).toEqual([])
  })

  it('changes nothing the second time, nor after its files came one by one', async () => {
    const id = await home.fresh('Again')
    await bring(home.adult, 'a.zip', zip(LETTERBOXD))
    const once = await tables(home.server, id)
    expect((await bring(home.adult, 'b.zip', zip(LETTERBOXD.toReversed()))).changed).toBe(0)
    expect(await tables(home.server, id)).toBe(once)
    for (const files of [LETTERBOXD, NETFLIX]) {
      const single = await home.fresh('Single')
      for (const { name, content } of files.toReversed()) {
        if (
          /watched|diary|ratings|reviews|films|list|best|Viewing/i.test(name) &&
          !/likes.rev|MACOSX/.test(name)
        ) {
          await bring(home.adult, name, content as string)
        }
      }
      const before = await tables(home.server, single)
      expect((await bring(home.adult, 'a.zip', zip(files))).changed).toBe(0)
      expect(await tables(home.server, single)).toBe(before)
    }
  })

  it('comes to what its files come to one by one', async () => {
    // Without what only the whole archive can know: by which entry of the diary a film was marked as seen.
    const trakt = JSON.stringify([
      {
        plays: 3,
        last_watched_at: '2021-03-18T21:04:00.000Z',
        movie: { title: 'The Shawshank Redemption', year: 1994, ids: { trakt: 1, imdb: 'tt0111161' } },
      },
    ])
    const files = [
      ...NETFLIX.slice(1, 3),
      { name: 'trakt/watched-movies.json', content: trakt },
      {
        name: 'z/NetflixViewingHistory.csv',
        content:
          'Title,Date\n"The Shawshank Redemption","18/03/2021"\n"Dark: Season 1: Episode 3","20/03/2021"\n',
      },
    ]
    const one = await home.fresh('One by one')
    for (const { name, content } of files) await bring(home.adult, name, content as string)
    const single = await exported(home.adult)
    const two = await home.fresh('At once')
    const run = await bring(home.adult, 'all.zip', zip(files.toReversed()))
    expect(run).toMatchObject({ source: null, status: 'applied' })
    expect(await exported(home.adult)).toBe(single)
    const rows = async (id: string) => (await tables(home.server, id)).replaceAll(id, '')
    expect(await rows(two)).toBe(await rows(one))
  })

  it('asks whose rows are meant, across its files', async () => {
    await home.fresh('Owners')
    const run = await dryRun(home.adult, 'netflix-report.zip', zip(NETFLIX))
    expect(run.source).toBe('netflix')
    expect(run.owners).toEqual([
      { name: 'Ann', count: 2 },
      { name: 'Ben', count: 2 },
    ])
    const passed = run.files.filter((one: { why: string | null }) => one.why !== null)
    expect(passed.map((one: { name: string }) => one.name.split('/').at(-1))).toEqual([
      'TermsOfUse.csv',
      'SearchHistory.csv',
      'Cover Sheet.pdf',
    ])
    await act(home.adult, run.import_id, 'apply', { owners: ['Ann'] })
    const file = JSON.parse(await exported(home.adult))
    expect(plays(JSON.stringify(file)).map(([title]: string[]) => title)).toEqual([
      'The Shawshank Redemption',
    ])
    expect(file.list).toMatchObject([{ title: 'Dark' }])
  })

  it('may be packed once more, and come in a form', async () => {
    await home.fresh('Packed')
    const run = await dryRun(home.adult, 'a.zip.gz', new Uint8Array(gzipSync(zip(NETFLIX))))
    expect(run).toMatchObject({ file_name: 'a.zip', rows: { total: 4 } })
    const single = await dryRun(home.adult, 'MyList.csv', MY_LIST)
    expect(single.files).toEqual([])
    expect(single.list.results[0].file).toBe(null)
  })
})
