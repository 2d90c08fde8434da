/** Archives as services hand them out, and as nobody should: over the API, on both databases. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { endOfNowhere, type ZipEntry, zip } from '../../support/zip.ts'
import { act, bring, dryRun, exported, type Household, household, look, tables, upload } from './household.ts'

const FILMS = 'Date,Name,Year,Letterboxd URI\n'
const seen = (date: string, name: string, year: number) => `${date},${name},${year},https://boxd.it/1\n`
const DIARY = `Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date
2021-03-20,The Shawshank Redemption,1994,https://boxd.it/2,5,,,2021-01-02
2022-05-06,The Shawshank Redemption,1994,https://boxd.it/3,5,Yes,,2022-05-06
2021-04-02,The Godfather,1972,https://boxd.it/4,,,,2021-04-01
`
const LETTERBOXD: ZipEntry[] = [
  { name: 'watchlist.csv', content: FILMS + seen('2020-01-01', 'Fight Club', 1999) },
  {
    name: 'watched.csv',
    content:
      FILMS +
      seen('2021-03-20', 'The Shawshank Redemption', 1994) +
      seen('2021-04-02', 'The Godfather', 1972) +
      seen('2021-06-07', 'Pulp Fiction', 1994),
  },
  {
    name: 'reviews.csv',
    content: `${DIARY.split('\n')
      .slice(0, 2)
      .join('\n')
      .replace(',Tags,', ',Review,Tags,')
      .replace('5,,,', '5,,Good.,,')}\n`,
  },
  { name: 'profile.csv', content: 'Date Joined,Username\n2015-01-01,alice\n' },
  { name: 'diary.csv', content: DIARY },
  {
    name: 'ratings.csv',
    content: `Date,Name,Year,Letterboxd URI,Rating\n2021-03-20,The Shawshank Redemption,1994,https://boxd.it/1,5\n,,,,\n`,
  },
  { name: 'likes/', content: '', stored: true },
  { name: 'likes/films.csv', content: FILMS + seen('2021-06-07', 'Pulp Fiction', 1994), stored: true },
  { name: 'likes/reviews.csv', content: 'Date,Content\n2021-06-07,https://boxd.it/9\n' },
  { name: 'deleted/diary.csv', content: DIARY.replaceAll('The Godfather', 'Fight Club') },
  {
    name: 'lists/best.csv',
    content: `Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2021-02-28,Best,,https://boxd.it/5,\n\nPosition,Name,Year,URL,Description\n1,Inception,2010,https://boxd.it/6,\n`,
  },
]
const ACTIVITY = `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country
Ann,2021-03-18 20:00:00,02:20:00,,The Shawshank Redemption,,TV,02:20:00,02:20:00,DE
Ben,2021-03-19 20:00:00,02:50:00,,The Godfather,,TV,02:50:00,02:50:00,DE
`
const MY_LIST = `Profile Name,Title Name,Country,Utc Title Add Date\nAnn,Dark,DE,2022-01-22\nBen,Fight Club,DE,2022-01-23\n`
const NETFLIX: ZipEntry[] = [
  { name: 'netflix-report/Cover Sheet.pdf', content: '%PDF-1.4 nothing' },
  { name: 'netflix-report/CONTENT_INTERACTION/MyList.csv', content: MY_LIST },
  { name: 'netflix-report/CONTENT_INTERACTION/ViewingActivity.csv', content: ACTIVITY },
  { name: 'netflix-report/CONTENT_INTERACTION/SearchHistory.csv', content: 'Profile Name,Query\nAnn,Dark\n' },
  { name: 'netflix-report/ACCOUNT/TermsOfUse.csv', content: 'Terms,Accepted\nTV,2019-01-01\n' },
  { name: '__MACOSX/._MyList.csv', content: 'x' },
]
/** One file, and others that say they lie at the same place. */
function layered(name: string, content: Buffer, count: number): ZipEntry[] {
  const says = {
    offset: 0,
    crc: crc32(content),
    size: content.length,
    packedSize: deflateRawSync(content).length,
  }
  return Array.from({ length: count }, (_, n) => ({ name: `${n}/${name}`, ...(n ? { says } : { content }) }))
}
const plays = (file: string) =>
  JSON.parse(file).play.map((one: { title: string; watched_at: string }) => [one.title, one.watched_at])

