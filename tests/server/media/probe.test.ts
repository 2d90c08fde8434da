/**
 * Reads the video size, the duration and the chapters from the headers of MP4 and Matroska files.
 * `probeVideo` returns null for damaged files.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findPlaybackMarks } from '../../../server/providers/library/playback-marks.ts'
import { probeVideo } from '../../../server/providers/library/probe.ts'
import { getQualityOfSize } from '../../../server/providers/library/quality.ts'
import { withSharedData } from '../../support/shared-data.ts'
import { createMatroska, createMatroskaElement, createMp4, createMp4Box } from './make-media.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-probe-'))
afterAll(() => rmSync(folder, { recursive: true }))

let fileCount = 0
async function probeFileContent(extension: string, bytes: Buffer) {
  fileCount += 1
  const path = join(folder, `${fileCount}.${extension}`)
  writeFileSync(path, bytes)
  return probeVideo(path)
}

const HD_VIDEO = { width: 1920, height: 1080, durationSeconds: 5400 }

describe('probeVideo of MP4 files', () => {
  test.each([
    ['the header first', {}],
    ['the header last', { hasLateHeader: true, payloadBytes: 200_000 }],
    ['an audio track before the video track', { hasAudio: true }],
    ['64-bit times', { version: 1 }],
  ])('probeVideo reads the picture size and the duration of an MP4 file with %s', async (_name, options) => {
    expect(await probeFileContent('mp4', createMp4(HD_VIDEO, options))).toMatchObject(HD_VIDEO)
  })
  test('probeVideo reads the picture size and the duration of an MP4 file with 64-bit box sizes', async () => {
    const payload = Buffer.alloc(100)
    const boxHeader = Buffer.alloc(16)
    boxHeader.writeUInt32BE(1)
    boxHeader.write('mdat', 4, 'latin1')
    boxHeader.writeBigUInt64BE(116n, 8)
    expect(
      await probeFileContent('mp4', Buffer.concat([boxHeader, payload, createMp4(HD_VIDEO)])),
    ).toMatchObject(HD_VIDEO)
  })
  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['zero bytes', Buffer.alloc(1000)],
    ['plain text', Buffer.from('hello world, this is no film at all')],
    ['a header without a track', createMp4Box('moov', createMp4Box('mvhd', Buffer.alloc(100)))],
    ['a truncated file', createMp4(HD_VIDEO).subarray(0, 60)],
    ['a box smaller than its own header', Buffer.from('00000004moov', 'latin1')],
    ['100000 empty boxes', Buffer.concat(Array.from({ length: 100_000 }, () => createMp4Box('free')))],
  ])(
    'probeVideo of a file with the extension .mp4 returns null if its content is %s',
    async (_name, bytes) => {
      expect(await probeFileContent('mp4', bytes)).toBeNull()
    },
  )
})

describe('probeVideo of Matroska files', () => {
  test.each([
    ['the tracks first', {}],
    ['the tracks after the clusters', { hasLateTracks: true, payloadBytes: 200_000 }],
    ['an unknown segment size, as live recorders write it', { isLive: true }],
    ['a cover that is larger than the video', { hasCover: true }],
  ])(
    'probeVideo reads the picture size and the duration of a Matroska file with %s',
    async (_name, options) => {
      expect(await probeFileContent('mkv', createMatroska(HD_VIDEO, options))).toMatchObject(HD_VIDEO)
    },
  )
  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['zero bytes', Buffer.alloc(1000)],
    ['an MP4 file', createMp4(HD_VIDEO)],
    ['an EBML header only', createMatroskaElement(0x1a45dfa3)],
    ['a truncated file', createMatroska(HD_VIDEO).subarray(0, 60)],
    ['0xff bytes', Buffer.alloc(1000, 0xff)],
  ])(
    'probeVideo of a file with the extension .mkv returns null if its content is %s',
    async (_name, bytes) => {
      expect(await probeFileContent('mkv', bytes)).toBeNull()
    },
  )
})

describe('chapters of a file', () => {
  const chapters: [number, string][] = [
    [0, 'Cold open'],
    [60, 'Opening'],
    [150, 'Act one'],
    [5000, 'Générique de fin'],
  ]
  test.each([
    ['mp4', createMp4(HD_VIDEO, { chapters })],
    ['mkv', createMatroska(HD_VIDEO, { chapters })],
  ])('chapters of %s files mark the times of the intro and the credits', async (extension, bytes) => {
    const video = await probeFileContent(extension, bytes)
    expect(video?.chapters).toEqual(chapters.map(([start, title]) => ({ start, title })))
    expect(findPlaybackMarks(video?.chapters ?? [], 5400)).toEqual({
      intro: { start: 60, end: 150 },
      creditsAtSeconds: 5000,
    })
  })
  test.each([
    ['chapters without names', [{ start: 0, title: 'Chapter 1' }], {}],
    [
      'an intro that takes a third of the film',
      [
        { start: 0, title: 'Intro' },
        { start: 2000, title: 'Rest' },
      ],
      {},
    ],
    ['an intro without an end', [{ start: 0, title: 'Intro' }], {}],
    [
      'credits at the start',
      [
        { start: 10, title: 'Credits' },
        { start: 100, title: 'Film' },
      ],
      {},
    ],
    [
      'a chapter title that only starts with the same word as an intro',
      [
        { start: 0, title: 'Opening night' },
        { start: 90, title: 'Ending it all' },
      ],
      {},
    ],
  ])('findPlaybackMarks returns no marks for %s', (_name, chapters, marks) => {
    expect(findPlaybackMarks(chapters, 5400)).toEqual(marks)
  })
})

test(
  'probeVideo reads the picture size of real MP4 and WebM files',
  withSharedData(async (sharedFolder) => {
    const mediaFolder = join(sharedFolder, 'media')
    expect(await probeVideo(join(mediaFolder, 'friday.mp4'))).toMatchObject({ width: 640, height: 480 })
    expect(await probeVideo(join(mediaFolder, 'flower.webm'))).toMatchObject({ width: 960, height: 540 })
  }),
)

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
])('a video of %i x %i pixels has the quality %s', (width, height, quality) => {
  expect(getQualityOfSize({ width, height })).toBe(quality)
})
