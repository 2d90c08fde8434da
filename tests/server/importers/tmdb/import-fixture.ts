/** A test server, a replay server in place of TMDB, and the importer that connects them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../../server/db/database.ts'
import type { CatalogueImporter } from '../../../../server/importers/importer.ts'
import { createTmdbImporter } from '../../../../server/importers/tmdb/import.ts'
import { startTestServer, type TestServer } from '../../../support/server.ts'
import { TmdbReplayServer } from './replay-server.ts'

export interface TmdbImportFixture {
  server: TestServer
  replayServer: TmdbReplayServer
  runImport: (options?: Record<string, string>, signal?: AbortSignal) => ReturnType<CatalogueImporter['run']>
  close: () => Promise<void>
}

export async function startTmdbFixture(database: Database, token = 'good-token'): Promise<TmdbImportFixture> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-tmdb-'))
  const replayServer = new TmdbReplayServer()
  const replayUrl = await replayServer.listen()
  const server = await startTestServer({
    database,
    env: { DATA_DIR: dataFolder, ...(token && { TMDB_API_TOKEN: token }) },
  })
  const importer = createTmdbImporter({
    apiUrl: `${replayUrl}/3`,
    filesUrl: `${replayUrl}/exports`,
    requestRate: { requestsPerSecond: 2_000, initialBackoffMs: 2 },
  })
  return {
    server,
    replayServer,
    runImport: (options = {}, signal) => importer.run(server.deps, options, undefined, signal),
    close: async () => {
      await replayServer.close()
      await server.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
