/** Classifies database errors that are temporary, so that the caller may retry. */

/** Thrown by server/db/ itself when the connection queue is full or no server can be reached. */
export class DatabaseUnavailableError extends Error {}

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
/**
 * SQLSTATE codes (PostgreSQL documentation, appendix A): connection lost or refused, server stopping or starting,
 * read-only (a standby server), out of connections, memory or disk, statement or lock timeout, deadlock or
 * serialisation failure.
 */
const SQLSTATES = /^(08...|57P0[1-5]|57014|25006|25P03|53...|55P03|40001|40P01)$/
/** SQLite result codes: busy, locked, out of memory, read-only, disk error, disk full. */
const SQLITE_CODES = new Set([5, 6, 7, 8, 10, 13])
/** Messages of driver errors that have no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|Query read timeout|cached plan must not change|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed))/

/** True for temporary errors of SQLite, PostgreSQL or the connection. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailableError || DRIVER_MESSAGES.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number') return SQLITE_CODES.has(errcode & 0xff)
  return typeof code === 'string' && (SOCKET_CODES.has(code) || SQLSTATES.test(code))
}
