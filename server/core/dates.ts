/** Dates and times of the API and the database: ISO 8601 in UTC. Arguments are milliseconds since 1970. */

export const DAY_MS = 86_400_000

/** Returns the date, `YYYY-MM-DD`. */
export function toIsoDate(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10)
}

/** Returns date and time, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function toIsoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

export function toIsoTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIsoTime(epochMs)
}
