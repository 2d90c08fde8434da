/** Signed addresses: nothing of them can be changed, nobody else can use them, and they end when watching has to. */
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Device } from '../../support/client.ts'
import { type Cinema, makeFolder, openCinema, raw } from './support.ts'

const LARGE = 256 * 1024 * 1024
const folder = makeFolder({
  'Heat (1995) 1080p.mp4': 'heat',
  'Large (1997) 1080p.mp4': Buffer.alloc(LARGE, 'x'),
  'Private.db': 'secret',
  'Shrek (2001) 1080p.mp4': 'safe',
})

let cinema: Cinema
let url = ''
beforeAll(async () => {
  cinema = await openCinema({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
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
  const answer = await get({}, 'GET', await addressOf('tt0000003'))
  const reader = answer.body?.getReader()
  await reader?.read()
  writeFileSync(join(folder.path, 'Large (1997) 1080p.mp4'), 'short')
  const rest = async () => {
    while (!(await reader?.read())?.done);
  }
  await expect(rest()).rejects.toThrow()
  expect((await get({}, 'HEAD')).status).toBe(200)
})