describe.each(DATABASES)('an archive on %s', (_name, open) => {
  let home: Household
  beforeAll(async () => {
    home = await household(await open())
  }, 120_000)
  afterAll(() => home.server.close())
  const made: string[] = []
  /** A household has eight profiles at most. */
  const fresh = async (name: string) => {
    const oldest = made.length >= 4 ? made.shift() : undefined
    if (oldest) {
      await home.server.database.primary.deleteFrom('profile').where('profile_id', '=', oldest).execute()
    }
    home.adult.profileId = home.adultId
    const { body } = await home.adult.post('/api/profile', { name })
    made.push(body.profile_id)
    home.adult.profileId = body.profile_id
    return body.profile_id as string
  }
  /** Nothing of ours stays behind, open or in the data folder. */
  const leftovers = () => readdirSync(join(home.server.deps.config.dataDir, 'imports'))

  it('is one import: its histories are read, the rest is named', async () => {
    const id = await fresh('Letterboxd')
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
    expect(leftovers()).toEqual([])
  })

  it('changes nothing the second time, nor after its files came one by one', async () => {
    const id = await fresh('Again')
    await bring(home.adult, 'a.zip', zip(LETTERBOXD))
    const once = await tables(home.server, id)
    expect((await bring(home.adult, 'b.zip', zip(LETTERBOXD.toReversed()))).changed).toBe(0)
    expect(await tables(home.server, id)).toBe(once)
    for (const files of [LETTERBOXD, NETFLIX]) {
      const single = await fresh('Single')
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
    const one = await fresh('One by one')
    for (const { name, content } of files) await bring(home.adult, name, content as string)
    const single = await exported(home.adult)
    const two = await fresh('At once')
    const run = await bring(home.adult, 'all.zip', zip(files.toReversed()))
    expect(run).toMatchObject({ source: null, status: 'applied' })
    expect(await exported(home.adult)).toBe(single)
    const rows = async (id: string) => (await tables(home.server, id)).replaceAll(id, '')
    expect(await rows(two)).toBe(await rows(one))
  })

  it('asks whose rows are meant, across its files', async () => {
    await fresh('Owners')
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
    await fresh('Packed')
    const run = await dryRun(home.adult, 'a.zip.gz', new Uint8Array(gzipSync(zip(NETFLIX))))
    expect(run).toMatchObject({ file_name: 'a.zip', rows: { total: 4 } })
    const single = await dryRun(home.adult, 'MyList.csv', MY_LIST)
    expect(single.files).toEqual([])
    expect(single.list.results[0].file).toBe(null)
  })

  const good = { name: 'MyList.csv', content: MY_LIST }
  it('passes over what it will not read, and reads the rest', async () => {
    await fresh('Odd')
    const newer = '{"format": "marquee-export", "version": 2, "list": []}'
    const run = await dryRun(
      home.adult,
      'odd.zip',
      zip([
        good,
        { ...good, content: MY_LIST.replace('Dark', 'Inception') },
        { name: '/etc/MyList.csv', content: MY_LIST },
        { name: '../../MyList.csv', content: MY_LIST },
        { name: '..\\MyList.csv', content: MY_LIST },
        { name: 'C:\\MyList.csv', content: MY_LIST },
        { name: 'a/\0MyList.csv', content: MY_LIST },
        { name: `${'a/'.repeat(200)}MyList.csv`, content: MY_LIST },
        { name: 'link/MyList.csv', content: MY_LIST, mode: 0o120777 },
        { name: 'locked/MyList.csv', content: MY_LIST, says: { flags: 1 } },
        { name: 'method/MyList.csv', content: MY_LIST, says: { method: 12 } },
        { name: 'nested/more.zip', content: zip(LETTERBOXD) },
        { name: 'nested/MyList.csv.gz', content: gzipSync(MY_LIST) },
        { name: 'newer/marquee-export.json', content: newer },
        { name: 'empty.csv', content: '' },
      ]),
    )
    expect(run.status).toBe('ready')
    expect(run.rows.total).toBe(2)
    const why = run.files.map((one: { why: string | null }) => one.why ?? 'read')
    expect(why.toSorted()).toEqual(
      [
        ...['archive', 'archive', 'duplicate', 'encrypted', 'link', 'packing', 'read', 'unknown_format'],
        ...['unknown_version', ...Array(6).fill('unsafe_name')],
      ].toSorted(),
    )
    expect(JSON.stringify(run.list)).not.toContain('Inception')
  })

  it('is refused in words where nothing of it can be read', async () => {
    await fresh('Refused')
    const whole = zip([good])
    const word = async (content: Uint8Array<ArrayBuffer>) => {
      const { status, body } = await upload(home.adult, 'a.zip', content)
      return status === 422 ? body.errors.file[0] : status
    }
    const flipped = whole.slice()
    flipped[60] = (flipped[60] ?? 0) ^ 0xff
    const says = (lie: ZipEntry['says']) => word(zip([{ ...good, ...(lie && { says: lie }) }]))
    expect(await word(zip([{ name: 'notes.txt', content: 'hello' }]))).toBe('unknown_format')
    expect(await word(zip([]))).toBe('unknown_format')
    expect(await word(zip([{ ...good, says: { flags: 1 } }]))).toBe('encrypted')
    expect(await word(zip([{ ...good, says: { flags: 0x41 } }]))).toBe('encrypted')
    expect(await word(zip([{ name: 'a.zip', content: whole }]))).toBe('archive')
    expect(await word(whole.slice(0, -30))).toBe('damaged')
    expect(await word(whole.slice(0, 40))).toBe('damaged')
    expect(await word(flipped)).toBe('damaged')
    expect(await word(endOfNowhere())).toBe('damaged')
    expect(await says({ crc: 1 })).toBe('damaged')
    expect(await says({ size: 7 })).toBe('damaged')
    expect(await says({ size: 0xffffffff })).toBe('damaged')
    expect(await says({ packedSize: 0xfffffff0 })).toBe('damaged')
    expect(await says({ offset: 0xfffffff0 })).toBe('damaged')
    expect(await word(zip([good], { count: 7 }))).toBe('damaged')
    const many = Array.from({ length: 1_001 }, (_, n) => ({ name: `${n}.txt`, content: '' }))
    expect(await word(zip(many))).toBe('too_many_files')
    expect(await word(zip([good], { count: 60_000 }))).toBe('too_many_files')
    const refused = JSON.stringify([{ name: 'x.json' }])
    expect(await word(zip([{ name: 'x.json', content: refused }]))).toBe('unknown_format')
    expect(leftovers()).toEqual([])
    expect((await home.adult.get(`/api/profile/${home.adult.profileId}/import`)).body.total_results).toBe(0)
  })

  it('is measured by what comes out of it', async () => {
    await fresh('Bomb')
    const row = `Ann,${' '.repeat(1_000)}Dark,DE,2022-01-22\n`
    const bomb = Buffer.from(MY_LIST + row.repeat(70_000))
    // The same bytes under many names: each of them counts.
    const content = zip(layered('MyList.csv', bomb, 3))
    expect(content.length).toBeLessThan(1_000_000)
    expect((await upload(home.adult, 'bomb.zip', content)).status).toBe(413)
    // What is no history is not unpacked beyond its first bytes.
    const zeros = layered('film.mp4', Buffer.alloc(70_000_000), 10)
    const run = await dryRun(home.adult, 'films.zip', zip([...zeros, good]))
    expect(run).toMatchObject({ status: 'ready', rows: { total: 2 }, files: { length: 11 } })
    expect(leftovers()).toEqual([])
  }, 60_000)
})
