/** Converted streams with the real ffmpeg: playlists, segments, seeking, limits, revocation and cleaning up. */

import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeTestVideo } from '../../../scripts/test-videos.ts'
import { createApp } from '../../../server/app.ts'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import {
  closeConversions,
  deleteLeftoverConversions,
  endConversionSession,
  listConversionSessions,
  openConversionSession,
} from '../../../server/services/playback/conversion/conversions.ts'
import { ENCODED_SEGMENT_SECONDS } from '../../../server/services/playback/conversion/segments.ts'
import { verifyStreamUrl } from '../../../server/services/playback/media-url.ts'
import {
  answerStreamMessages,
  listPlaybackSessions,
} from '../../../server/services/playback/running-streams.ts'
import { encodeCapabilities } from '../../../src/lib/rules/playback-capabilities.ts'
import { TestClient } from '../../support/test-client.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

/** Capability code of Debian's Chromium: it decodes H.264, AAC, VP9, AV1, Opus and FLAC, but neither HEVC nor Dolby. */
const CHROMIUM_CAPABILITY_CODE = encodeCapabilities((type) =>
  /^(?!video\/x-m).*(?:avc1\.640|vp0?[89]|av01|mp4a|opus|flac|vorbis|mpeg)/.test(type),
)
const VIDEOS = [
  'h264-aac.mp4',
  'h264-ac3.mkv',
  'h264-dts.mkv',
  'hevc-aac.mkv',
  'mpeg4-mp3.avi',
  'mpeg2-mp2.ts',
  'h264-aac.ts',
  'hevc-hdr-aac.mkv',
  'h264-odd-size-aac.mkv',
  'h264-vfr-aac.mkv',
  'h264-two-languages.mkv',
  'truncated.mkv',
  'damaged.mkv',
  'noise.mkv',
  'h264-b-frames-ac3.mkv',
]
const getImdbId = (fileName: string) => `tt${String(VIDEOS.indexOf(fileName) + 1).padStart(7, '0')}`

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
    VIDEOS.map((name) => ({ title: name, imdb: getImdbId(name), isSafeForKids: name === 'h264-dts.mkv' })),
    // Conversions do not depend on the database, so SQLite is enough.
    openSqliteDatabase(':memory:'),
  )
}, 120_000)
afterEach(async () => {
  for (const { key } of listConversionSessions(mediaServer.server.deps))
    await endConversionSession(mediaServer.server.deps, key)
})
afterAll(async () => {
  await mediaServer.close()
  mediaFolder.remove()
  dataFolder.remove()
})

async function lookUpStream(fileName: string, query = '', device?: TestClient) {
  const { body } = await mediaServer.lookUpStream(
    `movie/${getImdbId(fileName)}`,
    `?decoders=${CHROMIUM_CAPABILITY_CODE}${query}`,
    device,
  )
  return body
}
async function loadPlaylist(url: string) {
  const response = await mediaServer.fetchMedia(url)
  const playlistText = await response.text()
  return {
    status: response.status,
    text: playlistText,
    initialization: /URI="(.+?)"/.exec(playlistText)?.[1] ?? '',
    segments: playlistText.split('\n').filter((line) => line.endsWith('.m4s')),
    durationsSeconds: [...playlistText.matchAll(/EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds)),
  }
}
const resolvePlaylistUri = (playlistUrl: string, uri: string) =>
  new URL(uri, new URL(playlistUrl, 'http://host')).pathname

