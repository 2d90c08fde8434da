/** A test server for the IMDb importer. All tests of a file share the server, and each test starts with no titles. */
import { expect } from 'vitest'
import type { Database } from '../../../../server/db/database.ts'
import { CATALOGUE_IMPORTERS } from '../../../../server/importers/index.ts'
import { startTestServer, type TestServer } from '../../../support/server.ts'
import { createTemporaryFolder } from './dumps.ts'

export type ImdbImportOptions = Record<string, string>
interface ImportRunControls {
  signal?: AbortSignal
  onProgress?: () => void
}
const CLEARED_TABLES = ['title', 'person', 'block_rule', 'catalogue_change'] as const

export class ImdbImportFixture {
  readonly server: TestServer
  constructor(server: TestServer) {
    this.server = server
  }
  static async start(database: Database): Promise<ImdbImportFixture> {
    return new ImdbImportFixture(
      await startTestServer({ database, env: { DATA_DIR: createTemporaryFolder() } }),
    )
  }
  get db() {
    return this.server.database.primary
  }
  /** Deletes all titles, people, block rules and entries of the change log. */
  async clearCatalogue(): Promise<void> {
    for (const table of CLEARED_TABLES) await this.db.deleteFrom(table).execute()
  }
  /** Runs the IMDb importer on a folder of dumps and returns its report. */
  runImport(folder: string, options: ImdbImportOptions = {}, { onProgress, signal }: ImportRunControls = {}) {
    const importer = CATALOGUE_IMPORTERS['imdb']
    expect(importer).toBeDefined()
    return importer!.run(this.server.deps, { folder, ...options }, onProgress, signal)
  }
  /** Returns the row of a title; throws when the slug does not exist. */
  loadTitle(slug: string) {
    return this.db.selectFrom('title').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow()
  }
  /** Returns the credits of a title as `Job: Name as Character`, ordered by kind and position. */
  async listCredits(titleId: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('credit')
      .innerJoin('person', 'person.person_id', 'credit.person_id')
      .select(['job', 'character', 'name'])
      .where('title_id', '=', titleId)
      .orderBy('kind')
      .orderBy('position')
      .execute()
    return rows.map(({ job, name, character }) => `${job}: ${name}${character ? ` as ${character}` : ''}`)
  }
}
