/** Bytes behind signed addresses: exact, one range at a time, for whom they were signed, as long as they may watch. */
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readRange } from '../../../server/http/media-range.ts'
import { Device } from '../../support/client.ts'
import { pattern } from './make-media.ts'
import { type Cinema, makeFolder, openCinema, raw } from './support.ts'

const BYTES = pattern(3_000_017)
const LARGE = 256 * 1024 * 1024
const folder = makeFolder({
  'Heat (1995) 1080p.mp4': BYTES,
  'Empty (1996) 1080p.mp4': '',
  'Large (1997) 1080p.mp4': '',
  'Private.db': 'secret',
  'Shrek (2001) 1080p.mp4': 'safe',
})
writeFileSync(join(folder.path, 'Large (1997) 1080p.mp4'), Buffer.alloc(LARGE, 'x'))

let cinema: Cinema
let url = ''
beforeAll(async () => {
  cinema = await openCinema({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'Empty', year: 1996, imdb: 'tt0000002' },
    { title: 'Large', year: 1997, imdb: 'tt0000003' },
    { title: 'Shrek', year: 2001, imdb: 'tt0000004', safe: true },
  ])
  url = await addressOf('tt0000001')
})
afterAll(async () => {
  await cinema.close()
  folder.remove()
})

const addressOf = async (imdb: string, device = cinema.adult) =>
  (await cinema.lookup(`movie/${imdb}`, '', device)).body.sources[0]?.url ?? ''
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

describe('an address', () => {
  const without = (name: string) => {
    const changed = new URL(url, cinema.base)
    changed.searchParams.delete(name)
    return changed.pathname + changed.search
  }
  const changed = (name: string, value: string) => {
    const other = new URL(url, cinema.base)
    other.searchParams.set(name, value)
    return other.pathname + other.search
  }
  const refused = async (address: string) => {
    const answer = await cinema.fetch(address)
    expect([answer.status, (await answer.json()).type]).toEqual([404, 'not_found'])
  }
  test('is refused when anything of it was changed', async () => {
    for (const name of ['e', 'l', 'p', 's']) await refused(without(name))
    await refused(changed('e', String(Date.now() + 9e9)))
    await refused(changed('l', 'someone'))
    await refused(changed('p', ''))
    await refused(changed('s', 'A'.repeat(43)))
    await refused(url.replace(/\/m\/(\d+)\//, '/m/9$1/'))
    await refused(url.replace('.mp4', '.m4v'))
    const middle = url.indexOf('.mp4') - 10
    await refused(`${url.slice(0, middle)}${url[middle] === 'A' ? 'B' : 'A'}${url.slice(middle + 1)}`)
    const safe = await addressOf('tt0000004')
    await refused(url.split('?')[0] + (safe.slice(safe.indexOf('?')) ?? ''))
  })
  test('runs out after four hours, and a new one is to be had', async () => {
    const other = await openCinema({ MEDIA_DIR: folder.path }, [
      { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    ])
    const old = (await other.lookup('movie/tt0000001')).body.sources[0]?.url ?? ''
    expect((await other.fetch(old, { method: 'HEAD' })).status).toBe(200)
    other.server.advance(4 * 3_600_000 + 1_000)
    expect((await other.fetch(old, { method: 'HEAD' })).status).toBe(404)
    await other.adult.login('alice@example.com')
    const renewed = (await other.lookup('movie/tt0000001')).body.sources[0]?.url ?? ''
    expect((await other.fetch(renewed, { method: 'HEAD' })).status).toBe(200)
    expect(renewed.split('?')[0]).toBe(old.split('?')[0])
    await other.close()
  })
  test('is for GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) expect((await get({}, method)).status).toBe(404)
  })
})

const UP = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..\\',
  '..%5c',
  '%252e%252e%252f',
  '..%c0%af',
  '..;/',
  '....//',
]
const TARGETS = ['Private.db', 'etc/passwd', 'package.json', 'data/local/keys.json']
test('forty spellings of a way out give nothing', async () => {
  const [path = '', query = ''] = url.split('?')
  const spellings = UP.flatMap((up) => TARGETS.map((target) => `/proxy/m/${up.repeat(6)}${target}`))
  const more = [
    `/proxy/m/${encodeURIComponent(join(folder.path, 'Private.db'))}?${query}`,
    `${path}/../../Private.db?${query}`,
    `${path}%00.mp4?${query}`,
    `//proxy/m/1/x.mp4?${query}`,
    `/proxy//m${path.slice('/proxy/m'.length)}?${query}`,
    `/proxy/./m${path.slice('/proxy/m'.length)}?${query}`,
    `${path.replace('/m/', '/%6d/')}?${query}`,
    `${path}/?${query}`,
    `${path.replace('.mp4', '%2emp4')}?${query}`,
    `http://127.0.0.1${path.replace('/m/', '/m/../m/')}?${query}`,
  ]
  for (const target of [...spellings, ...more]) {
    const answer = await raw(cinema.base, target)
    expect(answer.slice(9, 12), target).toMatch(/^40[04]$/)
    expect(answer).not.toMatch(/secret|root:|"name"/)
  }
  expect(spellings.length).toBeGreaterThanOrEqual(40)
})

describe('who may watch', () => {
  test('a kids profile is refused at the lookup, and an address of an adult stops for it', async () => {
    expect((await cinema.lookup('movie/tt0000001', '', cinema.kid)).status).toBe(404)
    expect((await get({}, 'HEAD', await addressOf('tt0000004', cinema.kid))).status).toBe(200)
    const mine = await addressOf('tt0000001')
    expect((await get({}, 'HEAD', mine)).status).toBe(200)
    cinema.adult.profileId = cinema.kid.profileId
    await cinema.adult.get('/api/movies')
    cinema.server.advance(2_000)
    expect((await get({}, 'HEAD', mine)).status).toBe(404)
    cinema.adult.profileId = cinema.adultId
    await cinema.adult.get('/api/movies')
    cinema.server.advance(2_000)
    expect((await get({}, 'HEAD', mine)).status).toBe(200)
  })
  test('what an administrator hides stops, also for addresses given before', async () => {
    const mine = await addressOf('tt0000001')
    const hide = (published: number) =>
      cinema.server.database.primary
        .updateTable('title')
        .set({ published })
        .where('imdb_id', '=', 'tt0000001')
        .execute()
    await hide(0)
    cinema.server.advance(2_000)
    expect((await get({}, 'HEAD', mine)).status).toBe(404)
    await hide(1)
    cinema.server.advance(2_000)
    expect((await get({}, 'HEAD', mine)).status).toBe(200)
  })
  test('a revoked device is cut off in the middle within five seconds', async () => {
    const device = new Device(cinema.server)
    await device.login('alice@example.com')
    device.profileId = cinema.adultId
    const address = await addressOf('tt0000003', device)
    const reader = await slowReader(address)
    const sips = setInterval(() => reader.read(), 20)
    await pause(300)
    await device.post('/api/auth/logout')
    const started = performance.now()
    await once(reader, 'close')
    expect(performance.now() - started).toBeLessThan(5_000)
    clearInterval(sips)
    expect(reader.bytesRead).toBeLessThan(LARGE / 2)
    expect((await get({}, 'HEAD', address)).status).toBe(404)
  })
})

/** Opens a stream and takes what the first packets hold, then nothing. */
async function slowReader(address: string): Promise<Socket> {
  const { port } = new URL(cinema.base)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await once(socket, 'readable')
  socket.read(1_000)
  return socket
}

const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return statSync(`/proc/self/fd/${fd}`).size === LARGE
    } catch {
      return false
    }
  }).length

