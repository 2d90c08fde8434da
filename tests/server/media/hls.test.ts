/** HLS streams of the media folder: every URL is signed, and files outside the stream's folder are never served. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLibrary } from '../../../server/providers/library/library.ts'
import { resolveWithinFolder, signPlaylist } from '../../../server/services/playback/playlist.ts'
import { createPatternBytes } from './make-media.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const MASTER_PLAYLIST = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="audio/en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Français",LANGUAGE="fr",URI="subs/fr.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080,AUDIO="a",SUBTITLES="s"
1080p/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,AUDIO="a",SUBTITLES="s"
720p/my%20index.m3u8?x=1
`
const MEDIA_PLAYLIST = `#EXTM3U
#EXT-X-TARGETDURATION:6
#EXT-X-MAP:URI="../init.mp4",BYTERANGE="100@0"
#EXTINF:6.0,
seg 1.m4s
#EXTINF:6.0,
seg2.ts
#EXT-X-ENDLIST
`
const SEGMENT_BYTES = createPatternBytes(100_000)
const folder = createTempFolder({
  'Heat (1995)/master.m3u8': MASTER_PLAYLIST,
  'Heat (1995)/init.mp4': createPatternBytes(1_000),
  'Heat (1995)/1080p/index.m3u8': MEDIA_PLAYLIST.replaceAll('\n', '\r\n'),
  'Heat (1995)/1080p/seg 1.m4s': SEGMENT_BYTES,
  'Heat (1995)/1080p/seg2.ts': SEGMENT_BYTES,
  'Heat (1995)/720p/my index.m3u8': MEDIA_PLAYLIST,
  'Heat (1995)/audio/en.m3u8': '#EXTM3U\n#EXTINF:6,\nen.aac\n',
  'Heat (1995)/audio/en.aac': 'sound',
  'Heat (1995)/subs/fr.m3u8': '#EXTM3U\n#EXTINF:6,\nfr.vtt\n',
  'Heat (1995)/subs/fr.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nSalut\n',
  'Heat (1995)/Heat (1995).mkv': 'the same film as one file',
  'Evil (1996)/master.m3u8': '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n../Private.mp4\n',
  'Odd (1997)/master.m3u8': '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nhttps://elsewhere.example/a.ts\n',
  'Text (1998)/master.m3u8': '#EXT-X- and no playlist at all',
  'Names (1999)/master.m3u8': '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nkeys.json\n',
  'Private.mp4': 'secret',
})

let mediaServer: MediaTestServer
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'Evil', year: 1996, imdb: 'tt0000002' },
    { title: 'Odd', year: 1997, imdb: 'tt0000003' },
    { title: 'Text', year: 1998, imdb: 'tt0000004' },
    { title: 'Names', year: 1999, imdb: 'tt0000005' },
  ])
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

const lookUpSources = async (imdb: string) => (await mediaServer.lookUpStream(`movie/${imdb}`)).body.sources
const fetchPlaylist = async (url: string) => {
  const response = await mediaServer.fetchMedia(url)
  const playlistText = await response.text()
  const urls = [...playlistText.matchAll(/^\/proxy\/m\/.*$|URI="([^"]+)"/gm)].map(
    (match) => match[1] ?? match[0].trim(),
  )
  return { status: response.status, type: response.headers.get('content-type'), text: playlistText, urls }
}

test('a folder with an HLS playlist is a source of the movie in addition to the video file', async () => {
  expect(
    (await lookUpSources('tt0000001')).map((source) => [source.mime_type, source.quality, source.size]),
  ).toEqual([
    ['application/vnd.apple.mpegurl', 'auto', null],
    ['video/x-matroska', 'auto', 25],
  ])
})

test('a playlist response contains signed URLs of playlists, segments and subtitles, and all other lines are unchanged', async () => {
  const masterPlaylist = await fetchPlaylist((await lookUpSources('tt0000001'))[0]?.url ?? '')
  expect(masterPlaylist).toMatchObject({ status: 200, type: 'application/vnd.apple.mpegurl' })
  expect(masterPlaylist.urls).toHaveLength(4)
  expect(masterPlaylist.text.replace(/\/proxy\/m\/[^"\n]+/g, '*')).toBe(
    MASTER_PLAYLIST.replace('1080p/index.m3u8', '*')
      .replace('720p/my%20index.m3u8?x=1', '*')
      .replace('audio/en.m3u8', '*')
      .replace('subs/fr.m3u8', '*'),
  )
  const [, subtitlePlaylistUrl = '', highQualityUrl = '', lowQualityUrl = ''] = masterPlaylist.urls
  for (const url of [highQualityUrl, lowQualityUrl]) expect((await fetchPlaylist(url)).urls).toHaveLength(3)
  const { urls } = await fetchPlaylist(highQualityUrl)
  const [initializationUrl = '', firstSegmentUrl = '', secondSegmentUrl = ''] = urls
  const rangeResponse = await mediaServer.fetchMedia(firstSegmentUrl, { headers: { Range: 'bytes=10-19' } })
  expect([rangeResponse.status, rangeResponse.headers.get('content-type')]).toEqual([
    206,
    'video/iso.segment',
  ])
  expect(Buffer.from(await rangeResponse.arrayBuffer()).equals(SEGMENT_BYTES.subarray(10, 20))).toBe(true)
  expect((await mediaServer.fetchMedia(secondSegmentUrl)).headers.get('content-type')).toBe('video/mp2t')
  expect((await mediaServer.fetchMedia(initializationUrl)).headers.get('content-type')).toBe('video/mp4')
  const subtitlesResponse = await mediaServer.fetchMedia(
    (await fetchPlaylist(subtitlePlaylistUrl)).urls[0] ?? '/proxy/m/none',
  )
  expect([subtitlesResponse.headers.get('content-type'), await subtitlesResponse.text()]).toEqual([
    'text/vtt; charset=utf-8',
    'WEBVTT\n\n00:01.000 --> 00:02.000\nSalut\n',
  ])
})

test('URLs in a playlist expire together with the playlist', async () => {
  const masterUrl = (await lookUpSources('tt0000001'))[0]?.url ?? ''
  const getExpiry = (url: string) => new URL(url, mediaServer.baseUrl).searchParams.get('e')
  const expiryParam = getExpiry(masterUrl)
  expect(expiryParam).toMatch(/^\d+$/)
  const { urls } = await fetchPlaylist(masterUrl)
  expect(urls.map(getExpiry)).toEqual(Array(4).fill(expiryParam))
})

test.each([
  ['contains the path of a file outside its folder', 'tt0000002'],
  ['contains a URL of another host', 'tt0000003'],
  ['has no valid format', 'tt0000004'],
  ['contains a file that is not a media file', 'tt0000005'],
])('a request for a playlist returns 404 if the playlist %s', async (_, imdb) => {
  const [firstSource] = await lookUpSources(imdb)
  expect((await fetchPlaylist(firstSource?.url ?? '')).status).toBe(404)
})

test('an .m3u8 list of movies, as VLC and Kodi write it, does not remove movies, recordings or subfolders from the library', async () => {
  const filmList = '#EXTM3U\n#EXTINF:120,Heat\nHeat (1995)/Heat.mkv\n'
  const listFolder = createTempFolder({
    'Movies/playlist.m3u8': filmList,
    'Movies/Casino.mkv': 'x',
    'Movies/Heat (1995)/Heat.mkv': 'x',
    'TV/index.m3u8': filmList,
    'TV/Fargo/Season 1/Fargo - S01E01.mkv': 'x',
    'Recordings/favourites.m3u8': '#EXTM3U\n#EXTINF:-1 tvg-id="1",News\nhttp://tuner.example/1\n',
    'Recordings/News.ts': 'x',
    'Streams/master.m3u8': MASTER_PLAYLIST,
    'Streams/1080p/index.m3u8': MEDIA_PLAYLIST,
    'Streams/Heat (1995)/Heat.mkv': 'x',
  })
  const library = await openLibrary(listFolder.path)
  await library.start()
  expect((library.listFiles() ?? []).map(({ path }) => path).sort()).toEqual([
    'Movies/Casino.mkv',
    'Movies/Heat (1995)/Heat.mkv',
    'Recordings/News.ts',
    'Streams/Heat (1995)/Heat.mkv',
    'Streams/master.m3u8',
    'TV/Fargo/Season 1/Fargo - S01E01.mkv',
  ])
  library.stop()
  listFolder.remove()
})

describe('resolveWithinFolder', () => {
  test.each([
    ['a.ts', 'Heat/a.ts'],
    ['./a.ts', 'Heat/a.ts'],
    ['b/../a.ts', 'Heat/a.ts'],
    ['a.ts?token=1#x', 'Heat/a.ts'],
    ['my%20a.ts', 'Heat/my a.ts'],
  ])('resolveWithinFolder resolves "%s" to "%s"', (uri, path) => {
    expect(resolveWithinFolder('Heat/master.m3u8', 'Heat', uri)).toBe(path)
  })
  test.each([
    '../a.ts',
    '/a.ts',
    '//host/a.ts',
    'http://host/a.ts',
    'file:a.ts',
    '%2e%2e/a.ts',
    '..%2fa.ts',
    'b/../../a.ts',
    '..\\a.ts',
    '%5c..',
    'a%00.ts',
    '%',
    '../Heat2/a.ts',
    '.',
  ])('resolveWithinFolder returns null for "%s"', (uri) => {
    expect(resolveWithinFolder('Heat/master.m3u8', 'Heat', uri)).toBeNull()
  })
})

test('signPlaylist does not change URLs that begin with "data:"', async () => {
  const playlist = '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="data:text/plain;base64,AAAA"\n'
  expect(await signPlaylist(playlist, () => null)).toBe(playlist)
})
