/** Job that reads the libraries of the media servers and matches their items to titles. */
import { DAY_MS } from '../../core/dates.ts'
import {
  MediaServerError,
  type ProviderIds,
  type RemoteItem,
} from '../../providers/media-server/media-server.ts'
import { selectLatestJobOfKind } from '../../queries/job.ts'
import {
  deleteOtherMediaServers,
  type MediaServerItemInsert,
  type MediaServerItemRow,
  selectItemsOfServer,
  selectMediaServerStates,
  upsertMediaServerState,
  writeMediaServerItems,
} from '../../queries/media-server-item.ts'
import type { Deps } from '../deps.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { changeAvailableTitles } from '../library/availability-requests.ts'
import { applyStoredConfiguration } from '../operations/stored-configuration.ts'
import { createItemMatcher } from './match-items.ts'
import { contactServer } from './server-contact.ts'
import type { ConnectedMediaServer } from './stored-media-servers.ts'

export const MEDIA_SERVER_JOB = 'media_server_sync'
const SYNC_INTERVAL_MS = 30 * 60_000
/**
 * Interval at which all items are listed. Between full listings, only changed items are listed. A full
 * listing also follows when the number of items shows that some were removed.
 */
const FULL_LISTING_INTERVAL_MS = DAY_MS
/** A listing of changes starts this much earlier, because the clocks of the two servers may differ. */
const CLOCK_TOLERANCE_MS = 10 * 60_000

interface SyncReport {
  items: number
  matched: number
  unmatched: number
  added: number
  changed: number
  removed: number
  failed_servers: number
}
type ItemColumns = Omit<MediaServerItemInsert, 'item_id' | 'added_at'>

export async function runMediaServerSync({ deps, signal, reportProgress }: JobContext) {
  // Another process may have changed the settings of the servers a moment ago.
  await applyStoredConfiguration(deps)
  const { mediaServers } = deps.streamSources
  await changeAvailableTitles(deps, (trx) =>
    deleteOtherMediaServers(
      trx,
      mediaServers.map(({ id }) => id),
    ),
  )
  const report: SyncReport = {
    items: 0,
    matched: 0,
    unmatched: 0,
    added: 0,
    changed: 0,
    removed: 0,
    failed_servers: 0,
  }
  for (const server of mediaServers) {
    if (signal.aborted) break
    try {
      await contactServer(deps, server.id, () => syncServer(deps, server, { signal, reportProgress, report }))
    } catch (error) {
      if (!(error instanceof MediaServerError)) throw error
      report.failed_servers += 1
    }
  }
  if (mediaServers.length > 0 && report.failed_servers === mediaServers.length)
    throw new JobFailure('media_servers_failed')
  return { message: String(report.matched), report: { ...report } }
}

export async function isMediaServerSyncDue(deps: Deps): Promise<boolean> {
  if (deps.streamSources.mediaServers.length === 0) return false
  const latest = await selectLatestJobOfKind(deps.database.primary, MEDIA_SERVER_JOB)
  return !latest || latest.created_at < deps.now() - SYNC_INTERVAL_MS
}

interface SyncContext {
  signal: AbortSignal
  reportProgress: JobContext['reportProgress']
  report: SyncReport
}

async function syncServer(deps: Deps, server: ConnectedMediaServer, context: SyncContext): Promise<void> {
  const { primary } = deps.database
  const { signal, report } = context
  signal.throwIfAborted()
  const startedAtMs = deps.now()
  const storedItems = new Map(
    (await selectItemsOfServer(primary, server.id)).map((row) => [row.remote_id, row]),
  )
  const state = (await selectMediaServerStates(primary)).find(({ server_id }) => server_id === server.id)
  // Fail when the server is not a supported media server. Otherwise, its lack of items would look like an
  // empty library.
  await server.client.test()
  const seriesIds = await server.client.listSeriesIds(signal)
  const fullyListedAtMs = Number(state?.fully_listed_at ?? 0)
  const isFullListingDue = startedAtMs - fullyListedAtMs > FULL_LISTING_INTERVAL_MS
  let listed = isFullListingDue
    ? await listItems(server, context, null)
    : await listItems(server, context, Number(state?.listed_at ?? 0) - CLOCK_TOLERANCE_MS)
  let isFull = isFullListingDue
  const addedCount = [...listed.keys()].filter((id) => !storedItems.has(id)).length
  // A different number means that items were removed. A listing of changes does not contain removed items.
  if (!isFull && (await server.client.countItems()) !== storedItems.size + addedCount) {
    listed = await listItems(server, context, null)
    isFull = true
  }
  const columns = new Map<string, ItemColumns>()
  for (const [remoteId, row] of storedItems)
    if (listed.has(remoteId) || !isFull) columns.set(remoteId, describeStored(row, seriesIds))
  for (const [remoteId, item] of listed) columns.set(remoteId, describeListed(server.id, item, seriesIds))
  // Stop if the operator has removed the server while its items were listed.
  if (!deps.streamSources.mediaServers.includes(server)) return
  const changes = await matchAll(deps, { columns, stored: storedItems, report })
  await changeAvailableTitles(deps, async (trx) => {
    await writeMediaServerItems(trx, changes)
    await upsertMediaServerState(trx, server.id, {
      listed_at: startedAtMs,
      ...(isFull && { fully_listed_at: startedAtMs }),
    })
  })
  report.added += changes.added.length
  report.changed += changes.changed.length
  report.removed += changes.removedIds.length
}

