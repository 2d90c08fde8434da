/**
 * A temporary SQLite database with the needed rows of the dump files, keyed by numeric id. The catalogue is written
 * from it after all files have been read completely, so that a damaged file leaves the catalogue unchanged.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { isProcessRunning } from '../../core/process-liveness.ts'

const SCHEMA = `
  pragma journal_mode = off;
  pragma synchronous = off;
  pragma locking_mode = exclusive;
  pragma cache_size = -32768;
  create table rating (id integer primary key, rating real, votes integer);
  create table episode (
    series integer, season integer, number integer, id integer, primary key (series, season, number)
  ) without rowid;
  create table episode_title (id integer primary key, name text, runtime integer);
  create table title (
    id integer primary key, type text, name text, original text, year integer, end_year integer, runtime integer, genres text
  );
  create table ranked (negated_votes integer, id integer, primary key (negated_votes, id)) without rowid;
  create table aka (
    title integer, position integer, text text, region text, lang text, types text, attributes text, primary key (title, position)
  ) without rowid;
  create table credit (
    title integer, position integer, person integer, category text, characters text, primary key (title, position)
  ) without rowid;
  create table person (id integer primary key, name text);
  create table adult_title (id integer primary key, type text);
`
const COLUMN_COUNTS_BY_TABLE = {
  rating: 3,
  episode: 4,
  episode_title: 3,
  title: 8,
  ranked: 2,
  aka: 7,
  credit: 5,
  person: 2,
  adult_title: 2,
} as const

export class ScratchDatabase {
  readonly #sqlite: DatabaseSync
  readonly #path: string
  readonly #insertStatementsByTable = new Map<string, StatementSync>()

  /** Creates the database file in `folder`, and deletes files that killed processes left there. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const fileName of readdirSync(folder)) {
      const pid = Number(/^imdb-(\d+)-/.exec(fileName)?.[1] ?? 0)
      if (pid !== 0 && !isProcessRunning(pid)) rmSync(join(folder, fileName), { force: true })
    }
    this.#path = join(folder, `imdb-${process.pid}-${Date.now()}.db`)
    this.#sqlite = new DatabaseSync(this.#path)
    this.#sqlite.exec(SCHEMA)
    this.#sqlite.exec('begin')
    for (const [table, columnCount] of Object.entries(COLUMN_COUNTS_BY_TABLE)) {
      const placeholders = Array(columnCount).fill('?').join(', ')
      const sql = `insert into ${table} values (${placeholders}) on conflict do nothing`
      this.#insertStatementsByTable.set(table, this.#sqlite.prepare(sql))
    }
  }

  /** Inserts a row; returns false if a row with this key exists already. */
  insert(table: keyof typeof COLUMN_COUNTS_BY_TABLE, ...values: SQLInputValue[]): boolean {
    return (this.#insertStatementsByTable.get(table) as StatementSync).run(...values).changes === 1
  }

  prepare(sql: string): StatementSync {
    return this.#sqlite.prepare(sql)
  }

  hasRows(table: keyof typeof COLUMN_COUNTS_BY_TABLE): boolean {
    return this.#sqlite.prepare(`select 1 from ${table} limit 1`).get() !== undefined
  }

  /** Closes and deletes the database. */
  close(): void {
    this.#sqlite.close()
    rmSync(this.#path, { force: true })
  }
}
