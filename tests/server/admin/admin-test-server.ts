/** A test server with its own data folder and a signed-in administrator, and helpers that add movies to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE_NAME, type Database } from '../../../server/db/database.ts'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../../server/queries/title-record.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { openEmptyDatabase, openMigratedFile } from '../../support/databases.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'

export interface AdminTestServer {
  server: TestServer
  admin: TestClient
  /** Account ID of the administrator. */
  adminAccountId: string
  /** ID of the administrator's main profile. */
  mainProfileId: string
  /** The data folder (DATA_DIR). */
  folder: string
  /** Resolves when the job worker of this process runs no job. */
  waitForIdleWorker: () => Promise<void>
  /** Waits until the job worker runs no job, then returns the job whose ID is in the response. */
  waitForJob: (response: { body: { job_id: string } }) => Promise<FinishedJob>
  stop: () => Promise<void>
}
interface FinishedJob {
  status: string
  done: number
  total: number | null
  message: string | null
  report: Record<string, unknown> | null
}
interface AdminTestServerOptions {
  env?: Record<string, string>
  database?: Database
}

/** Starts a server with an empty database of the kind that this run tests, or with `database`. */
export async function startAdminTestServer({
  env = {},
  database,
}: AdminTestServerOptions = {}): Promise<AdminTestServer> {
  return startServerInFolder(createDataFolder(), env, database ?? (await openEmptyDatabase()))
}

/** Starts a server whose database is a SQLite file in its data folder, for tests of backups and of this file. */
export async function startSqliteFileServer(): Promise<AdminTestServer> {
  const dataFolder = createDataFolder()
  return startServerInFolder(dataFolder, {}, await openMigratedFile(join(dataFolder, DATABASE_FILE_NAME)))
}

const createDataFolder = () => mkdtempSync(join(tmpdir(), 'marquee-'))

async function startServerInFolder(
  dataFolder: string,
  env: Record<string, string>,
  database: Database,
): Promise<AdminTestServer> {
  const server = await startTestServer({ env: { DATA_DIR: dataFolder, ...env }, database })
  const account = await insertTestAccount(server, 'admin@example.com', 'admin')
  const admin = new TestClient(server)
  await admin.login('admin@example.com')
  const mainProfileId = (await admin.post('/api/profile', { name: 'Main' })).body.profile_id as string
  admin.profileId = mainProfileId
  const waitForIdleWorker = async () => findJobWorker(server.deps)?.whenIdle()
  return {
    server,
    admin,
    adminAccountId: account.account_id,
    mainProfileId,
    folder: dataFolder,
    waitForIdleWorker,
    waitForJob: async ({ body }) => {
      await waitForIdleWorker()
      return (await admin.get(`/api/jobs/${body.job_id}`)).body as FinishedJob
    },
    stop: async () => {
      await findJobWorker(server.deps)?.stop()
      await server.deps.searchIndex.whenIdle()
      await server.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the record of a movie with the title `Lantern <movieNumber>` and an IMDb ID that is unique for
 * `movieNumber`.
 */
export function createMovieRecord(movieNumber: number, overrides: Partial<TitleRecord> = {}): TitleRecord {
  const title = `Lantern ${movieNumber}`
  return {
    type: 'movie',
    imdb_id: `tt${9_000_000 + movieNumber}`,
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
    ...overrides,
  }
}

/** Imports the records through the import pipeline. Returns the title IDs in the order of the records. */
export async function addMovies(
  { server }: Pick<AdminTestServer, 'server'>,
  records: TitleRecord[],
): Promise<string[]> {
  const readResults = records.map((record, index) => ({ location: String(index), record }))
  await importTitles(server.deps, readResults, { source: 'test' })
  const rows = await server.database.primary.selectFrom('title').select(['title_id', 'imdb_id']).execute()
  const titleIdsByImdbId = new Map(rows.map((row) => [row.imdb_id, String(row.title_id)]))
  return records.map((record) => titleIdsByImdbId.get(record.imdb_id ?? '') ?? '')
}