async function listItems(
  { client }: ConnectedMediaServer,
  { signal, reportProgress }: SyncContext,
  changedSinceMs: number | null,
): Promise<Map<string, RemoteItem>> {
  const items = new Map<string, RemoteItem>()
  for await (const page of client.listItems({ changedSinceMs, signal })) {
    for (const item of page.items) items.set(item.remoteId, item)
    await reportProgress(items.size, Math.max(page.total, items.size))
  }
  return items
}

const toIdColumns = ({ imdbId, tmdbId, tvdbId }: ProviderIds) => ({
  imdb_id: imdbId,
  tmdb_id: tmdbId,
  tvdb_id: tvdbId,
})
const NO_IDS: ProviderIds = { imdbId: null, tmdbId: null, tvdbId: null }
/** Season number that is stored for an episode without a season. */
const UNKNOWN_SEASON = -1
const UNMATCHED = { state: 'unmatched', reason: null, title_id: null, title_season: 0, title_episodes: '[]' }

function describeListed(
  serverId: string,
  item: RemoteItem,
  seriesIds: Map<string, ProviderIds>,
): ItemColumns {
  const isEpisode = item.kind === 'tv'
  return {
    ...UNMATCHED,
    server_id: serverId,
    remote_id: item.remoteId,
    kind: item.kind,
    name: item.name,
    series_remote_id: item.seriesRemoteId,
    series_name: item.seriesName,
    year: item.year,
    season_number: isEpisode ? (item.season ?? UNKNOWN_SEASON) : 0,
    episodes: JSON.stringify(item.episodes),
    ...toIdColumns(isEpisode ? (seriesIds.get(item.seriesRemoteId ?? '') ?? NO_IDS) : item.ids),
    episode_imdb_id: isEpisode ? item.ids.imdbId : null,
  }
}

/** Returns the columns of an item that was not listed, with the current ids of its series. */
function describeStored(
  { item_id: _itemId, added_at: _addedAt, ...row }: MediaServerItemRow,
  seriesIds: Map<string, ProviderIds>,
): ItemColumns {
  const ids = row.kind === 'tv' ? seriesIds.get(row.series_remote_id ?? '') : undefined
  return { ...row, ...(ids && toIdColumns(ids)) }
}

async function matchAll(
  deps: Deps,
  {
    columns,
    stored: storedItems,
    report,
  }: { columns: Map<string, ItemColumns>; stored: Map<string, MediaServerItemRow>; report: SyncReport },
) {
  const items = [...columns.values()].map((item) => ({
    ...item,
    has_season: item.season_number !== UNKNOWN_SEASON,
  }))
  const matchItem = await createItemMatcher(deps.database.primary, items)
  const addedItems: MediaServerItemInsert[] = []
  const changedItems: MediaServerItemRow[] = []
  for (const { has_season, ...item } of items) {
    const match = matchItem({ ...item, has_season })
    report.items += 1
    report[match.state] += 1
    const row = { ...item, ...match }
    const storedItem = storedItems.get(item.remote_id)
    if (!storedItem) addedItems.push({ ...row, added_at: deps.now() })
    else if (hasChanged(storedItem, row)) changedItems.push({ ...storedItem, ...row } as MediaServerItemRow)
  }
  const removedIds = [...storedItems.values()].flatMap((row) =>
    columns.has(row.remote_id) ? [] : row.item_id,
  )
  return { added: addedItems, changed: changedItems, removedIds }
}

/** PostgreSQL returns large integers as text, so values are compared as text. */
const hasChanged = (storedRow: MediaServerItemRow, row: ItemColumns): boolean =>
  Object.entries(row).some(
    ([column, value]) => String(storedRow[column as keyof MediaServerItemRow]) !== String(value),
  )
