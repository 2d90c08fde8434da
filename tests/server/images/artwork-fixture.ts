/** Starts an image host with the URLs of TMDB, and a server that uses this host. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../../server/queries/title-record.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { createMediaTitleRecord } from '../media/media-test-server.ts'

export interface ArtworkFixture {
  server: TestServer
  /** Paths of all requests to the image host. */
  requestedPaths: string[]
  /** Headers of the last request to the image host. */
  lastRequestHeaders: IncomingMessage['headers']
  /** If set, handles all requests to the image host. If null, the image host sends its JPEG file. */
  handler: ((request: IncomingMessage, response: ServerResponse) => void) | null
  /** Sends the JPEG file with a wrong content type, which the tested server must not pass on. */
  sendImage: (response: ServerResponse) => void
  cacheFolder: string
  /** Requests an image by its path in an API reply. */
  loadImage: (
    path: string,
    options?: { width?: number; headers?: Record<string, string> },
  ) => Promise<Response>
  close: () => Promise<void>
}

const ARTWORK_TITLES: [title: string, fields: Partial<TitleRecord>][] = [
  ['Heat', { poster_path: '/heat.jpg', backdrop_path: '/heat-wide.jpg' }],
  ['Alien', { poster_path: '/alien.png' }],
  ['Brazil', { poster_path: '/../secret.jpg' }],
  ['Plain', {}],
]

export async function startArtworkFixture(env: Record<string, string> = {}): Promise<ArtworkFixture> {
  const jpegBytes = await sharp({ create: { width: 600, height: 900, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer()
  const imageHost = createServer((request, response) => {
    fixture.requestedPaths.push(request.url ?? '')
    fixture.lastRequestHeaders = request.headers
    if (fixture.handler) return fixture.handler(request, response)
    fixture.sendImage(response)
  })
  await new Promise<void>((resolve) => imageHost.listen(0, '127.0.0.1', resolve))
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-artwork-'))
  const server = await startTestServer({
    env: {
      DATA_DIR: dataDir,
      ARTWORK_SOURCE: 'tmdb',
      TMDB_IMAGE_URL: `http://127.0.0.1:${(imageHost.address() as AddressInfo).port}/t/p`,
      ...env,
    },
  })
  const records = ARTWORK_TITLES.map(([title, fields], index) => ({
    ...createMediaTitleRecord({
      title,
      year: 1990 + index,
      imdb: `tt000000${index + 1}`,
      isSafeForKids: true,
    }),
    ...fields,
  }))
  const readResults = records.map((record, index) => ({ location: String(index), record }))
  await importTitles(server.deps, readResults, { source: 'demo' })
  const fixture: ArtworkFixture = {
    server,
    requestedPaths: [],
    lastRequestHeaders: {},
    handler: null,
    sendImage: (response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': jpegBytes.length })
      response.end(jpegBytes)
    },
    cacheFolder: join(dataDir, 'images'),
    loadImage: (path, { width = 342, headers = { Accept: 'image/avif,image/webp,*/*' } } = {}) =>
      server.request(`/images/w${width}${path}`, { headers }),
    async close() {
      await server.close()
      imageHost.closeAllConnections()
      imageHost.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return fixture
}
