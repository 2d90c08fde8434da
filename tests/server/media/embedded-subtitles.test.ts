/**
 * Extracts subtitles from video files with the real ffmpeg: plain text, styled text with fonts, and pictures.
 * Some subtitle tracks are damaged or malicious.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAssScript, createPgsStream } from '../../../scripts/test-subtitles.ts'
import { TEST_VIDEO_SECONDS } from '../../../scripts/test-video-options.ts'
import { makeTestVideo } from '../../../scripts/test-videos.ts'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { buildConversionArguments } from '../../../server/providers/ffmpeg/conversion-arguments.ts'
import {
  formatConversionPlan,
  parseConversionPlan,
} from '../../../server/services/playback/conversion/conversion-plan.ts'
import { ENCODED_SEGMENT_SECONDS } from '../../../server/services/playback/conversion/segments.ts'
import {
  isFont,
  isPgsStream,
  isStyledScript,
} from '../../../server/services/playback/subtitles/check-track.ts'
import { encodeCapabilities } from '../../../src/lib/rules/playback-capabilities.ts'
import { TestClient } from '../../support/test-client.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const CAPABILITY_CODE = encodeCapabilities((type) => /avc1\.640|mp4a|matroska/.test(type))
const [TEXT_VIDEO, STYLED_VIDEO, PICTURE_VIDEO] = [
  'h264-two-languages.mkv',
  'h264-styled-subtitles.mkv',
  'h264-picture-subtitles.mkv',
]
const VIDEOS = [TEXT_VIDEO, STYLED_VIDEO, PICTURE_VIDEO]
const getImdbId = (fileName = '') => `tt${String(VIDEOS.indexOf(fileName) + 1).padStart(7, '0')}`

const mediaFolder = createTempFolder()
const dataFolder = createTempFolder()
let mediaServer: MediaTestServer
beforeAll(async () => {
  for (const name of VIDEOS) {
    const filePath = join(mediaFolder.path, `Film {imdb-${getImdbId(name)}}`, name)
    mkdirSync(dirname(filePath), { recursive: true })
    copyFileSync(makeTestVideo(name), filePath)
  }
  mediaServer = await startMediaTestServer(
    { MEDIA_DIR: mediaFolder.path, DATA_DIR: dataFolder.path, PATH: process.env['PATH'] ?? '' },
    VIDEOS.map((name) => ({ title: name, imdb: getImdbId(name) })),
    // Subtitles do not depend on the database, so SQLite is enough.
    openSqliteDatabase(':memory:'),
  )
}, 120_000)
afterAll(async () => {
  await mediaServer.close()
  mediaFolder.remove()
  dataFolder.remove()
})

const lookUpStream = async (fileName = '', query = '', device?: TestClient) =>
  (
    await mediaServer.lookUpStream(
      `movie/${getImdbId(fileName)}`,
      `?decoders=${CAPABILITY_CODE}${query}`,
      device,
    )
  ).body
const fetchText = async (url = '') => (await mediaServer.fetchMedia(url)).text()
const fetchStatus = async (url = '') => (await mediaServer.fetchMedia(url)).status
const listStoredTracks = () => readdirSync(join(dataFolder.path, 'transcode/subtitles'))

describe('text subtitles', () => {
  test('text subtitles are listed with their language and sent as WebVTT', async () => {
    const { subtitles } = await lookUpStream(TEXT_VIDEO)
    expect(subtitles).toMatchObject([{ lang: 'en' }, { lang: 'fr', format: 'ass' }])
    expect(subtitles[0]).not.toHaveProperty('format')
    expect(await fetchText(subtitles[0]?.url)).toMatch(/^WEBVTT[\s\S]+Good evening/)
    expect(await fetchText(subtitles[1]?.url)).toContain('Bonsoir')
    expect(listStoredTracks().filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('while tracks cannot be extracted', () => {
  /**
   * Deletes the extracted tracks, and requests a text track. A script replaces ffmpeg: it runs the real ffmpeg, and
   * then the shell commands `commands`.
   */
  async function fetchTrackWithFailingFfmpeg(
    commands: string,
  ): Promise<{ status: number; retryAfter: string | null }> {
    const { streamSources } = mediaServer.server.deps
    const { ffmpeg } = streamSources
    const program = await ffmpeg.find()
    if (program.status !== 'available') throw new Error('no ffmpeg')
    const ffmpegPath = join(dataFolder.path, 'failing-ffmpeg')
    const lines = [
      '#!/bin/sh',
      `"${program.ffmpeg.ffmpegPath}" "$@"`,
      'for output in "$@"; do :; done',
      'folder=$(dirname "$output" | cut -d : -f 2-)',
      commands,
    ]
    writeFileSync(ffmpegPath, lines.join('\n'), { mode: 0o700 })
    const { subtitles } = await lookUpStream(TEXT_VIDEO)
    rmSync(join(dataFolder.path, 'transcode/subtitles'), { recursive: true, force: true })
    streamSources.ffmpeg = {
      find: async () => ({ ...program, ffmpeg: { ...program.ffmpeg, ffmpegPath } }),
    }
    try {
      const { status, headers } = await mediaServer.fetchMedia(subtitles[0]?.url ?? '')
      return { status, retryAfter: headers.get('retry-after') }
    } finally {
      streamSources.ffmpeg = ffmpeg
    }
  }
  const fetchTrack = async () => fetchText((await lookUpStream(TEXT_VIDEO)).subtitles[0]?.url)

  test.each([
    // Each write to /dev/full fails with ENOSPC.
    ['the disk is full', 'ln -s /dev/full "$folder/test"; exit 1', '2'],
    [
      'the disk is full, and ffmpeg exits with 0 although a file is incomplete',
      'for file in "$folder"/*.part; do : > "$file"; done; ln -s /dev/full "$folder/test"; echo "Error closing file: No space left on device" >&2',
      '2',
    ],
    ['the system kills ffmpeg', 'kill -9 $$', '5'],
  ])(
    'when %s, a request for a text track returns 503, and the next request extracts the track again',
    async (_, commands, retryAfter) => {
      expect(await fetchTrackWithFailingFfmpeg(commands)).toEqual({ status: 503, retryAfter })
      expect(listStoredTracks()).toEqual([])
      expect(await fetchTrack()).toContain('Good evening')
    },
  )

  test('when the video file disappears during the extraction of a text track, the request returns 503, and later requests return 404 until the file is back', async () => {
    const videoPath = join(mediaFolder.path, `Film {imdb-${getImdbId(TEXT_VIDEO)}}`, TEXT_VIDEO)
    const { url } = (await lookUpStream(TEXT_VIDEO)).subtitles[0] ?? {}
    expect((await fetchTrackWithFailingFfmpeg(`mv '${videoPath}' '${videoPath}.away'; exit 1`)).status).toBe(
      503,
    )
    expect(await fetchStatus(url)).toBe(404)
    renameSync(`${videoPath}.away`, videoPath)
    expect(await fetchText(url)).toContain('Good evening')
  })
})

