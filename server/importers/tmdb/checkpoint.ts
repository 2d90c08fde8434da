/** Stores on disk which items are still to be fetched, so that an import that was stopped or crashed can continue. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type TmdbKind = 'movie' | 'tv' | 'person'
export interface TmdbItem {
  kind: TmdbKind
  id: number
}
/** Shows which part of the daily id exports and of the change lists of TMDB earlier imports have read. */
interface SourceProgress {
  /** Day from which changes are to be read, as `YYYY-MM-DD`. */
  sinceDate: string
  /** Highest limit of earlier imports: this many movies and this many series were read from the daily id exports. */
  titleLimit: number
  /** Highest number of cast members per title that an earlier import looked up. */
  peoplePerTitle: number
}

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists todo (place integer primary key, kind text not null, id integer not null, unique (kind, id));
  create table if not exists person_done (id integer primary key);
  create table if not exists failure (
    kind text not null, id integer not null, runs integer not null, primary key (kind, id)
  );
  create table if not exists fact (name text primary key, value text not null);
`
const SOURCE_PROGRESS_FACT_NAMES = "'since', 'limit', 'people'"

export class TmdbCheckpoint {
  readonly #sqlite: DatabaseSync

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#sqlite = new DatabaseSync(join(folder, 'tmdb.db'))
    this.#sqlite.exec(SCHEMA)
  }

  countPendingItems(): number {
    return (this.#sqlite.prepare('select count(*) as n from todo').get() as { n: number }).n
  }

  /** Returns the next pending items after the position `afterPosition`, in the order in which they were added. */
  selectPendingItems(afterPosition: number, itemLimit: number): (TmdbItem & { place: number })[] {
    const statement = this.#sqlite.prepare(
      'select place, kind, id from todo where place > ? order by place limit ?',
    )
    return statement.all(afterPosition, itemLimit) as unknown as (TmdbItem & { place: number })[]
  }

  /**
   * Adds items, and stores `sourceProgress` if it is given, in one transaction. Items that are pending already keep
   * their position.
   */
  addPendingItems(items: Iterable<TmdbItem>, sourceProgress?: SourceProgress): void {
    this.#runInTransaction(() => {
      const insertItem = this.#sqlite.prepare(
        'insert into todo (kind, id) values (?, ?) on conflict do nothing',
      )
      for (const { kind, id } of items) insertItem.run(kind, id)
      if (!sourceProgress) return
      this.#writeFact('since', sourceProgress.sinceDate)
      this.#writeFact('limit', String(sourceProgress.titleLimit))
      this.#writeFact('people', String(sourceProgress.peoplePerTitle))
    })
  }

  /** Adds people, except those that were fetched before. Changed people are added again by `addPendingItems`. */
  addPeople(personIds: number[]): void {
    this.#runInTransaction(() => {
      const insertPerson = this.#sqlite.prepare(`
        insert into todo (kind, id) select 'person', ?1 where not exists (select 1 from person_done where id = ?1)
        on conflict do nothing`)
      for (const personId of personIds) insertPerson.run(personId)
    })
  }

  /**
   * Removes the items of a batch from the pending items, and records which people were fetched. `batchCount` is the
   * number of batches that have changed the database, including this batch if it has changed the database.
   */
  markDone(items: TmdbItem[], batchCount: number): void {
    this.#runInTransaction(() => {
      this.#writeFact('batches', String(batchCount))
      const deletePending = this.#sqlite.prepare('delete from todo where kind = ? and id = ?')
      const insertDone = this.#sqlite.prepare('insert or ignore into person_done values (?)')
      for (const { kind, id } of items) {
        deletePending.run(kind, id)
        if (kind === 'person') insertDone.run(id)
      }
    })
  }

  /**
   * Records that TMDB could not send an item in this run. Returns the number of successive runs in which TMDB could not
   * send the item.
   */
  recordFailedRun({ kind, id }: TmdbItem): number {
    const statement = this.#sqlite.prepare(`
      insert into failure (kind, id, runs) values (?, ?, 1) on conflict do update set runs = runs + 1 returning runs`)
    return (statement.get(kind, id) as { runs: number }).runs
  }

  deleteFailure({ kind, id }: TmdbItem): void {
    this.#sqlite.prepare('delete from failure where kind = ? and id = ?').run(kind, id)
  }

  /** Appends the items that failed in earlier runs to the end of the pending items. */
  requeueFailedItems(): void {
    this.#sqlite.exec(
      'insert into todo (kind, id) select kind, id from failure order by kind, id on conflict do nothing',
    )
  }

  wasPersonFetched(personId: number): boolean {
    return this.#sqlite.prepare('select 1 from person_done where id = ?').get(personId) !== undefined
  }

  /**
   * Returns which parts of the sources earlier imports have read; undefined until an import has read the daily id
   * exports.
   */
  readSourceProgress(): SourceProgress | undefined {
    const sinceDate = this.#readFact('since')
    if (sinceDate === undefined) return undefined
    return {
      sinceDate,
      titleLimit: Number(this.#readFact('limit') ?? 0),
      peoplePerTitle: Number(this.#readFact('people') ?? 0),
    }
  }

  /**
   * Returns the id of this checkpoint and the number of its batches in the database. Returns null for a new file, and
   * for a file that an older version of Marquee has written without an id.
   */
  readIdentity(): { checkpointId: string; batchCount: number } | null {
    const checkpointId = this.#readFact('checkpoint_id')
    if (checkpointId === undefined) return null
    return { checkpointId, batchCount: Number(this.#readFact('batches') ?? 0) }
  }

  /** Deletes the items and the progress, but not the id and the number of batches. */
  clearItemsAndProgress(): void {
    this.#sqlite.exec(
      `begin immediate; delete from todo; delete from person_done; delete from failure;
      delete from fact where name in (${SOURCE_PROGRESS_FACT_NAMES}); commit`,
    )
  }

  /** Gives an id to a checkpoint that an older version of Marquee stored without one, and returns the id. */
  assignCheckpointId(): string {
    const checkpointId = randomUUID()
    this.#writeFact('checkpoint_id', checkpointId)
    return checkpointId
  }

  /** Deletes everything and returns the id of the new, empty checkpoint. */
  startNewCheckpoint(): string {
    const checkpointId = randomUUID()
    this.#runInTransaction(() => {
      this.#sqlite.exec('delete from todo; delete from person_done; delete from failure; delete from fact')
      this.#writeFact('checkpoint_id', checkpointId)
    })
    return checkpointId
  }

  close(): void {
    this.#sqlite.close()
  }

  #readFact(name: string): string | undefined {
    const row = this.#sqlite.prepare('select value from fact where name = ?').get(name)
    return row?.['value'] as string | undefined
  }

  #writeFact(name: string, value: string): void {
    this.#sqlite.prepare('insert or replace into fact values (?, ?)').run(name, value)
  }

  #runInTransaction(applyChanges: () => void): void {
    this.#sqlite.exec('begin immediate')
    try {
      applyChanges()
      this.#sqlite.exec('commit')
    } catch (error) {
      this.#sqlite.exec('rollback')
      throw error
    }
  }
}
