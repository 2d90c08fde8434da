/** Decides which titles and people an import fetches. */
import { toIsoDate } from '../../core/dates.ts'
import { selectAllTmdbIds, selectKnownTmdbIds, selectTmdbIdsOfCast } from '../../queries/tmdb-id.ts'
import { readChangedIds } from './changes.ts'
import type { TmdbItem, TmdbKind } from './checkpoint.ts'
import { readPopularIds } from './daily-ids.ts'
import type { TmdbImportContext } from './import-plan.ts'

/**
 * Fills the checkpoint with the items to fetch. The first import fetches the most popular titles and all titles of the
 * catalogue that have a TMDB id; later imports fetch what has changed. A full import clears the checkpoint, so that it
 * counts as the first import. If the plan contains ids, adds only these. If an earlier run left pending items, the
 * import continues with those and does not read the changes. Limits that are larger than those of earlier runs add the
 * titles and people that are missing.
 */
export async function fillCheckpoint(context: TmdbImportContext): Promise<void> {
  const { plan, checkpoint, report, deps } = context
  if (plan.isFullImport) checkpoint.clearItemsAndProgress()
  if (plan.movieIds.length + plan.seriesIds.length > 0) {
    checkpoint.addPendingItems([...toItems('movie', plan.movieIds), ...toItems('tv', plan.seriesIds)])
    return
  }
  const sourceProgress = checkpoint.readSourceProgress()
  const hasPendingItems = checkpoint.countPendingItems() > 0
  if (hasPendingItems) report.stage = 'continuing the last import'
  if (!sourceProgress && hasPendingItems) return
  const today = toIsoDate(deps.now())
  if (!sourceProgress) {
    report.stage = 'reading the daily id exports'
    context.reportProgress?.(report)
    const { titleLimit, peoplePerTitle } = plan
    const items = [...(await findPopularItems(context)), ...(await findCatalogueItems(context))]
    checkpoint.addPendingItems(items, { sinceDate: today, titleLimit, peoplePerTitle })
    return
  }
  const items: TmdbItem[] = []
  if (!hasPendingItems) {
    report.stage = `reading changes since ${sourceProgress.sinceDate}`
    context.reportProgress?.(report)
    items.push(...(await findChangedItems(context, sourceProgress.sinceDate, today)))
  }
  if (plan.titleLimit > sourceProgress.titleLimit) items.push(...(await findMissingPopularItems(context)))
  if (plan.peoplePerTitle > sourceProgress.peoplePerTitle)
    checkpoint.addPeople(await selectTmdbIdsOfCast(deps.database.primary, plan.peoplePerTitle))
  checkpoint.addPendingItems(items, {
    sinceDate: hasPendingItems ? sourceProgress.sinceDate : today,
    titleLimit: Math.max(plan.titleLimit, sourceProgress.titleLimit),
    peoplePerTitle: Math.max(plan.peoplePerTitle, sourceProgress.peoplePerTitle),
  })
}

const toItems = (kind: TmdbKind, ids: number[]): TmdbItem[] => ids.map((id) => ({ kind, id }))

async function findPopularItems({
  plan,
  endpoints,
  report,
  deps,
  signal,
}: TmdbImportContext): Promise<TmdbItem[]> {
  const items: TmdbItem[] = []
  for (const kind of ['movie', 'tv'] as const) {
    const query = {
      baseUrl: endpoints.filesUrl,
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
 * Returns the titles of the catalogue that have a TMDB id. Without these titles, a full import would miss the changes
 * of titles that are not popular at the time of the import.
 */
async function findCatalogueItems({ deps }: TmdbImportContext): Promise<TmdbItem[]> {
  const { primary } = deps.database
  return [
    ...toItems('movie', await selectAllTmdbIds(primary, 'movie')),
    ...toItems('tv', await selectAllTmdbIds(primary, 'tv')),
  ]
}

/** Returns the items among the most popular ones that the catalogue does not contain. */
async function findMissingPopularItems(context: TmdbImportContext): Promise<TmdbItem[]> {
  const popularItems = await findPopularItems(context)
  const missingItems: TmdbItem[] = []
  for (const kind of ['movie', 'tv'] as const) {
    const popularIds = popularItems.filter((item) => item.kind === kind).map(({ id }) => id)
    const knownIds = new Set(await selectKnownTmdbIds(context.deps.database.primary, kind, popularIds))
    missingItems.push(
      ...toItems(
        kind,
        popularIds.filter((id) => !knownIds.has(id)),
      ),
    )
  }
  return missingItems
}

/**
 * Returns the changed titles that the catalogue contains, and the changed people that were fetched before. TMDB changes
 * thousands of other items every day, which are left out.
 */
async function findChangedItems(
  { client, checkpoint, deps }: TmdbImportContext,
  sinceDate: string,
  untilDate: string,
): Promise<TmdbItem[]> {
  const items: TmdbItem[] = []
  for (const kind of ['movie', 'tv', 'person'] as const) {
    for await (const changedIds of readChangedIds(client, { kind, sinceDate, untilDate })) {
      const knownIds =
        kind === 'person'
          ? changedIds.filter((id) => checkpoint.wasPersonFetched(id))
          : await selectKnownTmdbIds(deps.database.primary, kind, changedIds)
      items.push(...toItems(kind, knownIds))
    }
  }
  return items
}
