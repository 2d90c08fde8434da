/** Picture sizes from headers written byte by byte, and from broken ones. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findPlaybackMarks } from '../../../server/providers/library/playback-marks.ts'
import { probeVideo } from '../../../server/providers/library/probe.ts'
import { qualityOfSize } from '../../../server/providers/library/quality.ts'
import { box, element, makeMatroska, makeMp4 } from './make-media.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-probe-'))
afterAll(() => rmSync(folder, { recursive: true }))
const SHARED = join(process.env['MARQUEE_SHARED'] ?? '../shared', 'data/media')

let made = 0
async function probed(kind: string, bytes: Buffer) {
  made += 1
  const path = join(folder, `${made}.${kind}`)
  writeFileSync(path, bytes)
  return probeVideo(path)
}

const HD = { width: 1920, height: 1080, seconds: 5400 }

describe('MP4', () => {
  test.each([
    ['header first', {}],
    ['header last', { late: true, payload: 200_000 }],
    ['with sound before the picture', { audio: true }],
    ['64-bit times', { version: 1 }],
  ])('%s', async (_name, how) => {
    expect(await probed('mp4', makeMp4(HD, how))).toMatchObject(HD)
  })
  test('64-bit box sizes', async () => {
    const payload = Buffer.alloc(100)
    const head = Buffer.alloc(16)
    head.writeUInt32BE(1)
    head.write('mdat', 4, 'latin1')
    head.writeBigUInt64BE(116n, 8)
    expect(await probed('mp4', Buffer.concat([head, payload, makeMp4(HD)]))).toMatchObject(HD)
  })
  test.each([
    ['empty', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(1000)],
    ['text', Buffer.from('hello world, this is no film at all')],
    ['no track', box('moov', box('mvhd', Buffer.alloc(100)))],
    ['cut', makeMp4(HD).subarray(0, 60)],
    ['a box that ends before it begins', Buffer.from('00000004moov', 'latin1')],
    ['a hundred thousand boxes', Buffer.concat(Array.from({ length: 100_000 }, () => box('free')))],
  ])('%s says nothing', async (_name, bytes) => {
    expect(await probed('mp4', bytes)).toBeNull()
  })
})

describe('Matroska', () => {
  test.each([
    ['tracks first', {}],
    ['tracks behind the clusters', { late: true, payload: 200_000 }],
    ['without a size, as recorders write', { live: true }],
  ])('%s', async (_name, how) => {
    expect(await probed('mkv', makeMatroska(HD, how))).toMatchObject(HD)
  })
  test.each([
    ['empty', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(1000)],
    ['an MP4', makeMp4(HD)],
    ['a head alone', element(0x1a45dfa3)],
    ['cut', makeMatroska(HD).subarray(0, 60)],
    ['ones', Buffer.alloc(1000, 0xff)],
  ])('%s says nothing', async (_name, bytes) => {
    expect(await probed('mkv', bytes)).toBeNull()
  })
})

describe('chapters', () => {
  const chapters: [number, string][] = [
    [0, 'Cold open'],
    [60, 'Opening'],
    [150, 'Act one'],
    [5000, 'Générique de fin'],
  ]
  test.each([
    ['mp4', makeMp4(HD, { chapters })],
    ['mkv', makeMatroska(HD, { chapters })],
  ])('of %s tell where the opening and the credits are', async (kind, bytes) => {
    const found = await probed(kind, bytes)
    expect(found?.chapters).toEqual(chapters.map(([start, title]) => ({ start, title })))
    expect(findPlaybackMarks(found?.chapters ?? [], 5400)).toEqual({
      intro: { start: 60, end: 150 },
      creditsAt: 5000,
    })
  })
  test.each([
    ['no names', [{ start: 0, title: 'Chapter 1' }], {}],
    [
      'an opening that is half the film',
      [
        { start: 0, title: 'Intro' },
        { start: 2000, title: 'Rest' },
      ],
      {},
    ],
    ['an opening without an end', [{ start: 0, title: 'Intro' }], {}],
    [
      'credits at the beginning',
      [
        { start: 10, title: 'Credits' },
        { start: 100, title: 'Film' },
      ],
      {},
    ],
    [
      'a title that only begins so',
      [
        { start: 0, title: 'Opening night' },
        { start: 90, title: 'Ending it all' },
      ],
      {},
    ],
  ])('%s', (_name, list, marks) => {
    expect(findPlaybackMarks(list, 5400)).toEqual(marks)
  })
})

test('real files', async () => {
  if (!existsSync(SHARED)) return console.info('the shared data is not there: real files were not probed')
  expect(await probeVideo(join(SHARED, 'friday.mp4'))).toMatchObject({ width: 640, height: 480 })
  expect(await probeVideo(join(SHARED, 'flower.webm'))).toMatchObject({ width: 960, height: 540 })
})

test.each([
  [3840, 2160, '2160p'],
  [3840, 1600, '2160p'],
  [1920, 1080, '1080p'],
  [1920, 800, '1080p'],
  [1440, 1080, '1080p'],
  [1280, 720, '720p'],
  [1280, 534, '720p'],
  [1080, 1920, '1080p'],
  [720, 576, '576p'],
  [854, 480, '480p'],
  [640, 360, '360p'],
  [320, 240, '240p'],
])('%i x %i is %s', (width, height, quality) => {
  expect(qualityOfSize({ width, height })).toBe(quality)
})
