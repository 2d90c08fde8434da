/** A server over a database file in a folder of its own, with an administrator signed in and a few titles. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE_NAME, type Database, openSqliteDatabase } from '../../../server/db/database.ts'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../../server/queries/title-record.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { Device } from '../../support/client.ts'
import { addAccount, startServer, type TestServer } from '../../support/server.ts'

export interface Service {
  server: TestServer
  admin: Device
  /** The administrator's account and main profile. */
  adminId: string
  mainId: string
  folder: string
  /** Resolves when no job runs any more. */
  idle: () => Promise<void>
  /** Follows the job of an answer to its end. */
  ended: (answer: { body: { job_id: string } }) => Promise<Ended>
  stop: () => Promise<void>
}
interface Ended {
  status: string
  done: number
  total: number | null
  message: string | null
  report: Record<string, unknown> | null
}
interface Options {
  env?: Record<string, string>
  database?: Database
}

export async function startService({ env = {}, database }: Options = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-'))
  const server = await startServer({
    env: { DATA_DIR: folder, ...env },
    database: database ?? openSqliteDatabase(join(folder, DATABASE_FILE_NAME)),
  })
  const account = await addAccount(server, 'admin@example.com', 'admin')
  const admin = new Device(server)
  await admin.login('admin@example.com')
  const mainId = (await admin.post('/api/profile', { name: 'Main' })).body.profile_id as string
  admin.profileId = mainId
  const idle = async () => findJobWorker(server.deps)?.whenIdle()
  return {
    server,
    admin,
    adminId: account.account_id,
    mainId,
    folder,
    idle,
    ended: async ({ body }) => {
      await idle()
      return (await admin.get(`/api/jobs/${body.job_id}`)).body as Ended
    },
    stop: async () => {
      await findJobWorker(server.deps)?.stop()
      await server.deps.searchIndex.whenIdle()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function movie(number: number, more: Partial<TitleRecord> = {}): TitleRecord {
  const title = `Lantern ${number}`
  return {
    type: 'movie',
    imdb_id: `tt${9_000_000 + number}`,
    original_title: title,
    language: 'en',
    names: [{ lang: 'en', text: title, role: 'main' }],
    release_date: '2020-05-01',
    genres: [18],
    rating: 7,
    rating_votes: 100,
    safe_for_kids: true,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    seasons: [],
    ...more,
  }
}

/** Brings movies in as an importer would; answers their ids in order. */
export async function addMovies(
  { server }: Pick<Service, 'server'>,
  records: TitleRecord[],
): Promise<string[]> {
  const reads = records.map((record, at) => ({ at: String(at), record }))
  await importTitles(server.deps, reads, { source: 'test' })
  const rows = await server.database.primary.selectFrom('title').select(['title_id', 'imdb_id']).execute()
  const ids = new Map(rows.map((row) => [row.imdb_id, String(row.title_id)]))
  return records.map((record) => ids.get(record.imdb_id ?? '') ?? '')
}
