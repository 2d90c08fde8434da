/** Complete media files and byte ranges, requested through media URLs (RFC 9110 §14). */
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRangeHeader } from '../../../server/routes/media/media-range.ts'
import { createPatternBytes } from './make-media.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const FILE_CONTENT = createPatternBytes(3_000_017)
const EMPTIED_FILE_NAME = 'Empty (1996) 1080p.mp4'
const folder = createTempFolder({
  'Heat (1995) 1080p.mp4': FILE_CONTENT,
  [EMPTIED_FILE_NAME]: FILE_CONTENT,
})

let mediaServer: MediaTestServer
let movieUrl = ''
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'Empty', year: 1996, imdb: 'tt0000002' },
  ])
  movieUrl = await lookUpUrl('tt0000001')
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

const lookUpUrl = async (imdb: string) =>
  (await mediaServer.lookUpStream(`movie/${imdb}`)).body.sources[0]?.url ?? ''
const fetchFile = (headers: Record<string, string> = {}, method = 'GET', mediaUrl = movieUrl) =>
  mediaServer.fetchMedia(mediaUrl, { headers, method })
const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('a media file', () => {
  test('a media file is sent completely with its media type and no-store', async () => {
    const response = await fetchFile()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(FILE_CONTENT.length),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    })
    expect((await readBytes(response)).equals(FILE_CONTENT)).toBe(true)
  })

  const sizeBytes = FILE_CONTENT.length
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, sizeBytes - 1],
    ['bytes=-1', sizeBytes - 1, sizeBytes - 1],
    ['bytes=-500', sizeBytes - 500, sizeBytes - 1],
    [`bytes=-${sizeBytes * 2}`, 0, sizeBytes - 1],
    [`bytes=${sizeBytes - 1}-`, sizeBytes - 1, sizeBytes - 1],
    [`bytes=0-${sizeBytes * 9}`, 0, sizeBytes - 1],
    ['bytes=65535-65537', 65_535, 65_537],
    ['bytes=1000000-2000000', 1_000_000, 2_000_000],
    ['bytes=5-9223372036854775808', 5, sizeBytes - 1],
    ['Bytes=7-8', 7, 8],
  ])('the range "%s" returns 206 with the requested bytes', async (range, startByte, endByte) => {
    const response = await fetchFile({ Range: range })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${startByte}-${endByte}/${sizeBytes}`)
    expect(response.headers.get('content-length')).toBe(String(endByte - startByte + 1))
    expect((await readBytes(response)).equals(FILE_CONTENT.subarray(startByte, endByte + 1))).toBe(true)
  })

  test.each([`bytes=${sizeBytes}-`, 'bytes=9223372036854775808-', 'bytes=-0', 'bytes=99999999999999999999-'])(
    'the range "%s" returns 416',
    async (range) => {
      const response = await fetchFile({ Range: range })
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${sizeBytes}`])
      expect(await response.text()).toBe('')
    },
  )

  test.each([
    ['two ranges', 'bytes=0-1,5-6'],
    ['a thousand ranges', `bytes=${Array.from({ length: 1000 }, () => '0-').join(',')}`],
    ['a range that ends before it starts', 'bytes=5-2'],
    ['a range without numbers', 'bytes=-'],
    ['letters in place of numbers', 'bytes=a-b'],
    ['a hexadecimal number', 'bytes=0x1-2'],
    ['no equals sign', 'bytes 0-1'],
    ['an unknown unit', 'lines=0-1'],
    ['a range of three numbers', 'bytes=1-2-3'],
  ])('a Range header with %s is ignored, and the complete file is returned', async (_, range) => {
    const response = await fetchFile({ Range: range }, 'GET')
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(sizeBytes)])
    await response.body?.cancel()
  })

  test('HEAD ignores Range and returns the headers without a body', async () => {
    const response = await fetchFile({ Range: 'bytes=0-1' }, 'HEAD')
    expect([
      response.status,
      response.headers.get('content-length'),
      response.headers.get('accept-ranges'),
    ]).toEqual([200, String(sizeBytes), 'bytes'])
    expect(await response.text()).toBe('')
  })

  test('If-Range returns 206 for a matching validator and 200 for any other validator', async () => {
    const headResponse = await fetchFile({}, 'HEAD')
    const etag = headResponse.headers.get('etag') ?? ''
    const lastModified = headResponse.headers.get('last-modified') ?? ''
    const fetchRangeStatus = async (validator: string) => {
      const response = await fetchFile({ Range: 'bytes=0-9', 'If-Range': validator })
      await response.body?.cancel()
      return response.status
    }
    expect(await fetchRangeStatus(etag)).toBe(206)
    expect(await fetchRangeStatus(lastModified)).toBe(206)
    expect(await fetchRangeStatus(`W/${etag}`)).toBe(200)
    expect(await fetchRangeStatus('"another"')).toBe(200)
    expect(await fetchRangeStatus(new Date(0).toUTCString())).toBe(200)
    expect((await fetchFile({ 'If-None-Match': etag })).status).toBe(304)
  })

  test('a media file that became empty after the lookup is sent with an empty body, and a range request returns 416', async () => {
    const emptyFileUrl = await lookUpUrl('tt0000002')
    truncateSync(join(folder.path, EMPTIED_FILE_NAME), 0)
    expect(await (await fetchFile({}, 'GET', emptyFileUrl)).text()).toBe('')
    expect((await fetchFile({ Range: 'bytes=0-0' }, 'GET', emptyFileUrl)).status).toBe(416)
  })

  test('64 concurrent readers each receive the requested bytes', async () => {
    let seed = 7
    const pickRandomInteger = (exclusiveMax: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % exclusiveMax
    }
    const readPromises = Array.from({ length: 64 }, async (_, readerIndex) => {
      for (let round = 0; round < 6; round++) {
        const startByte = pickRandomInteger(sizeBytes)
        const endByte = Math.min(
          sizeBytes - 1,
          startByte + pickRandomInteger(readerIndex % 4 === 0 ? sizeBytes : 200_000),
        )
        const receivedBytes = await readBytes(await fetchFile({ Range: `bytes=${startByte}-${endByte}` }))
        if (!receivedBytes.equals(FILE_CONTENT.subarray(startByte, endByte + 1)))
          throw new Error(`${startByte}-${endByte} differs`)
      }
    })
    await Promise.all(readPromises)
  })
})

test('a media file that became shorter after the lookup is sent with its new size', async () => {
  const path = join(folder.path, 'Heat (1995) 1080p.mp4')
  writeFileSync(path, FILE_CONTENT.subarray(0, 10))
  expect((await readBytes(await fetchFile())).length).toBe(10)
  writeFileSync(path, FILE_CONTENT)
})

test("parseRangeHeader returns null without a range, and 'unsatisfiable' for an empty file", () => {
  expect(parseRangeHeader(undefined, 10)).toBeNull()
  expect(parseRangeHeader('bytes=0-', 0)).toBe('unsatisfiable')
  expect(parseRangeHeader('bytes=-5', 0)).toBe('unsatisfiable')
})
