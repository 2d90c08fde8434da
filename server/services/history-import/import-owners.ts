/** The profiles whose rows an import file contains, and the profiles whose rows were applied. */
import type { HistoryImportRun } from '../../queries/history-import.ts'

interface ImportOwner {
  name: string
  count: number
  /** True for the owners whose rows were applied, if only some were. */
  applied?: boolean
}

const parseOwners = (run: HistoryImportRun) => JSON.parse(run.owners) as ImportOwner[]

/** Returns the owners of the import as stored JSON. The owners whose rows are applied are marked. */
export const markAppliedOwners = (run: HistoryImportRun, owners: readonly string[] | undefined) =>
  JSON.stringify(
    parseOwners(run).map(({ name, count }) => ({
      name,
      count,
      ...(owners?.includes(name) && { applied: true }),
    })),
  )

/** Returns the owners whose rows were applied; undefined for all. */
export function listAppliedOwners(run: HistoryImportRun): string[] | undefined {
  const owners = parseOwners(run).filter((owner) => owner.applied)
  return owners.length > 0 ? owners.map((owner) => owner.name) : undefined
}
