/**
 * The owners of an import: the profiles in the file to which its rows belong. The rows can be applied for some of the
 * owners only.
 */
import type { HistoryImportRun } from '../../queries/history-import.ts'

interface ImportOwner {
  name: string
  count: number
  /** True if the rows of this owner were applied. If the rows of all owners were applied, no owner has this field. */
  applied?: boolean
}

const parseOwners = (run: HistoryImportRun) => JSON.parse(run.owners) as ImportOwner[]

/**
 * Returns the owners of the import as JSON for the database. Marks as applied the owners in `owners`, and the owners
 * whose rows were applied earlier and have not been undone. Marks no owner if the rows of all owners are applied. `run`
 * is the import before its status becomes `applying`.
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

/**
 * Returns the owners that are marked as applied, also after the import was undone. Returns undefined if none is marked,
 * which means all owners if the import was applied at all.
 */
export function listAppliedOwners(run: HistoryImportRun): string[] | undefined {
  const owners = parseOwners(run).filter((owner) => owner.applied)
  return owners.length > 0 ? owners.map((owner) => owner.name) : undefined
}
