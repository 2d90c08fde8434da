/** One server for the tests of a file; each test begins with an empty catalogue. */
import { expect } from 'vitest'
import type { Database } from '../../../../server/db/database.ts'
import { CATALOGUE_IMPORTERS } from '../../../../server/importers/index.ts'
import { startServer, type TestServer } from '../../../support/server.ts'
import { newFolder } from './dumps.ts'

export type Given = Record<string, string>
interface More {
  signal?: AbortSignal
  progress?: () => void
}
const TABLES = ['title', 'person', 'block_rule', 'catalogue_change'] as const

export class Place {
  readonly server: TestServer
  constructor(server: TestServer) {
    this.server = server
  }
  static async open(database: Database): Promise<Place> {
    return new Place(await startServer({ database, env: { DATA_DIR: newFolder() } }))
  }
  get db() {
    return this.server.database.primary
  }
  async empty(): Promise<void> {
    for (const table of TABLES) await this.db.deleteFrom(table).execute()
  }
  run(folder: string, options: Given = {}, { progress, signal }: More = {}) {
    const importer = CATALOGUE_IMPORTERS['imdb']
    expect(importer).toBeDefined()
    return importer!.run(this.server.deps, { folder, ...options }, progress, signal)
  }
  title(slug: string) {
    return this.db.selectFrom('title').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow()
  }
  /** `Job: Name as Character`, in order. */
  async credits(titleId: number): Promise<string[]> {
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
