/** HLS as the folder has it: every address signed, nothing outside the stream's own folder. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveWithinFolder, signPlaylist } from '../../../server/services/playback/playlist.ts'
import { pattern } from './make-media.ts'
import { type Cinema, makeFolder, openCinema } from './support.ts'

const MASTER = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="audio/en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Français",LANGUAGE="fr",URI="subs/fr.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080,AUDIO="a",SUBTITLES="s"
1080p/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,AUDIO="a",SUBTITLES="s"
720p/my%20index.m3u8?x=1
`
const MEDIA = `#EXTM3U
#EXT-X-TARGETDURATION:6
#EXT-X-MAP:URI="../init.mp4",BYTERANGE="100@0"
#EXTINF:6.0,
seg 1.m4s
#EXTINF:6.0,
seg2.ts
#EXT-X-ENDLIST
`
const SEGMENT = pattern(100_000)
const folder = makeFolder({
  'Heat (1995)/master.m3u8': MASTER,
  'Heat (1995)/init.mp4': pattern(1_000),
  'Heat (1995)/1080p/index.m3u8': MEDIA.replaceAll('\n', '\r\n'),
  'Heat (1995)/1080p/seg 1.m4s': SEGMENT,
  'Heat (1995)/1080p/seg2.ts': SEGMENT,
  'Heat (1995)/720p/my index.m3u8': MEDIA,
  'Heat (1995)/audio/en.m3u8': '#EXTM3U\n#EXTINF:6,\nen.aac\n',
  'Heat (1995)/audio/en.aac': 'sound',
  'Heat (1995)/subs/fr.m3u8': '#EXTM3U\n#EXTINF:6,\nfr.vtt\n',
  'Heat (1995)/subs/fr.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nSalut\n',
  'Heat (1995)/Heat (1995).mkv': 'the same film as one file',
  'Evil (1996)/master.m3u8': '#EXTM3U\n#EXTINF:6,\n../Private.mp4\n',
  'Odd (1997)/master.m3u8': '#EXTM3U\n#EXTINF:6,\nhttps://elsewhere.example/a.ts\n',
  'Text (1998)/master.m3u8': 'no playlist at all',
  'Names (1999)/master.m3u8': '#EXTM3U\n#EXTINF:6,\nkeys.json\n',
  'Private.mp4': 'secret',
})

let cinema: Cinema
beforeAll(async () => {
  cinema = await openCinema({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'Evil', year: 1996, imdb: 'tt0000002' },
    { title: 'Odd', year: 1997, imdb: 'tt0000003' },
    { title: 'Text', year: 1998, imdb: 'tt0000004' },
    { title: 'Names', year: 1999, imdb: 'tt0000005' },
  ])
})
afterAll(async () => {
  await cinema.close()
  folder.remove()
})

const sources = async (imdb: string) => (await cinema.lookup(`movie/${imdb}`)).body.sources
const playlist = async (url: string) => {
  const answer = await cinema.fetch(url)
  const text = await answer.text()
  const named = [...text.matchAll(/^\/proxy\/m\/.*$|URI="([^"]+)"/gm)].map((one) => one[1] ?? one[0].trim())
  return { status: answer.status, type: answer.headers.get('content-type'), text, named }
}

test('a folder with a playlist is one stream, beside the film as a file', async () => {
  expect((await sources('tt0000001')).map((one) => [one.mime_type, one.quality, one.size])).toEqual([
    ['application/vnd.apple.mpegurl', 'auto', null],
    ['video/x-matroska', 'auto', 25],
  ])
})

test('playlists, segments, keys and subtitles are signed all the way down; the rest stays as it is', async () => {
  const master = await playlist((await sources('tt0000001'))[0]?.url ?? '')
  expect(master).toMatchObject({ status: 200, type: 'application/vnd.apple.mpegurl' })
  expect(master.named).toHaveLength(4)
  expect(master.text.replace(/\/proxy\/m\/[^"\n]+/g, '*')).toBe(
    MASTER.replace('1080p/index.m3u8', '*')
      .replace('720p/my%20index.m3u8?x=1', '*')
      .replace('audio/en.m3u8', '*')
      .replace('subs/fr.m3u8', '*'),
  )
  const [, subs = '', high = '', low = ''] = master.named
  for (const one of [high, low]) expect((await playlist(one)).named).toHaveLength(one === high ? 3 : 3)
  const { named } = await playlist(high)
  const [init = '', first = '', second = ''] = named
  const part = await cinema.fetch(first, { headers: { Range: 'bytes=10-19' } })
  expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/iso.segment'])
  expect(Buffer.from(await part.arrayBuffer()).equals(SEGMENT.subarray(10, 20))).toBe(true)
  expect((await cinema.fetch(second)).headers.get('content-type')).toBe('video/mp2t')
  expect((await cinema.fetch(init)).headers.get('content-type')).toBe('video/mp4')
  const words = await cinema.fetch((await playlist(subs)).named[0] ?? '/proxy/m/none')
  expect([words.headers.get('content-type'), await words.text()]).toEqual([
    'text/vtt; charset=utf-8',
    'WEBVTT\n\n00:01.000 --> 00:02.000\nSalut\n',
  ])
})

test('parts end with the address of the whole', async () => {
  const master = (await sources('tt0000001'))[0]?.url ?? ''
  const expires = new URL(master, cinema.base).searchParams.get('e')
  for (const one of (await playlist(master)).named)
    expect(new URL(one, cinema.base).searchParams.get('e')).toBe(expires)
})

test.each(['tt0000002', 'tt0000003', 'tt0000004', 'tt0000005'])(
  'a playlist that leads out of its folder, elsewhere, or nowhere is not served (%s)',
  async (imdb) => {
    const [first] = await sources(imdb)
    expect((await playlist(first?.url ?? '')).status).toBe(404)
  },
)

describe('paths within a stream', () => {
  test.each([
    ['a.ts', 'Heat/a.ts'],
    ['./a.ts', 'Heat/a.ts'],
    ['b/../a.ts', 'Heat/a.ts'],
    ['a.ts?token=1#x', 'Heat/a.ts'],
    ['my%20a.ts', 'Heat/my a.ts'],
  ])('%s', (uri, path) => {
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
  ])('%s is refused', (uri) => {
    expect(resolveWithinFolder('Heat/master.m3u8', 'Heat', uri)).toBeNull()
  })
  test('what is embedded stays', () => {
    const text = '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="data:text/plain;base64,AAAA"\n'
    expect(signPlaylist(text, () => null)).toBe(text)
  })
})
