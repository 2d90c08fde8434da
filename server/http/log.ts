import type { Config } from '../config.ts'

const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
type Level = Exclude<(typeof LEVELS)[number], 'silent'>

export type Log = Record<Level, (event: string, fields?: Record<string, unknown>) => void>

/** One JSON object a line, on standard output. JSON escapes line ends and control characters, so no field can forge a line. */
export function createLog(
  level: Config['logLevel'],
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): Log {
  const threshold = LEVELS.indexOf(level)
  const at =
    (one: Level) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (LEVELS.indexOf(one) > threshold) return
      write(`${JSON.stringify({ at: new Date().toISOString(), level: one, event, ...fields })}\n`)
    }
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

/** An error as fields of a log line. */
export function errorFields(error: unknown): Record<string, unknown> {
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
