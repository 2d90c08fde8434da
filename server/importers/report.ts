/** What an import did, for the person who started it. */
const SKIPS_KEPT = 100

export interface ImportReport {
  /** Titles that the source gave. */
  read: number
  added: number
  changed: number
  same: number
  skipped: number
  /** The first hundred, as `where: why`. */
  skips: string[]
  /** Why, and how many: skipped titles, and lines of files that were left out. */
  reasons: Record<string, number>
  /** Lines of files that were looked at. */
  lines?: number
  /** How many titles will be read, once that is known. */
  total?: number
  /** What it is at, with a count where there is one; for whoever watches. */
  stage?: string
}

export const emptyReport = (): ImportReport => ({
  read: 0,
  added: 0,
  changed: 0,
  same: 0,
  skipped: 0,
  skips: [],
  reasons: {},
})

/** One title, or one line, was left out; it is named. */
export function skip(report: ImportReport, where: string, why: string): void {
  report.skipped += 1
  count(report, why)
  if (report.skips.length < SKIPS_KEPT) report.skips.push(`${where}: ${why}`)
}

/** Left out as the options say: counted, not named. */
export function count(report: ImportReport, why: string, by = 1): void {
  if (by > 0) report.reasons[why] = (report.reasons[why] ?? 0) + by
}
