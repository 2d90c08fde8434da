/** The report of an import, shown to the person who started it. */

const MAX_LISTED_SKIPS = 100

export interface ImportReport {
  /** Number of titles that the source delivered. */
  read: number
  added: number
  changed: number
  /** Number of titles that the import did not change. */
  same: number
  skipped: number
  /** The first hundred skipped items and hidden titles, as `location: reason`. */
  skips: string[]
  /** Number of skipped items, excluded items and hidden titles, by reason. */
  reasons: Record<string, number>
  /** Number of file lines that were read. */
  lines?: number
  /** Number of titles to read; absent while the number is unknown. */
  total?: number
  /** Description of the current step, for the progress display. */
  stage?: string
}

export const createImportReport = (): ImportReport => ({
  read: 0,
  added: 0,
  changed: 0,
  same: 0,
  skipped: 0,
  skips: [],
  reasons: {},
})

/** Counts a skipped item. The first MAX_LISTED_SKIPS items are also listed with their location. */
export function reportSkip(report: ImportReport, location: string, reason: string): void {
  report.skipped += 1
  addToSkipList(report, location, reason)
}

/**
 * Counts a hidden title among the changed titles. The first MAX_LISTED_SKIPS items are also listed with their location.
 */
export function reportHiddenTitle(report: ImportReport, location: string): void {
  report.changed += 1
  addToSkipList(report, location, 'is for adults now, and was hidden')
}

function addToSkipList(report: ImportReport, location: string, reason: string): void {
  countExcludedItems(report, reason)
  if (report.skips.length < MAX_LISTED_SKIPS) report.skips.push(`${location}: ${reason}`)
}

/** Adds `count` items to the count of a reason, without listing each item. */
export function countExcludedItems(report: ImportReport, reason: string, count = 1): void {
  if (count > 0) report.reasons[reason] = (report.reasons[reason] ?? 0) + count
}
