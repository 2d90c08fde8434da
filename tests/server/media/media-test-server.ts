/** Helpers that create a temporary media folder, and start a server with some titles on a real port. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { createApp } from '../../../server/app.ts'
import type { Database } from '../../../server/db/database.ts'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../../server/queries/title-record.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'

export type FilesByPath = Record<string, Buffer | string>

/** Creates a temporary folder with files. `writeFiles` adds files to the folder, and `remove` deletes the folder. */
export function createTempFolder(files: FilesByPath = {}): {
  path: string
  writeFiles: (files: FilesByPath) => void
  remove: () => void
} {
  const path = mkdtempSync(join(tmpdir(), 'marquee-media-'))
  const writeFiles = (files: FilesByPath) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content)
    }
  }
  writeFiles(files)
  return { path, writeFiles, remove: () => rmSync(path, { recursive: true, force: true }) }
}

interface TitleSpec {
  title: string
  year?: number
  imdb?: string
  tmdb?: number
  tvdb?: number
  isSafeForKids?: boolean
  names?: [lang: string, text: string][]
  /** Number of episodes in each season, starting with season 0. If set, the title is a series. */
  episodes?: number[]
}

export function createMediaTitleRecord({
  title,
  year,
  imdb,
  tmdb,
  tvdb,
  isSafeForKids = false,
  names = [],
  episodes,
}: TitleSpec): TitleRecord {
  return {
    type: episodes ? 'tv' : 'movie',
    ...(imdb && { imdb_id: imdb }),
    ...(tmdb && { tmdb_id: tmdb }),
    ...(tvdb && { tvdb_id: tvdb }),
    ...(year && { year }),
    original_title: title,
    language: 'en',
    names: [
      { lang: 'en', text: title, role: 'main' },
      ...names.map(([lang, text]) => ({ lang, text, role: 'main' as const })),
    ],
    genres: [18],
    rating: 7,
    rating_votes: 100,
    safe_for_kids: isSafeForKids,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    seasons: (episodes ?? []).map((episodeCount, seasonNumber) => ({
      season_number: seasonNumber,
      episodes: Array.from({ length: episodeCount }, (_, index) => ({ episode_number: index + 1 })),
    })),
  }
}

export interface MediaTestServer {
  server: TestServer
  /** URL of the server without a path, for example `http://127.0.0.1:4321`. */
  baseUrl: string
  adult: TestClient
  adultId: string
  kid: TestClient
  /**
   * Requests the sources of a title. `path` is `movie/<id>` or `tv/<id>/<season>/<episode>`; `<id>` is the id in
   * the catalogue or the IMDb id.
   */
  lookUpStream: (
    path: string,
    query?: string,
    device?: TestClient,
  ) => Promise<{ status: number; body: StreamInfo & { type: string } }>
  /** Requests a URL that a lookup returned. */
  fetchMedia: (url: string, init?: RequestInit) => Promise<Response>
  close: () => Promise<void>
}

export async function startMediaTestServer(
  env: Record<string, string>,
  titles: TitleSpec[],
  database?: Database,
): Promise<MediaTestServer> {
  const server = await startTestServer({ env, ...(database && { database }) })
  const records = titles.map((title, index) => ({
    location: String(index),
    record: createMediaTitleRecord(title),
  }))
  const report = await importTitles(server.deps, records, { source: env['DEMO'] === '1' ? 'demo' : 'test' })
  if (report.skipped > 0) throw new Error(report.skips.join())
  await getLibrarySync(server.deps)?.start()
  const listener = createAdaptorServer({ fetch: createApp(server.deps).fetch })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  await insertTestAccount(server, 'alice@example.com', 'admin')
  const adult = new TestClient(server)
  await adult.login('alice@example.com')
  const adultId = (await adult.post('/api/profile', { name: 'Alice' })).body.profile_id
  const kidId = (await adult.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
  adult.profileId = adultId
  const kid = new TestClient(server)
  await kid.login('alice@example.com')
  kid.profileId = kidId
  return {
    server,
    baseUrl,
    adult,
    adultId,
    kid,
    lookUpStream: async (path, query = '', device = adult) =>
      device.get(`/proxy/torrent-streamer/stream/${path}${query}`),
    fetchMedia: (url, init) => fetch(new URL(url, baseUrl), init),
    close: async () => {
      await getLibrarySync(server.deps)?.stop()
      if ('closeAllConnections' in listener) listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
      await server.close()
    },
  }
}

/** Sends a request target unchanged. HTTP clients would normalise the target. Returns the response as raw text. */
export function sendRawRequest(baseUrl: string, target: string, method = 'GET'): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let responseText = ''
    socket.on('data', (chunk) => {
      responseText += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(responseText)).on('error', reject)
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`, 'latin1')
  })
}