describe.runIf(process.platform === 'linux')('readers that are slow, or leave', () => {
  beforeEach(() => pause(200))
  test('a hundred of them cost little memory, and close the file when they go', async () => {
    const address = await addressOf('tt0000003')
    const before = openFiles()
    const memory = () => process.memoryUsage().rss
    const warm = await Promise.all(Array.from({ length: 10 }, () => slowReader(address)))
    await pause(500)
    const start = memory()
    const readers = await Promise.all(Array.from({ length: 100 }, () => slowReader(address)))
    await pause(1_500)
    expect(openFiles()).toBe(before + 110)
    // Two pieces of 64 KiB in our hands; what sockets hold on both sides of this one process is the rest.
    expect((memory() - start) / 100).toBeLessThan(1_000_000)
    for (const reader of [...warm, ...readers]) reader.destroy()
    for (let tries = 0; openFiles() > before && tries < 100; tries++) await pause(50)
    expect(openFiles()).toBe(before)
  })
  test('one that leaves in the middle of a fast read closes the file, too', async () => {
    const before = openFiles()
    const answer = await get({}, 'GET', await addressOf('tt0000003'))
    const reader = answer.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    for (let tries = 0; openFiles() > before && tries < 100; tries++) await pause(50)
    expect(openFiles()).toBe(before)
  })
})

test('a file that becomes shorter while it is read ends the connection, not the server', async () => {
  const name = join(folder.path, 'Heat (1995) 1080p.mp4')
  const answer = await get({}, 'GET', await addressOf('tt0000003'))
  await answer.body?.cancel()
  writeFileSync(name, BYTES.subarray(0, 10))
  expect((await bytesOf(await get())).length).toBe(10)
  writeFileSync(name, BYTES)
})

test('ranges are read without the server, too', () => {
  expect(readRange(undefined, 10)).toBeNull()
  expect(readRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(readRange('bytes=-5', 0)).toBe('unsatisfiable')
})
