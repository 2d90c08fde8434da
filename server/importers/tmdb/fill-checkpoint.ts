/** Decides which titles and people an import fetches. */
import { toIsoDate } from '../../core/dates.ts'
import { selectKnownTmdbIds } from '../../queries/tmdb-id.ts'
import { readChangedIds } from './changes.ts'
import type { TmdbItem, TmdbKind } from './checkpoint.ts'
import { readPopularIds } from './daily-ids.ts'
import type { ImportContext } from './import-plan.ts'

/**
 * Adds the items to fetch to the checkpoint. A full import clears the checkpoint first. If the plan contains no ids and an
 * earlier run left pending items, adds nothing, and the import continues with those.
 */
export async function fillCheckpoint(context: ImportContext): Promise<void> {
  const { plan, checkpoint, report } = context
  if (plan.isFullImport) checkpoint.clear()
  if (plan.movieIds.length + plan.seriesIds.length > 0) {
    checkpoint.addPending([...toItems('movie', plan.movieIds), ...toItems('tv', plan.seriesIds)])
    return
  }
  if (checkpoint.countPending() > 0) {
    report.stage = 'continuing the last import'
    return
  }
  const sinceDate = checkpoint.readChangesSince()
  const today = toIsoDate(context.deps.now())
  report.stage = sinceDate ? `reading changes since ${sinceDate}` : 'reading the daily id exports'
  context.progress?.(report)
  checkpoint.addPending(
    sinceDate ? await findChangedItems(context, sinceDate, today) : await findPopularItems(context),
    today,
  )
}

const toItems = (kind: TmdbKind, ids: number[]): TmdbItem[] => ids.map((id) => ({ kind, id }))

async function findPopularItems({
  plan,
  endpoints,
  report,
  deps,
  signal,
}: ImportContext): Promise<TmdbItem[]> {
  const items: TmdbItem[] = []
  for (const kind of ['movie', 'tv'] as const) {
    const query = {
      baseUrl: endpoints.files,
      kind,
      idLimit: plan.titleLimit,
      nowMs: deps.now(),
      report,
      signal,
    }
    items.push(...toItems(kind, await readPopularIds(query)))
  }
  return items
}

/**
 * Returns the changed items that the catalogue contains. TMDB changes thousands of other titles every day,
 * which are left out.
 */
async function findChangedItems(
  { client, checkpoint, deps }: ImportContext,
  sinceDate: string,
  untilDate: string,
): Promise<TmdbItem[]> {
  const items: TmdbItem[] = []
  for (const kind of ['movie', 'tv', 'person'] as const) {
    for await (const changedIds of readChangedIds(client, { kind, sinceDate, untilDate })) {
      const knownIds =
        kind === 'person'
          ? changedIds.filter((id) => checkpoint.isPersonDone(id))
          : await selectKnownTmdbIds(deps.database.primary, kind, changedIds)
      items.push(...toItems(kind, knownIds))
    }
  }
  return items
}
