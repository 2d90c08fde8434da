/** Archives as nobody should hand them out: over the API, on both databases. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { endOfNowhere, type ZipEntry, zip } from '../../support/zip.ts'
import { LETTERBOXD, MY_LIST } from './archives.ts'
import { dryRun, type Household, household, leftovers, upload } from './household.ts'

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

describe.each(DATABASES)('an archive on %s', (_name, open) => {
  let home: Household
  beforeAll(async () => {
    home = await household(await open())
  }, 120_000)
  afterAll(() => home.server.close())

  const good = { name: 'MyList.csv', content: MY_LIST }
  it('passes over what it will not read, and reads the rest', async () => {
    await home.fresh('Odd')
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
    await home.fresh('Refused')
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
    const talkative = Array.from({ length: 80 }, (_, n) => ({ name: `${n}${'x'.repeat(60_000)}` }))
    expect(await word(zip([good, ...talkative]))).toBe('damaged')
    const refused = JSON.stringify([{ name: 'x.json' }])
    expect(await word(zip([{ name: 'x.json', content: refused }]))).toBe('unknown_format')
    expect(leftovers(home)).toEqual([])
    expect((await home.adult.get(`/api/profile/${home.adult.profileId}/import`)).body.total_results).toBe(0)
  })

  it('is measured by what comes out of it', async () => {
    await home.fresh('Bomb')
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
    expect(leftovers(home)).toEqual([])
  }, 60_000)
})
