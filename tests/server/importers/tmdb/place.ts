/** A server, a TMDB that is invented or recorded, and the importer between them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../../server/db/database.ts'
import type { CatalogueImporter } from '../../../../server/importers/importer.ts'
import { createTmdbImporter } from '../../../../server/importers/tmdb/import.ts'
import { startServer, type TestServer } from '../../../support/server.ts'
import { Replay } from './replay.ts'

export interface Place {
  server: TestServer
  replay: Replay
  run: (options?: Record<string, string>, signal?: AbortSignal) => ReturnType<CatalogueImporter['run']>
  close: () => Promise<void>
}

export async function openPlace(database: Database, token = 'good-token'): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-tmdb-'))
  const replay = new Replay()
  const address = await replay.listen()
  const server = await startServer({
    database,
    env: { DATA_DIR: folder, ...(token && { TMDB_API_TOKEN: token }) },
  })
  const importer = createTmdbImporter({
    api: `${address}/3`,
    files: `${address}/exports`,
    pace: { perSecond: 2_000, firstWaitMs: 2 },
  })
  return {
    server,
    replay,
    run: (options = {}, signal) => importer.run(server.deps, options, undefined, signal),
    close: async () => {
      await replay.close()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