/** Loads the segments with these URIs, the initialisation segment first, and returns what ffprobe finds in them. */
async function probeSegments(url: string, uris: string[]) {
  const chunks: Buffer[] = []
  for (const uri of uris) {
    const response = await mediaServer.fetchMedia(resolvePlaylistUri(url, uri))
    expect(response.status, uri).toBe(200)
    chunks.push(Buffer.from(await response.arrayBuffer()))
  }
  const filePath = join(dataFolder.path, 'probed.mp4')
  writeFileSync(filePath, Buffer.concat(chunks))
  const entrySelection =
    'stream=codec_name,codec_type,width,height,channels,pix_fmt,color_space,color_primaries,color_transfer:packet=codec_type,pts_time,flags'
  const ffprobeArguments = [
    '-v',
    'error',
    '-of',
    'json',
    '-show_entries',
    entrySelection,
    '-show_packets',
    filePath,
  ]
  const output = JSON.parse(
    spawnSync('ffprobe', ffprobeArguments, { encoding: 'utf8', maxBuffer: 1e8 }).stdout,
  )
  const videoPackets = output.packets.filter(
    (packet: { codec_type: string }) => packet.codec_type === 'video',
  )
  // ffmpeg adds TIME_OFFSET_SECONDS (1 s) to all timestamps of the segments.
  const timesSeconds = videoPackets
    .map((packet: { pts_time: string }) => Number(packet.pts_time) - 1)
    .sort((a: number, b: number) => a - b)
  return {
    streams: output.streams,
    frameTimesSeconds: timesSeconds as number[],
    startsWithKeyframe: videoPackets[0]?.flags.startsWith('K') === true,
    audioPacketCount: output.packets.length - videoPackets.length,
  }
}

/**
 * Sends SIGKILL to an ffmpeg process that this process started, as the system does when memory is short.
 * Returns false if no such ffmpeg process is running.
 */
function killChildFfmpeg(): boolean {
  const statPrefix = `^(\\d+) \\(ffmpeg\\) [A-Z] ${process.pid} `
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const [, pid] = new RegExp(statPrefix).exec(readProcessStat(name)) ?? []
    if (pid === undefined) continue
    process.kill(Number(pid), 'SIGKILL')
    return true
  }
  return false
}

/** Returns the content of `/proc/<pid>/stat`, or an empty text if the process has already ended. */
function readProcessStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}

describe('delivery of a file', () => {
  test.each([
    ['h264-aac.mp4', 'direct', 'playable'],
    ['h264-ac3.mkv', 'remux', 'container'],
    ['h264-dts.mkv', 'remux', 'container'],
    ['hevc-aac.mkv', 'transcode', 'video_codec'],
    ['mpeg4-mp3.avi', 'transcode', 'video_codec'],
    ['mpeg2-mp2.ts', 'transcode', 'video_codec'],
    ['h264-aac.ts', 'remux', 'container'],
    ['noise.mkv', 'direct', 'unknown'],
  ])('%s has the delivery %s with the reason %s', async (name, delivery, reason) => {
    const { sources } = await lookUpStream(name)
    expect(sources[0]).toMatchObject({ delivery, reason })
  })

  test('HEVC video is transcoded when the browser sends no `decoders` code', async () => {
    const { body } = await mediaServer.lookUpStream(`movie/${getImdbId('hevc-aac.mkv')}`)
    expect(body.sources[0]?.delivery).toBe('transcode')
  })

  test('with ffmpeg turned off, a file is sent unchanged and the response says that conversion is off', async () => {
    const server = await startMediaTestServer({ MEDIA_DIR: mediaFolder.path, FFMPEG_PATH: 'off' }, [
      { title: 'Film', imdb: getImdbId('hevc-aac.mkv') },
    ])
    const { body } = await server.lookUpStream(
      `movie/${getImdbId('hevc-aac.mkv')}`,
      `?decoders=${CHROMIUM_CAPABILITY_CODE}`,
    )
    expect(body).toMatchObject({ conversion: 'off', sources: [{ delivery: 'direct' }] })
    await server.close()
  })
})