describe('styled subtitles', () => {
  test('several subtitles of the same language have the track titles in their labels, and styled subtitles are sent as WebVTT and as ASS', async () => {
    const { subtitles } = await lookUpStream(STYLED_VIDEO)
    expect(subtitles.map(({ label, format }) => [label, format])).toEqual([
      ['English (Full)', 'ass'],
      ['English (Signs)', 'ass'],
      ['Deutsch', 'ass'],
    ])
    const [fullSubtitle, signsSubtitle] = subtitles
    expect(await fetchText(fullSubtitle?.url)).toContain('Good <b>evening</b>')
    const script = await fetchText(`${fullSubtitle?.original_url}track.ass`)
    expect(script).toContain('Style: Default,Arial,32')
    expect(script).toContain('Good {\\b1}evening{\\b0}')
    expect(await fetchText(`${signsSubtitle?.original_url}track.ass`)).toContain('{\\an8\\pos(320,40)}POLICE')
  })

  test('styled subtitles include the fonts of the file, but no other attachments', async () => {
    const { subtitles } = await lookUpStream(STYLED_VIDEO)
    const subtitleFolderUrl = subtitles[0]?.original_url
    const fonts = JSON.parse(await fetchText(`${subtitleFolderUrl}fonts.json`))
    expect(fonts).toEqual(['font-5.ttf'])
    const response = await mediaServer.fetchMedia(`${subtitleFolderUrl}font-5.ttf`)
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(Buffer.from(await response.arrayBuffer()).subarray(0, 4)).toEqual(Buffer.from([0, 1, 0, 0]))
    for (const name of ['font-6.ttf', 'font-4.ttf', 'track.sup', 'index.m3u8', '2.vtt'])
      expect(await fetchStatus(`${subtitleFolderUrl}${name}`), name).toBe(404)
  })

  test('subtitles without a dialogue line are rejected with 415', async () => {
    const emptySubtitle = (await lookUpStream(STYLED_VIDEO)).subtitles[2]
    expect(await fetchStatus(emptySubtitle?.url)).toBe(415)
    expect(await fetchStatus(`${emptySubtitle?.original_url}track.ass`)).toBe(415)
  })

  test('styled subtitles return 404 for a changed URL, after the URL has expired, and after the login has ended', async () => {
    const device = new TestClient(mediaServer.server)
    await device.login('alice@example.com')
    device.profileId = mediaServer.adultId
    const scriptUrl = `${(await lookUpStream(STYLED_VIDEO, '', device)).subtitles[0]?.original_url}track.ass`
    expect(await fetchStatus(scriptUrl)).toBe(200)
    expect(await fetchStatus(scriptUrl.replace(/\/hls\/\d+\//, '/hls/999/'))).toBe(404)
    mediaServer.server.advanceClock(5 * 3_600_000)
    expect(await fetchStatus(scriptUrl)).toBe(404)
    mediaServer.server.advanceClock(-5 * 3_600_000)
    await device.post('/api/auth/logout')
    // The server caches the permission of a login for one second. The clock moves past this second.
    mediaServer.server.advanceClock(1_500)
    expect(await fetchStatus(scriptUrl)).toBe(404)
  })
})

describe('picture subtitles', () => {
  test('picture subtitles are listed with their format and burn-in ID, and a PGS track is sent as a PGS stream', async () => {
    const { subtitles } = await lookUpStream(PICTURE_VIDEO)
    expect(subtitles.map(({ lang, format, burn_in_id }) => [lang, format, burn_in_id])).toEqual([
      ['en', 'pgs', 2],
      ['fr', 'vobsub', 3],
      ['de', 'pgs', 4],
    ])
    expect(subtitles.filter(({ url }) => url !== undefined)).toEqual([])
    expect(subtitles[1]).not.toHaveProperty('original_url')
    const response = await mediaServer.fetchMedia(`${subtitles[0]?.original_url}track.sup`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(isPgsStream(bytes)).toBe(true)
    const firstPictureOffset = createPgsStream([], { width: 1, height: 1 }).length
    expect(bytes.readUInt32BE(firstPictureOffset + 2) / 90_000).toBeCloseTo(4, 1)
  })

  test('the first request and every later request for a PGS track return 415 if isPgsStream rejects the track', async () => {
    const hostileSubtitle = (await lookUpStream(PICTURE_VIDEO)).subtitles[2]
    expect(await fetchStatus(`${hostileSubtitle?.original_url}track.sup`)).toBe(415)
    expect(await fetchStatus(`${hostileSubtitle?.original_url}track.sup`)).toBe(415)
  })

  test.each([
    ['PGS', 2],
    ['VobSub', 3],
  ])('subtitles of format %s are drawn into the video on request, also after a seek', async (_, id) => {
    const plainStream = await lookUpStream(PICTURE_VIDEO)
    expect(plainStream.sources[0]).toMatchObject({ delivery: 'direct' })
    const { sources } = await lookUpStream(PICTURE_VIDEO, `&burnt_in_subtitle=${id}`)
    expect(sources[0]).toMatchObject({ delivery: 'transcode', reason: 'burnt_in_subtitle' })
    const url = sources[0]?.url ?? ''
    // The DVD subtitle in the file has a display time of 49 days. The playlist must still be only as long as the video.
    const segmentCount = (await fetchText(url)).match(/#EXTINF/g)?.length
    expect(segmentCount).toBe(Math.ceil(TEST_VIDEO_SECONDS / ENCODED_SEGMENT_SECONDS))
    // The subtitle is displayed from 4 s to 9 s. The brightness is measured in the last frame of a segment.
    const readBrightnessAt = (seconds: number) =>
      readBrightness(url, Math.floor(seconds / ENCODED_SEGMENT_SECONDS))
    expect(await readBrightnessAt(0)).toBeLessThan(200)
    expect(await readBrightnessAt(5)).toBeGreaterThan(225)
    expect(await readBrightnessAt(7)).toBeGreaterThan(225)
  })

  test('a video is sent without a burnt-in subtitle when the requested track does not exist or is a text track', async () => {
    for (const id of [1, 9]) {
      const { sources } = await lookUpStream(PICTURE_VIDEO, `&burnt_in_subtitle=${id}`)
      expect(sources[0]).toMatchObject({ delivery: 'direct' })
    }
  })
})

/**
 * Returns the mean brightness (0 to 255) of a region in the last frame of a segment.
 * The test subtitle draws a white rectangle in this region.
 */
async function readBrightness(url: string, segmentIndex: number): Promise<number> {
  const playlist = await fetchText(url)
  const initializationUri = /URI="(.+?)"/.exec(playlist)?.[1] ?? ''
  const chunks: Buffer[] = []
  for (const uri of [initializationUri, `${segmentIndex}.m4s`]) {
    const response = await mediaServer.fetchMedia(new URL(uri, new URL(url, 'http://host')).pathname)
    expect(response.status, uri).toBe(200)
    chunks.push(Buffer.from(await response.arrayBuffer()))
  }
  const filePath = join(dataFolder.path, 'segment.mp4')
  writeFileSync(filePath, Buffer.concat(chunks))
  const cropFilter = 'crop=iw*0.4:ih*0.1:iw*0.3:ih*0.78,scale=1:1,format=gray'
  const ffmpegArguments = ['-v', 'error', '-i', filePath, '-vf', cropFilter, '-f', 'rawvideo', '-']
  // ffmpeg writes one byte per frame, because the filter scales the region to one grey pixel.
  return spawnSync('ffmpeg', ffmpegArguments).stdout.at(-1) ?? 0
}

describe('checks of extracted tracks', () => {
  const cue = { startSeconds: 1, endSeconds: 2, x: 0, y: 0, width: 100, height: 20 }
  const pgsStream = createPgsStream([cue], { width: 1920, height: 1080 })

  test('a PGS stream is accepted only if it ends at the end of a PGS segment and its pictures fit a screen', () => {
    expect(isPgsStream(pgsStream)).toBe(true)
    for (let lengthBytes = 0; lengthBytes < pgsStream.length; lengthBytes++) {
      const truncatedStream = pgsStream.subarray(0, lengthBytes)
      // A truncated stream is accepted only if it ends between two PGS segments. A PGS segment starts with `PG`.
      if (isPgsStream(truncatedStream))
        expect(pgsStream.toString('latin1', lengthBytes, lengthBytes + 2)).toBe('PG')
    }
    expect(isPgsStream(createPgsStream([{ ...cue, width: 5_000 }], { width: 1920, height: 1080 }))).toBe(
      false,
    )
    expect(isPgsStream(createPgsStream([cue], { width: 65_535, height: 65_535 }))).toBe(false)
    expect(isPgsStream(Buffer.from('PG'.repeat(500)))).toBe(false)
    expect(isPgsStream(Buffer.alloc(1_000, 0xff))).toBe(false)
  })

  test('isPgsStream does not throw for a PGS stream with one changed byte', () => {
    for (let offset = 0; offset < pgsStream.length; offset++)
      for (const byteValue of [0, 0x7f, 0xff]) {
        const changedStream = Buffer.from(pgsStream)
        changedStream[offset] = byteValue
        expect(typeof isPgsStream(changedStream)).toBe('boolean')
      }
  })

  test('an ASS script without a dialogue line and a font file without a font signature are rejected', () => {
    const dialogueLine = { start: '0:00:01.00', end: '0:00:02.00', text: 'Hello' }
    expect(isStyledScript(Buffer.from(createAssScript([dialogueLine])))).toBe(true)
    expect(isStyledScript(Buffer.from(createAssScript([])))).toBe(false)
    expect(isStyledScript(Buffer.from('<html>'))).toBe(false)
    expect(isFont(Buffer.from('OTTO\0'))).toBe(true)
    expect(isFont(Buffer.from('<svg'))).toBe(false)
    expect(isFont(Buffer.alloc(0))).toBe(false)
  })
})

describe('conversion plans', () => {
  test('a conversion plan with a burnt-in subtitle is unchanged after it is formatted and parsed, and parseConversionPlan returns null for a plan that copies the video and has a burnt-in subtitle', () => {
    const plan = { maxHeightPixels: 720, audioIndex: 1, isAudioCopied: true, burntInSubtitleIndex: 12 }
    expect(parseConversionPlan(formatConversionPlan(plan))).toEqual(plan)
    expect(parseConversionPlan(formatConversionPlan({ ...plan, burntInSubtitleIndex: null }))).toEqual({
      ...plan,
      burntInSubtitleIndex: null,
    })
    expect(parseConversionPlan('copy 1 copy 12')).toBeNull()
    expect(parseConversionPlan('720 1 copy 12;movie=x')).toBeNull()
  })

  test('buildConversionArguments draws a burnt-in subtitle after tone mapping and scales it to the size of the converted video', () => {
    const ffmpegArguments = buildConversionArguments({
      path: '/film.mkv',
      startSeconds: 0,
      prerollSeconds: 0,
      entryPoint: null,
      video: {
        index: 0,
        codec: 'hevc',
        profile: '',
        level: 0,
        width: 3840,
        height: 1600,
        bitDepth: 10,
        hasHalvedChroma: true,
        hdr: 'pq',
        isInterlaced: false,
        framesPerSecond: 24,
      },
      audio: null,
      isAudioCopied: false,
      encoding: {
        encoder: { name: 'libx264', arguments: [], filters: ['format=yuv420p'], deviceArguments: [] },
        maxHeight: 1080,
        segmentSeconds: 3,
        hasZscale: true,
        burntInSubtitleIndex: 5,
      },
    })
    const filterGraph = ffmpegArguments[ffmpegArguments.indexOf('-filter_complex') + 1] ?? ''
    expect(filterGraph).toMatch(
      /tonemap.*\[video\];\[0:5\]scale=w=1920:h=800:.*overlay=.*,format=yuv420p\[picture\]$/,
    )
    expect(ffmpegArguments).toContain('[picture]')
    expect(ffmpegArguments).not.toContain('-vf')
  })
})

test('after successful and failed extractions, the folder of extracted tracks contains no partial files', () => {
  expect(existsSync(join(dataFolder.path, 'transcode/subtitles'))).toBe(true)
  expect(
    listStoredTracks().filter((name) => !/^[\da-f]{32}-(?:\d+\.(?:vtt|ass|sup)|font-\d+\.ttf)$/.test(name)),
  ).toEqual([])
})
