/** What is still to be fetched, on disk: an import that was stopped, or died, goes on where it was. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type Kind = 'movie' | 'tv' | 'person'
export interface Item {
  kind: Kind
  id: number
}

const TABLES = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists todo (place integer primary key, kind text not null, id integer not null, unique (kind, id));
  create table if not exists person_done (id integer primary key);
  create table if not exists fact (name text primary key, value text not null);
`

export class Checkpoint {
  readonly #sqlite: DatabaseSync

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#sqlite = new DatabaseSync(join(folder, 'tmdb.db'))
    this.#sqlite.exec(TABLES)
  }

  left(): number {
    return (this.#sqlite.prepare('select count(*) as n from todo').get() as { n: number }).n
  }

  /** The next ones after a place, in the order in which they were added. */
  next(after: number, limit: number): (Item & { place: number })[] {
    const rows = this.#sqlite.prepare(
      'select place, kind, id from todo where place > ? order by place limit ?',
    )
    return rows.all(after, limit) as unknown as (Item & { place: number })[]
  }

  /** All or none; what waits already stays in its place. `since` is the day from which changes are asked for next time. */
  add(items: Iterable<Item>, since?: string): void {
    this.#together(() => {
      const insert = this.#sqlite.prepare('insert into todo (kind, id) values (?, ?) on conflict do nothing')
      for (const { kind, id } of items) insert.run(kind, id)
      if (since) this.#sqlite.prepare('insert or replace into fact values (?, ?)').run('since', since)
    })
  }

  /** People who were looked up before are not looked up again, unless TMDB says that they changed. */
  addPeople(ids: number[]): void {
    this.#together(() => {
      const insert = this.#sqlite.prepare(`
        insert into todo (kind, id) select 'person', ?1 where not exists (select 1 from person_done where id = ?1)
        on conflict do nothing`)
      for (const id of ids) insert.run(id)
    })
  }

  done(items: Item[]): void {
    this.#together(() => {
      const drop = this.#sqlite.prepare('delete from todo where kind = ? and id = ?')
      const keep = this.#sqlite.prepare('insert or ignore into person_done values (?)')
      for (const { kind, id } of items) {
        drop.run(kind, id)
        if (kind === 'person') keep.run(id)
      }
    })
  }

  isDone(person: number): boolean {
    return this.#sqlite.prepare('select 1 from person_done where id = ?').get(person) !== undefined
  }

  since(): string | undefined {
    const row = this.#sqlite.prepare("select value from fact where name = 'since'").get()
    return row?.['value'] as string | undefined
  }

  clear(): void {
    this.#sqlite.exec('delete from todo; delete from person_done; delete from fact')
  }

  close(): void {
    this.#sqlite.close()
  }

  #together(work: () => void): void {
    this.#sqlite.exec('begin immediate')
    try {
      work()
      this.#sqlite.exec('commit')
    } catch (error) {
      this.#sqlite.exec('rollback')
      throw error
    }
  }
}