describe('a converted stream', () => {
  test.each([
    ['h264-ac3.mkv', 'h264'],
    ['h264-dts.mkv', 'h264'],
    ['h264-aac.ts', 'h264'],
    ['hevc-aac.mkv', 'h264'],
    ['mpeg4-mp3.avi', 'h264'],
    ['mpeg2-mp2.ts', 'h264'],
    ['hevc-hdr-aac.mkv', 'h264'],
    ['h264-odd-size-aac.mkv', 'h264'],
    ['h264-vfr-aac.mkv', 'h264'],
  ])('the stream of %s has all frames in the segments that the playlist lists', async (name, codec) => {
    const { sources } = await lookUpStream(name)
    const url = sources[0]?.url ?? ''
    const playlist = await loadPlaylist(url)
    expect(playlist.status).toBe(200)
    expect(playlist.durationsSeconds.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(9.5)
    const { streams, frameTimesSeconds, audioPacketCount } = await probeSegments(url, [
      playlist.initialization,
      ...playlist.segments,
    ])
    expect(streams.map((stream: { codec_name: string }) => stream.codec_name)).toEqual([codec, 'aac'])
    expect(streams[0].width % 2).toBe(0)
    expect(streams[0].pix_fmt).toBe('yuv420p')
    expect(streams[1].channels).toBe(2)
    expect(frameTimesSeconds[0]).toBeLessThan(0.15)
    expect(frameTimesSeconds.at(-1)).toBeGreaterThan(9.7)
    const gapsSeconds = frameTimesSeconds
      .slice(1)
      .map((seconds, index) => seconds - (frameTimesSeconds[index] ?? 0))
    expect(Math.max(...gapsSeconds)).toBeLessThan(0.2)
    expect(audioPacketCount).toBeGreaterThan(400)
  })

  test.each(['h264-ac3.mkv', 'h264-aac.ts', 'mpeg2-mp2.ts', 'mpeg4-mp3.avi'])(
    'the stream of the standard-definition video %s states the colour matrix smpte170m, because browsers would assume another matrix',
    async (name) => {
      const url = (await lookUpStream(name)).sources[0]?.url ?? ''
      const playlist = await loadPlaylist(url)
      const { streams } = await probeSegments(url, [playlist.initialization, playlist.segments[0] ?? ''])
      expect(streams[0]).toMatchObject({
        color_space: 'smpte170m',
        color_primaries: 'smpte170m',
        color_transfer: 'smpte170m',
      })
    },
  )

  test.each(['h264-ac3.mkv', 'h264-b-frames-ac3.mkv', 'hevc-aac.mkv', 'mpeg2-mp2.ts', 'h264-aac.ts'])(
    'when the stream of %s starts at a later segment, that segment and the next one begin with keyframes, frame times match the playlist, and the first segment can also be loaded',
    async (name) => {
      const { sources } = await lookUpStream(name)
      const url = sources[0]?.url ?? ''
      const playlist = await loadPlaylist(`${url}?start=7`)
      const index = playlist.segments.length - 1
      const startSeconds = playlist.durationsSeconds.slice(0, -1).reduce((sum, seconds) => sum + seconds, 0)
      // The stream starts in the last but one segment, which contains second 7: segments of copied video start at 0, 4
      // and 8 s, and segments of encoded video start every 3 s.
      expect(playlist.initialization).toBe(`init-${index - 1}.mp4`)
      const lastProbe = await probeSegments(url, [playlist.initialization, playlist.segments[index] ?? ''])
      expect(Math.abs((lastProbe.frameTimesSeconds[0] ?? 0) - startSeconds)).toBeLessThan(0.1)
      const previousProbe = await probeSegments(url, [
        playlist.initialization,
        playlist.segments[index - 1] ?? '',
      ])
      expect([previousProbe.startsWithKeyframe, lastProbe.startsWithKeyframe]).toEqual([true, true])
      const firstProbe = await probeSegments(url, [playlist.initialization, playlist.segments[0] ?? ''])
      expect(firstProbe.frameTimesSeconds[0]).toBeLessThan(0.15)
      expect(firstProbe.frameTimesSeconds.at(-1)).toBeGreaterThan((playlist.durationsSeconds[0] ?? 0) - 0.15)
    },
  )

  test.each(['hevc-aac.mkv', 'mpeg2-mp2.ts'])(
    'after a seek, every segment of the stream of %s starts with a keyframe',
    async (name) => {
      const url = (await lookUpStream(name)).sources[0]?.url ?? ''
      const playlist = await loadPlaylist(`${url}?start=3`)
      expect(playlist.segments.length).toBeGreaterThan(1)
      for (const [index, segment] of playlist.segments.entries()) {
        if (index === 0) continue
        const { startsWithKeyframe, frameTimesSeconds } = await probeSegments(url, [
          playlist.initialization,
          segment,
        ])
        expect(startsWithKeyframe, segment).toBe(true)
        expect(Math.abs((frameTimesSeconds[0] ?? 0) - ENCODED_SEGMENT_SECONDS * index)).toBeLessThan(0.1)
      }
    },
  )

  test('for a truncated or damaged file, the first segment of the stream returns 200, and each later segment 200 or 404', async () => {
    for (const name of ['truncated.mkv', 'damaged.mkv']) {
      const { sources } = await lookUpStream(name)
      const url = sources[0]?.url ?? ''
      const playlist = await loadPlaylist(url)
      const statuses: number[] = []
      for (const uri of [playlist.initialization, ...playlist.segments])
        statuses.push((await mediaServer.fetchMedia(resolvePlaylistUri(url, uri))).status)
      expect(statuses[1]).toBe(200)
      expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
    }
  })

  test('the segments of a playlist can still be loaded after the file has grown, and a playlist that is requested later also lists the added segments', async () => {
    const name = 'h264-aac.ts'
    const filePath = join(mediaFolder.path, `Film {imdb-${getImdbId(name)}}`, name)
    const completeBytes = readFileSync(filePath)
    writeFileSync(filePath, completeBytes.subarray(0, 188 * Math.round((completeBytes.length * 0.6) / 188)))
    const url = (await lookUpStream(name)).sources[0]?.url ?? ''
    const loadStatus = async (uri: string) =>
      (await mediaServer.fetchMedia(resolvePlaylistUri(url, uri))).status
    const oldPlaylist = await loadPlaylist(url)
    const [oldSession] = listConversionSessions(mediaServer.server.deps)
    writeFileSync(filePath, completeBytes)
    for (const uri of [oldPlaylist.initialization, ...oldPlaylist.segments])
      expect(await loadStatus(uri), uri).toBe(200)
    expect(await loadStatus(`${oldPlaylist.segments.length}.m4s`)).toBe(404)
    expect(listConversionSessions(mediaServer.server.deps)).toEqual([oldSession])
    const newPlaylist = await loadPlaylist(url)
    expect(newPlaylist.segments.length).toBeGreaterThan(oldPlaylist.segments.length)
    for (const uri of [newPlaylist.initialization, ...newPlaylist.segments])
      expect(await loadStatus(uri), uri).toBe(200)
  })

  test('after the file of an open conversion session is renamed, the segments return 404, and a lookup after the next scan returns a valid playlist URL', async () => {
    const name = 'h264-dts.mkv'
    const filePath = join(mediaFolder.path, `Film {imdb-${getImdbId(name)}}`, name)
    const renamedPath = filePath.replace('.mkv', ' - 720p.mkv')
    const library = getLibrarySync(mediaServer.server.deps)
    const url = (await lookUpStream(name)).sources[0]?.url ?? ''
    const { deps } = mediaServer.server
    const claim = verifyStreamUrl(deps, url)?.claim
    if (!claim) throw new Error('the stream is not converted')
    // The session exists, but has not read the file yet.
    await openConversionSession(deps, claim)
    renameSync(filePath, renamedPath)
    try {
      expect((await mediaServer.fetchMedia(resolvePlaylistUri(url, '2.m4s'))).status).toBe(404)
      await library?.scan(async () => {})
      const newUrl = (await lookUpStream(name)).sources[0]?.url ?? ''
      expect((await loadPlaylist(newUrl)).status).toBe(200)
    } finally {
      renameSync(renamedPath, filePath)
      await library?.scan(async () => {})
    }
  })

  test('selects the audio track of the requested language or index, and lists all audio tracks', async () => {
    const englishReply = await lookUpStream('h264-two-languages.mkv')
    expect(englishReply.audio_tracks).toMatchObject([
      { lang: 'en', kind: 'main', selected: true },
      { lang: 'fr', kind: 'main', selected: false },
      { lang: 'en', kind: 'commentary', selected: false },
    ])
    const frenchReply = await lookUpStream('h264-two-languages.mkv', '&audio_language=fr')
    expect(frenchReply.audio_tracks?.find(({ selected }) => selected)?.lang).toBe('fr')
    const commentaryReply = await lookUpStream('h264-two-languages.mkv', '&audio=3&audio_language=fr')
    expect(commentaryReply.audio_tracks?.findIndex(({ selected }) => selected)).toBe(2)
  })

  test('a lookup lists the audio track of a file even if the file has only one, so that the player knows the spoken language', async () => {
    const { audio_tracks } = await lookUpStream('h264-aac.mp4')
    expect(audio_tracks).toMatchObject([{ kind: 'main', selected: true }])
  })

  test('a file that is offered in only one quality is also offered as a transcode in this quality, for browsers that fail to decode the file', async () => {
    const { sources } = await lookUpStream('h264-aac.mp4')
    expect(sources.map(({ quality, delivery }) => [quality, delivery])).toEqual([
      ['240p', 'direct'],
      ['240p', 'transcode'],
    ])
  })
})

describe('access to a converted stream and the end of the stream', () => {
  test('a changed or expired URL of a segment returns 404', async () => {
    const { sources } = await lookUpStream('h264-dts.mkv')
    const url = sources[0]?.url ?? ''
    const { segments } = await loadPlaylist(url)
    const segment = resolvePlaylistUri(url, segments[0] ?? '')
    expect((await mediaServer.fetchMedia(segment)).status).toBe(200)
    const changedUrls = [
      segment.replace('/hls/', '/m/'),
      segment.replace(/\/hls\/\d+\//, '/hls/999/'),
      segment.replace(/\/(\d{13})\./, (_, digits: string) => `/${Number(digits) + 1}.`),
      segment.replace(/0\.m4s$/, '../0.m4s'),
      segment.replace(/0\.m4s$/, '999.m4s'),
      segment.replace(/0\.m4s$/, 'init-999.mp4'),
    ]
    for (const changedUrl of changedUrls)
      expect((await mediaServer.fetchMedia(changedUrl)).status, changedUrl).toBe(404)
    mediaServer.server.advanceClock(5 * 3_600_000)
    expect((await mediaServer.fetchMedia(segment)).status).toBe(404)
    mediaServer.server.advanceClock(-5 * 3_600_000)
  })

  test('a stream ends when the login of the viewer ends, and requests for the segments of the stream then return 404', async () => {
    const device = new TestClient(mediaServer.server)
    await device.login('alice@example.com')
    device.profileId = mediaServer.adultId
    const { sources } = await lookUpStream('hevc-aac.mkv', '', device)
    const url = sources[0]?.url ?? ''
    const { segments } = await loadPlaylist(url)
    expect((await mediaServer.fetchMedia(resolvePlaylistUri(url, segments[0] ?? ''))).status).toBe(200)
    expect(listConversionSessions(mediaServer.server.deps).length).toBeGreaterThan(0)
    await device.post('/api/auth/logout')
    await expect
      .poll(() => listConversionSessions(mediaServer.server.deps).length, { timeout: 8_000 })
      .toBe(0)
    expect((await mediaServer.fetchMedia(resolvePlaylistUri(url, segments[0] ?? ''))).status).toBe(404)
  })

  test('a request for the playlist starts the conversion, before the player requests a segment', async () => {
    const { sources } = await lookUpStream('hevc-aac.mkv')
    await loadPlaylist(`${sources[0]?.url ?? ''}?start=7`)
    await expect
      .poll(
        () =>
          readdirSync(join(dataFolder.path, 'transcode'), { recursive: true }).map((path) =>
            basename(String(path)),
          ),
        { timeout: 8_000 },
      )
      .toEqual(expect.arrayContaining(['init.mp4', expect.stringMatching(/^[1-9]\.m4s$/)]))
  })

  test('a stream continues after its ffmpeg process was killed', async () => {
    const { sources } = await lookUpStream('hevc-aac.mkv')
    const url = sources[0]?.url ?? ''
    const { segments } = await loadPlaylist(url)
    const firstResponsePromise = mediaServer.fetchMedia(resolvePlaylistUri(url, segments[0] ?? ''))
    await expect.poll(killChildFfmpeg, { interval: 5 }).toBe(true)
    expect((await firstResponsePromise).status).toBe(200)
    for (const segment of segments)
      expect((await mediaServer.fetchMedia(resolvePlaylistUri(url, segment))).status, segment).toBe(200)
  })

  test('a converted stream without requests ends after a minute', async () => {
    const { sources } = await lookUpStream('h264-ac3.mkv')
    await loadPlaylist(sources[0]?.url ?? '')
    expect(listConversionSessions(mediaServer.server.deps)).toHaveLength(1)
    mediaServer.server.advanceClock(61_000)
    await expect
      .poll(() => listConversionSessions(mediaServer.server.deps).length, { timeout: 8_000 })
      .toBe(0)
    mediaServer.server.advanceClock(-61_000)
  })

  test('while one device uses up the conversion limit, a lookup by a second device returns the name of the watching profile, and a playlist request by the second device returns 503', async () => {
    const { sources } = await lookUpStream('hevc-aac.mkv')
    expect((await loadPlaylist(sources[0]?.url ?? '')).status).toBe(200)
    const device = new TestClient(mediaServer.server)
    await device.login('alice@example.com')
    device.profileId = mediaServer.adultId
    const busyReply = await lookUpStream('mpeg4-mp3.avi', '', device)
    expect(busyReply).toMatchObject({ conversion: 'busy', busy_with: { profiles: ['Alice'], others: 0 } })
    const rejectedResponse = await mediaServer.fetchMedia(busyReply.sources[0]?.url ?? '')
    expect(rejectedResponse.status).toBe(503)
    expect(rejectedResponse.headers.get('retry-after')).toBe('15')
    expect((await lookUpStream('h264-ac3.mkv', '', device)).sources[0]?.delivery).toBe('remux')
    mediaServer.server.advanceClock(21_000)
    expect((await loadPlaylist(busyReply.sources[0]?.url ?? '')).status).toBe(200)
    expect(listConversionSessions(mediaServer.server.deps)).toHaveLength(1)
    mediaServer.server.advanceClock(-21_000)
  })

  test('when a device that uses up the conversion limit starts another video, the previous stream of the device ends, and its segments return 503', async () => {
    const oldUrl = (await lookUpStream('hevc-aac.mkv')).sources[0]?.url ?? ''
    const { segments } = await loadPlaylist(oldUrl)
    const newUrl = (await lookUpStream('mpeg4-mp3.avi')).sources[0]?.url ?? ''
    expect((await loadPlaylist(newUrl)).status).toBe(200)
    const listPaths = () => listConversionSessions(mediaServer.server.deps).map(({ path }) => basename(path))
    expect(listPaths()).toEqual(['mpeg4-mp3.avi'])
    expect((await mediaServer.fetchMedia(resolvePlaylistUri(oldUrl, segments[0] ?? ''))).status).toBe(503)
    expect(listPaths()).toEqual(['mpeg4-mp3.avi'])
    expect((await loadPlaylist(oldUrl)).status).toBe(200)
    expect(listPaths()).toEqual(['hevc-aac.mkv'])
  })

  test('when a playlist request starts an encoding, the conversion limit is read from the database only once', async () => {
    const { deps } = mediaServer.server
    const { sources } = await lookUpStream('hevc-aac.mkv')
    const { reader } = deps.database
    let readCount = 0
    deps.database.reader = reader.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('conversion_limit')) readCount += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    try {
      expect((await loadPlaylist(sources[0]?.url ?? '')).status).toBe(200)
    } finally {
      deps.database.reader = reader
    }
    expect(readCount).toBe(1)
  })

  test('an administrator can list and stop a stream, and the device that played the stream then gets 404 for a minute', async () => {
    const { sources } = await lookUpStream('h264-ac3.mkv')
    const url = sources[0]?.url ?? ''
    const { segments } = await loadPlaylist(url)
    await mediaServer.fetchMedia(resolvePlaylistUri(url, segments[0] ?? ''))
    const directReply = await lookUpStream('h264-aac.mp4')
    await (await mediaServer.fetchMedia(directReply.sources[0]?.url ?? '')).arrayBuffer()
    const { body } = await mediaServer.adult.get('/api/admin/streams')
    expect(body.ffmpeg).toMatchObject({ status: 'available', limit: expect.any(Number) })
    expect(body.results.map((stream: { delivery: string }) => stream.delivery).sort()).toEqual([
      'direct',
      'remux',
    ])
    expect(listPlaybackSessions(mediaServer.server.deps)).toHaveLength(2)
    const remuxStream = body.results.find((stream: { delivery: string }) => stream.delivery === 'remux')
    expect(remuxStream).toMatchObject({ profile: 'Alice', title: { name: 'h264-ac3.mkv', type: 'movie' } })
    expect((await mediaServer.adult.delete(`/api/admin/streams/${remuxStream.id}`)).status).toBeLessThan(300)
    expect((await mediaServer.fetchMedia(resolvePlaylistUri(url, segments[0] ?? ''))).status).toBe(404)
    expect((await mediaServer.adult.delete(`/api/admin/streams/${remuxStream.id}`)).status).toBe(404)
    mediaServer.server.advanceClock(61_000)
    expect((await mediaServer.fetchMedia(resolvePlaylistUri(url, segments[0] ?? ''))).status).toBe(200)
    mediaServer.server.advanceClock(-61_000)
  })

  test('when another process handles the request of an administrator to stop a stream, the device that played the stream gets 404 in every process', async () => {
    const { deps } = mediaServer.server
    // A copy of the deps object has its own streams, like another process. Both use the same event bus.
    const otherDeps = { ...deps }
    const otherApp = createApp(otherDeps)
    for (const processDeps of [deps, otherDeps]) answerStreamMessages(processDeps)
    const administrator = new TestClient({
      ...mediaServer.server,
      deps: otherDeps,
      request: async (path, init) => otherApp.request(path, init),
    })
    await administrator.login('alice@example.com')
    administrator.profileId = mediaServer.adultId
    const url = (await lookUpStream('h264-dts.mkv')).sources[0]?.url ?? ''
    const { segments } = await loadPlaylist(url)
    const segmentPath = resolvePlaylistUri(url, segments[0] ?? '')
    expect((await mediaServer.fetchMedia(segmentPath)).status).toBe(200)
    const [session] = listConversionSessions(deps)
    const loadOtherStatus = async () => {
      const response = await otherApp.request(segmentPath)
      // The server closes the file of the segment only after the client has read the last byte.
      await response.arrayBuffer()
      return response.status
    }
    expect(await loadOtherStatus()).toBe(200)
    for (const { key } of listConversionSessions(otherDeps)) await endConversionSession(otherDeps, key)
    const stopStream = (id = '') => administrator.delete(`/api/admin/streams/${id}`)
    expect((await stopStream('0'.repeat(24))).status).toBe(404)
    expect((await stopStream(session?.key)).status).toBeLessThan(300)
    await expect.poll(() => listConversionSessions(deps)).toEqual([])
    expect((await mediaServer.fetchMedia(segmentPath)).status).toBe(404)
    expect(await loadOtherStatus()).toBe(404)
  })

  test('a stream that is requested immediately before the server stops is rejected with 503', async () => {
    // Streams belong to the deps object, so closing the streams of a copy does not affect the other tests.
    const deps = { ...mediaServer.server.deps }
    const { sources } = await lookUpStream('h264-ac3.mkv')
    const verifiedUrl = verifyStreamUrl(deps, sources[0]?.url ?? '')
    if (!verifiedUrl) throw new Error('The URL of the stream is invalid.')
    const sessionPromise = openConversionSession(deps, verifiedUrl.claim)
    const closePromise = closeConversions(deps)
    await expect(sessionPromise).rejects.toMatchObject({ type: 'overloaded' })
    await closePromise
    expect(listConversionSessions(deps)).toEqual([])
  })

  test('segments of crashed processes are deleted when the server starts, and all segments are deleted when the server stops', async () => {
    const leftoverFolder = join(dataFolder.path, 'transcode/999999999-left')
    mkdirSync(leftoverFolder, { recursive: true })
    deleteLeftoverConversions(mediaServer.server.deps)
    expect(existsSync(leftoverFolder)).toBe(false)
    const { sources } = await lookUpStream('h264-ac3.mkv')
    await loadPlaylist(sources[0]?.url ?? '')
    await closeConversions(mediaServer.server.deps)
    expect(readdirSync(join(dataFolder.path, 'transcode')).filter((name) => name !== 'subtitles')).toEqual([])
  })
})
