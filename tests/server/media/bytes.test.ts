/** Bytes behind signed addresses: exact, one range at a time. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRangeHeader } from '../../../server/routes/media/media-range.ts'
import { pattern } from './make-media.ts'
import { type Cinema, makeFolder, openCinema } from './support.ts'

const BYTES = pattern(3_000_017)
const folder = makeFolder({
  'Heat (1995) 1080p.mp4': BYTES,
  'Empty (1996) 1080p.mp4': '',
})

let cinema: Cinema
let url = ''
beforeAll(async () => {
  cinema = await openCinema({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'Empty', year: 1996, imdb: 'tt0000002' },
  ])
  url = await addressOf('tt0000001')
})
afterAll(async () => {
  await cinema.close()
  folder.remove()
})

const addressOf = async (imdb: string) => (await cinema.lookup(`movie/${imdb}`)).body.sources[0]?.url ?? ''
const get = (headers: Record<string, string> = {}, method = 'GET', address = url) =>
  cinema.fetch(address, { headers, method })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('one file', () => {
  test('comes whole, with what it is, for nobody between to keep', async () => {
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(BYTES.length),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    })
    expect((await bytesOf(answer)).equals(BYTES)).toBe(true)
  })

  const size = BYTES.length
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, size - 1],
    ['bytes=-1', size - 1, size - 1],
    ['bytes=-500', size - 500, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    [`bytes=0-${size * 9}`, 0, size - 1],
    ['bytes=65535-65537', 65_535, 65_537],
    ['bytes=1000000-2000000', 1_000_000, 2_000_000],
    ['bytes=5-9223372036854775808', 5, size - 1],
    ['Bytes=7-8', 7, 8],
  ])('%s', async (range, start, end) => {
    const answer = await get({ Range: range })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`)
    expect(answer.headers.get('content-length')).toBe(String(end - start + 1))
    expect((await bytesOf(answer)).equals(BYTES.subarray(start, end + 1))).toBe(true)
  })

  test.each([`bytes=${size}-`, 'bytes=9223372036854775808-', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s cannot be had',
    async (range) => {
      const answer = await get({ Range: range })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
      expect(await answer.text()).toBe('')
    },
  )

  test.each([
    'bytes=0-1,5-6',
    `bytes=${Array.from({ length: 1000 }, () => '0-').join(',')}`,
    'bytes=5-2',
    'bytes=-',
    'bytes=a-b',
    'bytes=0x1-2',
    'bytes 0-1',
    'lines=0-1',
    'bytes=1-2-3',
  ])('%.30s gives the whole file', async (range) => {
    const answer = await get({ Range: range }, 'GET')
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(size)])
    await answer.body?.cancel()
  })

  test('HEAD tells the same and sends nothing; a range is for GET alone', async () => {
    const answer = await get({ Range: 'bytes=0-1' }, 'HEAD')
    expect([
      answer.status,
      answer.headers.get('content-length'),
      answer.headers.get('accept-ranges'),
    ]).toEqual([200, String(size), 'bytes'])
    expect(await answer.text()).toBe('')
  })

  test('If-Range: the range stands for the same file, the whole comes for another', async () => {
    const first = await get({}, 'HEAD')
    const etag = first.headers.get('etag') ?? ''
    const modified = first.headers.get('last-modified') ?? ''
    const status = async (value: string) => {
      const answer = await get({ Range: 'bytes=0-9', 'If-Range': value })
      await answer.body?.cancel()
      return answer.status
    }
    expect(await status(etag)).toBe(206)
    expect(await status(modified)).toBe(206)
    expect(await status(`W/${etag}`)).toBe(200)
    expect(await status('"another"')).toBe(200)
    expect(await status(new Date(0).toUTCString())).toBe(200)
    expect((await get({ 'If-None-Match': etag })).status).toBe(304)
  })

  test('that is empty is empty', async () => {
    const address = await addressOf('tt0000002')
    expect(await (await get({}, 'GET', address)).text()).toBe('')
    expect((await get({ Range: 'bytes=0-0' }, 'GET', address)).status).toBe(416)
  })

  test('64 readers at once each get their own bytes', async () => {
    let seed = 7
    const random = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % most
    }
    const readers = Array.from({ length: 64 }, async (_, at) => {
      for (let round = 0; round < 6; round++) {
        const start = random(size)
        const end = Math.min(size - 1, start + random(at % 4 === 0 ? size : 200_000))
        const part = await bytesOf(await get({ Range: `bytes=${start}-${end}` }))
        if (!part.equals(BYTES.subarray(start, end + 1))) throw new Error(`${start}-${end} differs`)
      }
    })
    await Promise.all(readers)
  })
})

test('a file that has become shorter is served as it is now', async () => {
  const name = join(folder.path, 'Heat (1995) 1080p.mp4')
  writeFileSync(name, BYTES.subarray(0, 10))
  expect((await bytesOf(await get())).length).toBe(10)
  writeFileSync(name, BYTES)
})

test('ranges are read without the server, too', () => {
  expect(parseRangeHeader(undefined, 10)).toBeNull()
  expect(parseRangeHeader('bytes=0-', 0)).toBe('unsatisfiable')
  expect(parseRangeHeader('bytes=-5', 0)).toBe('unsatisfiable')
})
