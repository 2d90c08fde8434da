/** The profiles whose rows an import file contains, and the profiles whose rows were applied. */
import type { HistoryImportRun } from '../../queries/history-import.ts'

interface ImportOwner {
  name: string
  count: number
  /** True for the owners whose rows were applied, if only some were. */
  applied?: boolean
}

const parseOwners = (run: HistoryImportRun) => JSON.parse(run.owners) as ImportOwner[]

/**
 * Returns the owners of the import as stored JSON. The owners whose rows are applied are marked, and those whose rows were
 * applied earlier and have not been undone. `run` has the status before the application.
 */
export function markAppliedOwners(run: HistoryImportRun, owners: readonly string[] | undefined): string {
  const hasAppliedRows = run.status !== 'ready' && run.status !== 'undone'
  const earlierOwners = hasAppliedRows ? listAppliedOwners(run) : []
  const appliedOwners = owners && earlierOwners && [...earlierOwners, ...owners]
  return JSON.stringify(
    parseOwners(run).map(({ name, count }) => ({
      name,
      count,
      ...(appliedOwners?.includes(name) && { applied: true }),
    })),
  )
}

/** Returns the owners whose rows were applied; undefined for all. */
export function listAppliedOwners(run: HistoryImportRun): string[] | undefined {
  const owners = parseOwners(run).filter((owner) => owner.applied)
  return owners.length > 0 ? owners.map((owner) => owner.name) : undefined
}
