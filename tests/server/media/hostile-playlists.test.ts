/** Playlists and replies of Stremio add-ons with so many entries that processing them could block the server. */
import { expect, it } from 'vitest'
import { createStremioProtocol } from '../../../server/providers/stremio.ts'
import {
  MAX_PLAYLIST_BYTES,
  MAX_PLAYLIST_URLS,
  signPlaylist,
} from '../../../server/services/playback/playlist.ts'

const createPlaylist = (urlCount: number) => `#EXTM3U\n${'a\n'.repeat(urlCount)}`

it('all URLs of a playlist with the largest accepted number of URLs are signed', async () => {
  const playlist = await signPlaylist(createPlaylist(MAX_PLAYLIST_URLS), (uri) => `signed-${uri}`)
  expect(playlist?.match(/signed-a/g)).toHaveLength(MAX_PLAYLIST_URLS)
})

it.each([
  ['lines', createPlaylist(MAX_PLAYLIST_BYTES / 2 - 10)],
  ['attributes of one tag', `#EXTM3U\n#EXT-X-MAP:${',URI="a"'.repeat(MAX_PLAYLIST_URLS + 1)}\n`],
])(
  'a playlist whose %s contain more URLs than the limit is rejected, and signing stops at the limit',
  async (_place, playlist) => {
    let signedUrlCount = 0
    const signPart = (uri: string) => {
      signedUrlCount += 1
      return uri
    }
    expect(await signPlaylist(playlist, signPart)).toBeNull()
    expect(signedUrlCount).toBe(MAX_PLAYLIST_URLS)
  },
)

it('the event loop runs timers while a long playlist is being signed', async () => {
  let eventLoopTurnCount = 0
  const timer = setInterval(() => {
    eventLoopTurnCount += 1
  })
  const blockEventLoop = (durationMs: number) => {
    const startedAtMs = performance.now()
    while (performance.now() - startedAtMs < durationMs);
  }
  await signPlaylist(createPlaylist(500), (uri) => {
    blockEventLoop(0.5)
    return uri
  })
  clearInterval(timer)
  expect(eventLoopTurnCount).toBeGreaterThan(5)
})

it('only the first 1,000 streams in the reply of a Stremio add-on are parsed', async () => {
  const query = { type: 'movie', imdbId: 'tt0113277', quality: 'auto', title: 'Heat', year: 1995 } as const
  const stream = (index: number) => ({ url: `https://media.example/${index}.mp4`, subtitles: [{}] })
  const lookUp = (streams: unknown[]) =>
    createStremioProtocol(() => 0).lookUp(
      async ({ pathname }) =>
        pathname.endsWith('manifest.json') ? { types: ['movie'], resources: ['stream'] } : { streams },
      new URL('https://add-on.example/manifest.json'),
      query,
    )
  const unusableElements = Array.from({ length: 999 }, () => ({}))
  expect((await lookUp([...unusableElements, stream(1)]))?.sources).toHaveLength(1)
  expect(await lookUp([...unusableElements, {}, stream(1)])).toBeNull()
})
