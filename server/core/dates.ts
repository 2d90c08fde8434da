/** Dates and times of the API and the database: ISO 8601 in UTC. Arguments are milliseconds since 1970. */

export const DAY_MS = 86_400_000

/** Returns the date, `YYYY-MM-DD`. */
export function toIsoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Returns date and time, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString()
}

export function toIsoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : toIsoTime(ms)
}
