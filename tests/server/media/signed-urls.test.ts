/**
 * Signed media URLs. The server rejects a URL that was changed.
 * A URL becomes invalid when the viewer may no longer watch the title.
 */
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getSignedUrlLifetimeMs } from '../../../server/services/playback/media-url.ts'
import { waitForClose } from '../../support/sockets.ts'
import { TestClient } from '../../support/test-client.ts'
import {
  createTempFolder,
  type MediaTestServer,
  sendRawRequest,
  startMediaTestServer,
} from './media-test-server.ts'

const LARGE_SIZE_BYTES = 256 * 1024 * 1024
const folder = createTempFolder({
  'Heat (1995) 1080p.mp4': 'heat',
  'Large (1997) 1080p.mp4': Buffer.alloc(LARGE_SIZE_BYTES, 'x'),
  'Private.db': 'secret',
  'Shrek (2001) 1080p.mp4': 'safe',
})

let mediaServer: MediaTestServer
let movieUrl = ''
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'Large', year: 1997, imdb: 'tt0000003' },
    { title: 'Shrek', year: 2001, imdb: 'tt0000004', isSafeForKids: true },
  ])
  movieUrl = await lookUpUrl('tt0000001')
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

const lookUpUrl = async (imdb: string, device = mediaServer.adult) =>
  (await mediaServer.lookUpStream(`movie/${imdb}`, '', device)).body.sources[0]?.url ?? ''
const fetchFile = (headers: Record<string, string> = {}, method = 'GET', mediaUrl = movieUrl) =>
  mediaServer.fetchMedia(mediaUrl, { headers, method })

describe('a media URL', () => {
  const removeParam = (paramName: string) => {
    const changedUrl = new URL(movieUrl, mediaServer.baseUrl)
    changedUrl.searchParams.delete(paramName)
    return changedUrl.pathname + changedUrl.search
  }
  const changeParam = (paramName: string, value: string) => {
    const changedUrl = new URL(movieUrl, mediaServer.baseUrl)
    changedUrl.searchParams.set(paramName, value)
    return changedUrl.pathname + changedUrl.search
  }
  const expectNotFound = async (mediaUrl: string) => {
    const response = await mediaServer.fetchMedia(mediaUrl)
    expect([response.status, (await response.json()).type]).toEqual([404, 'not_found'])
  }
  test('returns 404 if any part of the URL was changed', async () => {
    for (const name of ['e', 'l', 'p', 's']) await expectNotFound(removeParam(name))
    await expectNotFound(changeParam('e', String(Date.now() + 9e9)))
    await expectNotFound(changeParam('l', 'someone'))
    await expectNotFound(changeParam('p', ''))
    await expectNotFound(changeParam('s', 'A'.repeat(43)))
    await expectNotFound(movieUrl.replace(/\/m\/(\d+)\//, '/m/9$1/'))
    await expectNotFound(movieUrl.replace('.mp4', '.m4v'))
    const changedIndex = movieUrl.indexOf('.mp4') - 10
    await expectNotFound(
      `${movieUrl.slice(0, changedIndex)}${movieUrl[changedIndex] === 'A' ? 'B' : 'A'}${movieUrl.slice(changedIndex + 1)}`,
    )
    const otherUrl = await lookUpUrl('tt0000004')
    await expectNotFound(movieUrl.split('?')[0] + (otherUrl.slice(otherUrl.indexOf('?')) ?? ''))
  })
  test('a media URL expires after four hours, and a new lookup returns a valid URL', async () => {
    const otherServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
      { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    ])
    const oldUrl = (await otherServer.lookUpStream('movie/tt0000001')).body.sources[0]?.url ?? ''
    expect((await otherServer.fetchMedia(oldUrl, { method: 'HEAD' })).status).toBe(200)
    otherServer.server.advanceClock(4 * 3_600_000 + 1_000)
    expect((await otherServer.fetchMedia(oldUrl, { method: 'HEAD' })).status).toBe(404)
    await otherServer.adult.login('alice@example.com')
    const renewedUrl = (await otherServer.lookUpStream('movie/tt0000001')).body.sources[0]?.url ?? ''
    expect((await otherServer.fetchMedia(renewedUrl, { method: 'HEAD' })).status).toBe(200)
    expect(renewedUrl.split('?')[0]).toBe(oldUrl.split('?')[0])
    await otherServer.close()
  })
  test('a media URL is valid for twice the duration of the movie, but for at least four and at most twelve hours', () => {
    const computeUrlLifeHours = (runtimeMinutes: number | null) =>
      getSignedUrlLifetimeMs(runtimeMinutes === null ? null : runtimeMinutes * 60) / 3_600_000
    expect([null, 90, 120, 201, 900].map(computeUrlLifeHours)).toEqual([4, 4, 4, 6.7, 12])
  })
  test('returns 404 for every method except GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await fetchFile({}, method)).status).toBe(404)
  })
})

