/** Which errors of a database mean "not now": the caller may come back, and nothing that was answered is lost. */

/** A queue is full or a server is away; thrown by this folder itself. */
export class Unavailable extends Error {}

const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
/**
 * PostgreSQL, appendix A: connection lost or refused, shut down, starting, read-only (a standby was asked), out of
 * connections, memory or disk, statement or lock waited for too long, transaction given up for another.
 */
const STATE = /^(08...|57P0[1-5]|57014|25006|25P03|53...|55P03|40001|40P01)$/
/** SQLite: busy, locked, out of memory, read-only, disk error, disk full. */
const RESULT = new Set([5, 6, 7, 8, 10, 13])
/** What the driver says without a code. */
const WORDS =
  /^(Connection terminated|Query read timeout|cached plan must not change|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed))/

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof Unavailable || WORDS.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number') return RESULT.has(errcode & 0xff)
  return typeof code === 'string' && (SOCKET.has(code) || STATE.test(code))
}
