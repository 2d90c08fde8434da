/** A server over a media folder of the test's own, with a few titles, listening on a real port. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { createApp } from '../../../server/app.ts'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../../server/queries/title-record.ts'
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import { Device } from '../../support/client.ts'
import { addAccount, startServer, type TestServer } from '../../support/server.ts'

export type Files = Record<string, Buffer | string>

export function makeFolder(files: Files = {}): {
  path: string
  put: (files: Files) => void
  remove: () => void
} {
  const path = mkdtempSync(join(tmpdir(), 'marquee-media-'))
  const put = (more: Files) => {
    for (const [name, content] of Object.entries(more)) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content)
    }
  }
  put(files)
  return { path, put, remove: () => rmSync(path, { recursive: true, force: true }) }
}

interface Cast {
  title: string
  year?: number
  imdb?: string
  tmdb?: number
  safe?: boolean
  names?: [lang: string, text: string][]
  /** Makes it a series: episodes of seasons 0, 1, … */
  episodes?: number[]
}

export function record({ title, year, imdb, tmdb, safe = false, names = [], episodes }: Cast): TitleRecord {
  return {
    type: episodes ? 'tv' : 'movie',
    ...(imdb && { imdb_id: imdb }),
    ...(tmdb && { tmdb_id: tmdb }),
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
    safe_for_kids: safe,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    seasons: (episodes ?? []).map((count, season) => ({
      season_number: season,
      episodes: Array.from({ length: count }, (_, at) => ({ episode_number: at + 1 })),
    })),
  }
}

export interface Cinema {
  server: TestServer
  /** `http://127.0.0.1:port` */
  base: string
  adult: Device
  adultId: string
  kid: Device
  lookup: (
    place: string,
    query?: string,
    device?: Device,
  ) => Promise<{ status: number; body: StreamInfo & { type: string } }>
  /** By address of a lookup. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>
  close: () => Promise<void>
}

export async function openCinema(env: Record<string, string>, titles: Cast[]): Promise<Cinema> {
  const server = await startServer({ env })
  const records = titles.map((one, at) => ({ at: String(at), record: record(one) }))
  const report = await importTitles(server.deps, records, { source: 'test' })
  if (report.skipped > 0) throw new Error(report.skips.join())
  await server.deps.streamSources.library?.start()
  const listener = createAdaptorServer({ fetch: createApp(server.deps).fetch })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  await addAccount(server, 'alice@example.com', 'admin')
  const adult = new Device(server)
  await adult.login('alice@example.com')
  const adultId = (await adult.post('/api/profile', { name: 'Alice' })).body.profile_id
  const kidId = (await adult.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
  adult.profileId = adultId
  const kid = new Device(server)
  await kid.login('alice@example.com')
  kid.profileId = kidId
  return {
    server,
    base,
    adult,
    adultId,
    kid,
    lookup: async (place, query = '', device = adult) =>
      device.get(`/proxy/torrent-streamer/stream/${place}${query}`),
    fetch: (url, init) => fetch(new URL(url, base), init),
    close: async () => {
      server.deps.streamSources.library?.stop()
      if ('closeAllConnections' in listener) listener.closeAllConnections()
      await new Promise((done) => listener.close(done))
      await server.close()
    },
  }
}

/** A request as bytes, for spellings that clients tidy away; answers the status line and what follows. */
export function raw(base: string, target: string, method = 'GET'): Promise<string> {
  const { hostname, port } = new URL(base)
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (part) => {
      text += part.toString('latin1')
    })
    socket.on('close', () => done(text)).on('error', fail)
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`, 'latin1')
  })
}
