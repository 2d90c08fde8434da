/**
 * Classifies database errors: temporary errors, after which the caller may retry; errors of a storage that cannot be
 * written; errors of a damaged file; and errors of a write that refers to a missing row.
 */

/**
 * Thrown when the queue for connections is full, when no server can be reached or the connection to it is lost, or when
 * SQLite itself has ended a transaction.
 */
export class DatabaseUnavailableError extends Error {}

/**
 * Thrown when no connection can be opened, and the cause is not itself a temporary error. For example, the password has
 * changed, the certificate has expired, or the database was renamed. Has the message and the code of its cause.
 */
export class DatabaseConnectionError extends DatabaseUnavailableError {
  readonly code: unknown

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.code = (cause as { code?: unknown }).code
  }
}

const SOCKET_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ECONNABORTED',
])
/**
 * SQLSTATE codes (PostgreSQL documentation, appendix A): connection lost or refused, server stopping or starting,
 * read-only (a standby server), out of connections, memory or disk space, error of the disk or the system, timeout of a
 * statement, a lock, a transaction or an idle transaction, and a transaction that was rolled back because of another
 * transaction (deadlock, serialisation failure) or whose result is unknown.
 */
const UNAVAILABLE_SQLSTATE_PATTERN = /^(08...|57P0[1-5]|57014|25006|25P0[34]|53...|55P03|40...|58...)$/
/** SQLite result codes: busy, locked, out of memory, read-only, disk error, disk full, file cannot be opened. */
const UNAVAILABLE_SQLITE_CODES = new Set([5, 6, 7, 8, 10, 13, 14])
/** SQLSTATE codes of a storage that cannot be written: read-only, disk full, disk error. */
const STORAGE_SQLSTATES = new Set(['25006', '53100', '58030'])
/**
 * File system error codes of a storage that cannot be written: disk full, quota exceeded, read-only, input/output
 * error.
 */
const STORAGE_FILE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])
/** SQLite result codes of a storage that cannot be written: read-only, disk error, disk full, file cannot be opened. */
const STORAGE_SQLITE_CODES = new Set([8, 10, 13, 14])
/** File system error codes and SQLSTATE of a full disk. */
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100'])
const SQLITE_FULL = 13
const SQLITE_BUSY = 5
const SQLITE_CANTOPEN = 14
/** SQLite result codes of a damaged file, and of a file that is not a database. */
const DAMAGE_SQLITE_CODES = new Set([11, 26])
/**
 * Error codes of a write that refers to a missing row: SQLSTATE foreign_key_violation and SQLITE_CONSTRAINT_FOREIGNKEY.
 */
const MISSING_REFERENCE_CODES = { sqlstate: '23503', sqliteCode: 787 }
/** Messages of driver errors that have no code. */
const UNAVAILABLE_DRIVER_MESSAGE_PATTERN =
  /^(Connection terminated|Query read timeout|cached plan must not change|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed))/

/** True for temporary errors of SQLite, PostgreSQL, the connection or the file system. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailableError || UNAVAILABLE_DRIVER_MESSAGE_PATTERN.test(error.message))
    return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  const { code, sqliteCode } = readErrorCodes(error)
  if (sqliteCode !== null) return UNAVAILABLE_SQLITE_CODES.has(sqliteCode & 0xff)
  return (
    SOCKET_ERROR_CODES.has(code) || UNAVAILABLE_SQLSTATE_PATTERN.test(code) || STORAGE_FILE_CODES.has(code)
  )
}

/** True when the disk is full, fails or is read-only. Reads may then still work, but writes fail. */
export function isStorageFault(error: unknown): boolean {
  const { code, sqliteCode } = readErrorCodes(error)
  if (sqliteCode !== null) return STORAGE_SQLITE_CODES.has(sqliteCode & 0xff)
  return STORAGE_SQLSTATES.has(code) || STORAGE_FILE_CODES.has(code)
}

/** True when a file or a database cannot be written because the disk is full or a quota is exceeded. */
export function isDiskFull(error: unknown): boolean {
  const { code, sqliteCode } = readErrorCodes(error)
  if (sqliteCode !== null) return (sqliteCode & 0xff) === SQLITE_FULL
  return DISK_FULL_CODES.has(code)
}

/** True when another connection, usually one of another process, holds the lock of the SQLite file. */
export function isSqliteLocked(error: unknown): boolean {
  const { sqliteCode } = readErrorCodes(error)
  return sqliteCode !== null && (sqliteCode & 0xff) === SQLITE_BUSY
}

/** True when the file of a SQLite database is damaged, or is not a database. */
export function isDatabaseDamaged(error: unknown): boolean {
  const { sqliteCode } = readErrorCodes(error)
  return sqliteCode !== null && DAMAGE_SQLITE_CODES.has(sqliteCode & 0xff)
}

/** True when a SQLite file cannot be opened, for example because it belongs to another user. */
export function isDatabaseUnreadable(error: unknown): boolean {
  const { sqliteCode } = readErrorCodes(error)
  return sqliteCode !== null && (sqliteCode & 0xff) === SQLITE_CANTOPEN
}

/** True when a write refers to a row that does not exist, usually because it was deleted during the request. */
export function isMissingReference(error: unknown): boolean {
  const { code, sqliteCode } = readErrorCodes(error)
  return sqliteCode === MISSING_REFERENCE_CODES.sqliteCode || code === MISSING_REFERENCE_CODES.sqlstate
}

function readErrorCodes(error: unknown): { code: string; sqliteCode: number | null } {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return {
    code: typeof code === 'string' ? code : '',
    sqliteCode: typeof errcode === 'number' ? errcode : null,
  }
}

/**
 * Runs a write on which the result of the request does not depend. Ignores errors for which `isDatabaseUnavailable` is
 * true, and throws all other errors.
 */
export async function runOptionalWrite(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
  }
}
