import type { Config } from './config.ts'

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
type LogLevel = Exclude<(typeof LOG_LEVELS)[number], 'silent'>

export type Log = Record<LogLevel, (event: string, fields?: Record<string, unknown>) => void>

/**
 * Creates a log that writes one JSON object per line to standard output. JSON escapes line breaks and control
 * characters, so a field cannot forge a log line.
 */
export function createLog(
  level: Config['logLevel'],
  writeLine: (line: string) => unknown = (line) => process.stdout.write(line),
): Log {
  const minLevelIndex = LOG_LEVELS.indexOf(level)
  const createLevelLog =
    (lineLevel: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (LOG_LEVELS.indexOf(lineLevel) > minLevelIndex) return
      writeLine(`${JSON.stringify({ at: new Date().toISOString(), level: lineLevel, event, ...fields })}\n`)
    }
  return {
    error: createLevelLog('error'),
    warn: createLevelLog('warn'),
    info: createLevelLog('info'),
    debug: createLevelLog('debug'),
  }
}

/**
 * Lets the process continue when standard output or standard error cannot be written, for example because the disk is
 * full or the reader of a pipe has exited. Without a listener, Node.js would end the process at the first lost line.
 */
export function ignoreLogWriteErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Returns an error as fields of a log line. */
export function toErrorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  const cause = error.cause === undefined ? {} : { cause: String(error.cause) }
  return {
    error: error.message,
    stack: error.stack
      ?.split('\n')
      .slice(1, 6)
      .map((line) => line.trim()),
    ...cause,
  }
}