const PARENT_SEGMENTS = [
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
const TARGET_PATHS = ['Private.db', 'etc/passwd', 'package.json', 'data/local/keys.json']
test('more than forty encoded path traversals return 400 or 404 without file content', async () => {
  const [path = '', query = ''] = movieUrl.split('?')
  const traversalPaths = PARENT_SEGMENTS.flatMap((parentSegment) =>
    TARGET_PATHS.map((targetPath) => `/proxy/m/${parentSegment.repeat(6)}${targetPath}`),
  )
  const changedUrls = [
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
  for (const requestTarget of [...traversalPaths, ...changedUrls]) {
    const response = await sendRawRequest(mediaServer.baseUrl, requestTarget)
    expect(response.slice(9, 12), requestTarget).toMatch(/^40[04]$/)
    expect(response).not.toMatch(/secret|root:|"name"/)
  }
  expect(traversalPaths.length).toBeGreaterThanOrEqual(40)
})

describe('access to a media URL', () => {
  test('a kids profile cannot use a media URL that was issued to an adult profile', async () => {
    expect((await mediaServer.lookUpStream('movie/tt0000001', '', mediaServer.kid)).status).toBe(404)
    expect((await fetchFile({}, 'HEAD', await lookUpUrl('tt0000004', mediaServer.kid))).status).toBe(200)
    const ownUrl = await lookUpUrl('tt0000001')
    expect((await fetchFile({}, 'HEAD', ownUrl)).status).toBe(200)
    mediaServer.adult.profileId = mediaServer.kid.profileId
    await mediaServer.adult.get('/api/movies')
    mediaServer.server.advanceClock(2_000)
    expect((await fetchFile({}, 'HEAD', ownUrl)).status).toBe(404)
    mediaServer.adult.profileId = mediaServer.adultId
    await mediaServer.adult.get('/api/movies')
    mediaServer.server.advanceClock(2_000)
    expect((await fetchFile({}, 'HEAD', ownUrl)).status).toBe(200)
  })
  test('a media URL returns 404 while its title is unpublished, and is valid again when the title is published', async () => {
    const ownUrl = await lookUpUrl('tt0000001')
    const setPublished = (publishedValue: number) =>
      mediaServer.server.database.primary
        .updateTable('title')
        .set({ published: publishedValue })
        .where('imdb_id', '=', 'tt0000001')
        .execute()
    await setPublished(0)
    mediaServer.server.advanceClock(2_000)
    expect((await fetchFile({}, 'HEAD', ownUrl)).status).toBe(404)
    await setPublished(1)
    mediaServer.server.advanceClock(2_000)
    expect((await fetchFile({}, 'HEAD', ownUrl)).status).toBe(200)
  })
  test('during playback, access to a media URL ends within five seconds after the device was signed out', async () => {
    const device = new TestClient(mediaServer.server)
    await device.login('alice@example.com')
    device.profileId = mediaServer.adultId
    const streamedUrl = await lookUpUrl('tt0000003', device)
    const socket = await openSlowReader(streamedUrl)
    const readInterval = setInterval(() => socket.read(), 20)
    await pause(300)
    await device.post('/api/auth/logout')
    const startedAtMs = performance.now()
    await waitForClose(socket)
    expect(performance.now() - startedAtMs).toBeLessThan(5_000)
    clearInterval(readInterval)
    expect(socket.bytesRead).toBeLessThan(LARGE_SIZE_BYTES / 2)
    expect((await fetchFile({}, 'HEAD', streamedUrl)).status).toBe(404)
  })
})

/** Requests a URL and reads only the start of the response. Returns the socket, which stays open. */
async function openSlowReader(mediaUrl: string): Promise<Socket> {
  const { port } = new URL(mediaServer.baseUrl)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${mediaUrl} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await once(socket, 'readable')
  socket.read(1_000)
  return socket
}

const countOpenFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return statSync(`/proc/self/fd/${fd}`).size === LARGE_SIZE_BYTES
    } catch {
      return false
    }
  }).length

describe.runIf(process.platform === 'linux')('slow and disconnecting readers', () => {
  beforeEach(() => pause(200))
  test('100 slow readers use less than 1 MB each, and the files are closed when the readers disconnect', async () => {
    const streamedUrl = await lookUpUrl('tt0000003')
    const openFileCountBefore = countOpenFiles()
    const readMemoryBytes = () => process.memoryUsage().rss
    const warmUpReaders = await Promise.all(Array.from({ length: 10 }, () => openSlowReader(streamedUrl)))
    await pause(500)
    const memoryBytesBefore = readMemoryBytes()
    const readers = await Promise.all(Array.from({ length: 100 }, () => openSlowReader(streamedUrl)))
    await pause(1_500)
    expect(countOpenFiles()).toBe(openFileCountBefore + 110)
    // The server holds two chunks of 64 KiB per reader. The limit is higher (1 MB), because the buffers of both ends of
    // each socket are also in this process.
    expect((readMemoryBytes() - memoryBytesBefore) / 100).toBeLessThan(1_000_000)
    for (const reader of [...warmUpReaders, ...readers]) reader.destroy()
    for (let attempt = 0; countOpenFiles() > openFileCountBefore && attempt < 100; attempt++) await pause(50)
    expect(countOpenFiles()).toBe(openFileCountBefore)
  })
  test('the server closes the file when a fast reader disconnects during the download', async () => {
    const openFileCountBefore = countOpenFiles()
    const response = await fetchFile({}, 'GET', await lookUpUrl('tt0000003'))
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    for (let attempt = 0; countOpenFiles() > openFileCountBefore && attempt < 100; attempt++) await pause(50)
    expect(countOpenFiles()).toBe(openFileCountBefore)
  })
})

test('when a file becomes shorter during the download, the connection ends and the server keeps running', async () => {
  const response = await fetchFile({}, 'GET', await lookUpUrl('tt0000003'))
  const reader = response.body?.getReader()
  await reader?.read()
  writeFileSync(join(folder.path, 'Large (1997) 1080p.mp4'), 'short')
  const readRemaining = async () => {
    while (!(await reader?.read())?.done);
  }
  await expect(readRemaining()).rejects.toThrow()
  expect((await fetchFile({}, 'HEAD')).status).toBe(200)
})
