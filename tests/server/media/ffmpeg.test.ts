/** Finds the ffmpeg program, reads properties of media files, and checks that ffmpeg does not open unsafe files. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeTestVideo } from '../../../scripts/test-videos.ts'
import {
  createFfmpegFinder,
  type Ffmpeg,
  isSupportedFfmpegVersion,
} from '../../../server/providers/ffmpeg/ffmpeg-binary.ts'
import { probeMedia } from '../../../server/providers/ffmpeg/media-probe.ts'
import { scanKeyframes } from '../../../server/providers/ffmpeg/scan-keyframes.ts'
import { readKeyframeTimes } from '../../../server/providers/library/keyframes.ts'
import { createTempFolder } from './media-test-server.ts'

const pathFolders = (process.env['PATH'] ?? '').split(':')
const OLD_FFMPEG_SCRIPT = '#!/bin/sh\necho "ffmpeg version 4.4.2-0ubuntu Copyright"\n'
const folder = createTempFolder({ ffmpeg: OLD_FFMPEG_SCRIPT, ffprobe: OLD_FFMPEG_SCRIPT })
for (const name of ['ffmpeg', 'ffprobe']) chmodSync(join(folder.path, name), 0o755)
afterAll(() => folder.remove())

async function findFfmpeg(): Promise<Ffmpeg> {
  const ffmpegStatus = await createFfmpegFinder(undefined, pathFolders).find()
  if (ffmpegStatus.status !== 'available') throw new Error('the test needs ffmpeg')
  return ffmpegStatus.ffmpeg
}

describe('finding ffmpeg', () => {
  test('the ffmpeg finder reports a version that is too old, a missing program, and a program that is turned off', async () => {
    expect(await createFfmpegFinder(undefined, [folder.path]).find()).toEqual({
      status: 'outdated',
      version: '4.4.2',
    })
    expect(await createFfmpegFinder(undefined, []).find()).toEqual({ status: 'missing' })
    expect(await createFfmpegFinder('off', pathFolders).find()).toEqual({ status: 'off' })
  })

  test('the configured ffmpeg has priority over ffmpeg on the PATH, and the encoders and filters of ffmpeg are listed', async () => {
    expect((await createFfmpegFinder(join(folder.path, 'ffmpeg'), pathFolders).find()).status).toBe(
      'outdated',
    )
    const ffmpegStatus = await createFfmpegFinder(undefined, pathFolders).find()
    expect(ffmpegStatus.status === 'available' && [...ffmpegStatus.ffmpeg.encoders]).toContain('libx264')
    expect(ffmpegStatus.status === 'available' && [...ffmpegStatus.ffmpeg.filters]).toContain('scale')
  })

  test.each([
    ['5.1', true],
    ['5.0.3', false],
    ['4.4', false],
    ['6', true],
    ['10.0', true],
    ['N-109000-gabc', true],
    ['unknown', false],
  ])('for the ffmpeg version %s, isSupportedFfmpegVersion returns %s', (version, isSupported) => {
    expect(isSupportedFfmpegVersion(version)).toBe(isSupported)
  })
})

describe('examining a file with ffprobe', () => {
  test.each([
    ['h264-dts.mkv', { codec: 'h264', bitDepth: 8, width: 320, height: 180, hdr: null }, 'dts', 6],
    ['hevc-10bit-eac3.mkv', { codec: 'hevc', bitDepth: 10, hasHalvedChroma: true }, 'eac3', 2],
    ['hevc-hdr-aac.mkv', { codec: 'hevc', hdr: 'pq' }, 'aac', 2],
    ['h264-422-aac.mkv', { codec: 'h264', hasHalvedChroma: false }, 'aac', 2],
    ['mpeg2-mp2.ts', { codec: 'mpeg2video', isInterlaced: false }, 'mp2', 2],
    ['h264-interlaced-ac3.ts', { codec: 'h264', isInterlaced: true }, 'ac3', 2],
    ['h264-vfr-aac.mkv', { codec: 'h264', framesPerSecond: 25 }, 'aac', 2],
  ])(
    'probeMedia finds the codecs, the picture properties and the duration of %s',
    async (name, expectedVideo, audioCodec, channelCount) => {
      const information = await probeMedia(await findFfmpeg(), makeTestVideo(name))
      expect(information?.video).toMatchObject(expectedVideo)
      expect(information?.audio[0]).toMatchObject({ codec: audioCodec, channels: channelCount })
      expect(information?.durationSeconds).toBeCloseTo(10, 0)
    },
  )

  test('probeMedia finds the languages of audio and subtitle tracks, and the commentary track', async () => {
    const information = await probeMedia(await findFfmpeg(), makeTestVideo('h264-two-languages.mkv'))
    expect(information?.audio.map(({ language, isCommentary }) => [language, isCommentary])).toEqual([
      ['en', false],
      ['fr', false],
      ['en', true],
    ])
    expect(information?.subtitles.map(({ language, codec }) => [language, codec])).toEqual([
      ['en', 'subrip'],
      ['fr', 'ass'],
    ])
  })

  test('probeMedia returns null for a playlist or an ffconcat list with the file extension of a video, and for a file whose name looks like an option', async () => {
    const videoPath = makeTestVideo('h264-aac.mp4')
    folder.writeFiles({
      'list.mkv': `ffconcat version 1.0\nfile '${videoPath}'\n`,
      'playlist.mkv': `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${videoPath}\n#EXT-X-ENDLIST\n`,
      '-version': 'a name like an option',
    })
    for (const name of ['list.mkv', 'playlist.mkv', '-version'])
      expect(await probeMedia(await findFfmpeg(), join(folder.path, name))).toBeNull()
  })
})

describe('keyframes of a file', () => {
  test.each(['h264-ac3.mkv', 'h264-aac.mp4', 'h264-aac-index-at-end.mp4', 'vp9-opus.webm', 'hevc-aac.mp4'])(
    'the keyframe times in the index of %s equal the keyframe times that a scan of the file finds',
    async (name) => {
      const path = makeTestVideo(name)
      const scanResult = await scanKeyframes((await findFfmpeg()).ffprobePath, path, 0)
      const keyframeTimesSeconds = await readKeyframeTimes(path, 1)
      expect(keyframeTimesSeconds?.map((seconds) => seconds.toFixed(2))).toEqual(
        scanResult?.keyframesSeconds.map((seconds) => seconds.toFixed(2)),
      )
      expect(keyframeTimesSeconds?.length).toBeGreaterThan(3)
    },
  )

  test('readKeyframeTimes returns null for a file without an index and for a damaged file', async () => {
    for (const name of ['mpeg2-mp2.ts', 'noise.mkv', 'mpeg4-mp3.avi'])
      expect(await readKeyframeTimes(makeTestVideo(name), 1)).toBeNull()
  })
})
