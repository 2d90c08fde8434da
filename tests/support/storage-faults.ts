/** Storage faults that a test can cause: while a fault lasts, every write fails with an error of the database. */
import { StatementSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { TestServer } from './server.ts'

export interface StorageFault {
  name: string
  start: () => Promise<void>
  end: () => Promise<void>
}

const FILLER_TABLE = 'filler'

/** Returns the faults that can be caused in the database of this server. */
export function listStorageFaults({ database }: TestServer): StorageFault[] {
  return database.kind === 'sqlite' ? listSqliteFaults({ database }) : listPostgresFaults({ database })
}

/**
 * Returns the faults of SQLite. The full disk is simulated by a limit on the number of pages. Triggers exceed this
 * limit by adding a large value for each written row.
 */
function listSqliteFaults({ database }: Pick<TestServer, 'database'>): StorageFault[] {
  const executeStatement = (statement: string) => database.sqlite?.exec(statement)
  const listTableNames = async () =>
    (await database.primary.introspection.getTables()).map(({ name }) => name).filter(isMarqueeTable)
  const listTriggers = async () =>
    (await listTableNames()).flatMap((table) =>
      ['insert', 'update', 'delete'].map((event) => ({ name: `fill_${table}_${event}`, table, event })),
    )
  return [
    {
      name: 'a full disk',
      start: async () => {
        executeStatement(`create table ${FILLER_TABLE} (content blob)`)
        for (const { name, table, event } of await listTriggers())
          executeStatement(`create trigger ${name} after ${event} on "${table}"
            begin insert into ${FILLER_TABLE} values (zeroblob(99999999)); end`)
        const pageCount = database.sqlite?.prepare('pragma page_count').get()?.['page_count']
        executeStatement(`pragma max_page_count = ${pageCount}`)
      },
      end: async () => {
        executeStatement('pragma max_page_count = 1073741823')
        for (const { name } of await listTriggers()) executeStatement(`drop trigger ${name}`)
        executeStatement(`drop table ${FILLER_TABLE}`)
      },
    },
    {
      name: 'a read-only database',
      start: async () => executeStatement('pragma query_only = on'),
      end: async () => executeStatement('pragma query_only = off'),
    },
  ]
}

const isMarqueeTable = (name: string) => name !== FILLER_TABLE && !name.startsWith('sqlite_')

/**
 * Returns the faults of PostgreSQL. A trigger raises the SQLSTATE code of the fault for every row that is written.
 */
function listPostgresFaults({ database }: Pick<TestServer, 'database'>): StorageFault[] {
  const executeStatement = (statement: string) => sql.raw(statement).execute(database.primary)
  const createFault = (name: string, sqlstate: string): StorageFault => ({
    name,
    start: async () => {
      await executeStatement(`create or replace function fail_write() returns trigger language plpgsql as
        $$ begin raise exception 'the storage cannot be written' using errcode = '${sqlstate}'; end $$`)
      for (const { name: table } of await database.primary.introspection.getTables())
        await executeStatement(`create trigger fail_write before insert or update or delete on "${table}"
          for each row execute function fail_write()`)
    },
    end: async () => {
      await executeStatement('drop function fail_write() cascade')
    },
  })
  return [
    createFault('a full disk', '53100'),
    createFault('a read-only database', '25006'),
    createFault('a failing disk', '58030'),
  ]
}

const WRITE_STATEMENT_PATTERN = /^\s*(insert|update|delete|replace|commit|begin)\b/i
const SQLITE_IOERR_WRITE = 778

export interface FailingStatement {
  /** Returns true once the statement has failed. */
  isReached: () => boolean
  endFault: () => void
}

/**
 * Makes one SQLite statement fail with an I/O error. `statementNumber` is the number of this statement, counted from 1,
 * among the statements that write, or that begin or commit a transaction. `onFailure` runs before the error is thrown.
 */
export function failWriteStatement(statementNumber: number, onFailure: () => void): FailingStatement {
  const { run, all } = StatementSync.prototype
  let writeCount = 0
  const intercept = <T extends typeof run | typeof all>(execute: T): T =>
    function (this: StatementSync, ...values: unknown[]) {
      if (WRITE_STATEMENT_PATTERN.test(this.sourceSQL)) writeCount += 1
      if (WRITE_STATEMENT_PATTERN.test(this.sourceSQL) && writeCount === statementNumber) {
        onFailure()
        throw Object.assign(new Error('disk I/O error'), {
          code: 'ERR_SQLITE_ERROR',
          errcode: SQLITE_IOERR_WRITE,
        })
      }
      return Reflect.apply(execute, this, values)
    } as unknown as T
  StatementSync.prototype.run = intercept(run)
  StatementSync.prototype.all = intercept(all)
  return {
    isReached: () => writeCount >= statementNumber,
    endFault: () => {
      StatementSync.prototype.run = run
      StatementSync.prototype.all = all
    },
  }
}

/**
 * Makes every statement of SQLite fail with an error, as while a database server is unreachable or the database file
 * cannot be read. Returns a function that ends the fault.
 */
export function failAllStatements(createError: () => Error): () => void {
  const { run, all, get } = StatementSync.prototype
  const throwError = () => {
    throw createError()
  }
  Object.assign(StatementSync.prototype, { run: throwError, all: throwError, get: throwError })
  return () => Object.assign(StatementSync.prototype, { run, all, get })
}
