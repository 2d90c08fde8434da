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
import { computeRetryTimeMs } from '../jobs/retry-delay.ts'
import { changeSourcesAndUpdateAvailability } from '../library/availability-requests.ts'
import { applyStoredConfiguration } from '../operations/stored-configuration.ts'
import { createItemMatcher } from './match-items.ts'
import { contactMediaServer } from './server-contact.ts'
import type { MediaServerWithClient } from './stored-media-servers.ts'

export const MEDIA_SERVER_SYNC_JOB = 'media_server_sync'
const SYNC_INTERVAL_MS = 30 * 60_000
/**
 * Interval at which all items are listed. Between full listings, only changed items are listed. All items are
 * also listed when the number of items shows that items were removed.
 */
const FULL_LISTING_INTERVAL_MS = DAY_MS
/** A listing of changes starts this long before the last listing, because the clock of the media server may differ. */
const CLOCK_TOLERANCE_MS = 10 * 60_000

interface ServerSyncReport {
  items: number
  matched: number
  unmatched: number
  added: number
  changed: number
  removed: number
  failed_servers: number
}
type MediaServerItemColumns = Omit<MediaServerItemInsert, 'item_id' | 'added_at'>

export async function runMediaServerSync({ deps, signal, reportProgress }: JobContext) {
  // Another process may have changed the list of media servers, and the event about the change may not have arrived
  // yet.
  await applyStoredConfiguration(deps)
  const { mediaServers } = deps.streamSources
  await changeSourcesAndUpdateAvailability(deps, (trx) =>
    deleteOtherMediaServers(
      trx,
      mediaServers.map(({ id }) => id),
    ),
  )
  const report: ServerSyncReport = {
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
      await contactMediaServer(deps, server.id, () =>
        syncServer(deps, server, { signal, reportProgress, report }),
      )
    } catch (error) {
      if (!(error instanceof MediaServerError)) throw error
      report.failed_servers += 1
    }
  }
  if (mediaServers.length > 0 && report.failed_servers === mediaServers.length)
    throw new JobFailure('media_servers_failed')
  return { message: String(report.matched), report: { ...report } }
}

/**
 * True when no synchronisation was started within the last SYNC_INTERVAL_MS. Also true when a server was added during
 * the last synchronisation and was therefore never read, but not before the retry delay of a failed or cancelled
 * synchronisation has passed.
 */
export async function isMediaServerSyncDue(deps: Deps): Promise<boolean> {
  const { primary } = deps.database
  const { mediaServers } = deps.streamSources
  if (mediaServers.length === 0) return false
  const nowMs = deps.now()
  const latestJob = await selectLatestJobOfKind(primary, { kind: MEDIA_SERVER_SYNC_JOB, nowMs })
  if (!latestJob || latestJob.created_at < nowMs - SYNC_INTERVAL_MS) return true
  if (computeRetryTimeMs(latestJob, nowMs) > nowMs) return false
  const triedServerIds = new Set(
    (await selectMediaServerStates(primary))
      .filter(({ listed_at, failed_at }) => listed_at || failed_at)
      .map(({ server_id }) => server_id),
  )
  return mediaServers.some(({ id }) => !triedServerIds.has(id))
}

interface MediaServerSyncContext {
  signal: AbortSignal
  reportProgress: JobContext['reportProgress']
  report: ServerSyncReport
}

async function syncServer(
  deps: Deps,
  server: MediaServerWithClient,
  context: MediaServerSyncContext,
): Promise<void> {
  const { primary } = deps.database
  const { signal, report } = context
  signal.throwIfAborted()
  const startedAtMs = deps.now()
  const storedItemsByRemoteId = new Map(
    (await selectItemsOfServer(primary, server.id)).map((row) => [row.remote_id, row]),
  )
  const serverState = (await selectMediaServerStates(primary)).find(
    ({ server_id }) => server_id === server.id,
  )
  // Fail when the server is not a supported media server. Otherwise, a reply without items would look like an
  // empty library.
  await server.client.testConnection()
  const seriesIdsByRemoteId = await server.client.loadSeriesProviderIds(signal)
  const { listedItemsByRemoteId, isFullListing } = await listItemsToSync(server, context, {
    startedAtMs,
    fullyListedAtMs: Number(serverState?.fully_listed_at ?? 0),
    listedAtMs: Number(serverState?.listed_at ?? 0),
    storedItemsByRemoteId,
  })
  const columnsByRemoteId = new Map<string, MediaServerItemColumns>()
  for (const [remoteId, row] of storedItemsByRemoteId)
    if (listedItemsByRemoteId.has(remoteId) || !isFullListing)
      columnsByRemoteId.set(remoteId, describeStoredItem(row, seriesIdsByRemoteId))
  for (const [remoteId, listedItem] of listedItemsByRemoteId)
    columnsByRemoteId.set(remoteId, describeListedItem(server.id, listedItem, seriesIdsByRemoteId))
  // Stop if the operator has removed the server while its items were listed.
  if (!deps.streamSources.mediaServers.includes(server)) return
  const changes = await matchItems(deps, {
    columnsByRemoteId,
    storedItemsByRemoteId,
    report,
  })
  await changeSourcesAndUpdateAvailability(deps, async (trx) => {
    await writeMediaServerItems(trx, changes)
    await upsertMediaServerState(trx, server.id, {
      listed_at: startedAtMs,
      ...(isFullListing && { fully_listed_at: startedAtMs }),
    })
    return changes.addedRows.length + changes.changedRows.length + changes.removedIds.length > 0
  })
  report.added += changes.addedRows.length
  report.changed += changes.changedRows.length
  report.removed += changes.removedIds.length
}

interface ListingState {
  startedAtMs: number
  /** Time of the last full listing; 0 before the first one. */
  fullyListedAtMs: number
  /** Time of the last listing of any kind; 0 before the first one. */
  listedAtMs: number
  storedItemsByRemoteId: ReadonlyMap<string, MediaServerItemRow>
}

/** Lists the items that have changed since the last listing, or all items if necessary (FULL_LISTING_INTERVAL_MS). */
async function listItemsToSync(
  server: MediaServerWithClient,
  context: MediaServerSyncContext,
  { startedAtMs, fullyListedAtMs, listedAtMs, storedItemsByRemoteId }: ListingState,
): Promise<{ listedItemsByRemoteId: Map<string, RemoteItem>; isFullListing: boolean }> {
  const listAllItems = async () => ({
    listedItemsByRemoteId: await listItems(server, context, null),
    isFullListing: true,
  })
  if (startedAtMs - fullyListedAtMs > FULL_LISTING_INTERVAL_MS) return listAllItems()
  const listedItemsByRemoteId = await listItems(server, context, listedAtMs - CLOCK_TOLERANCE_MS)
  const addedCount = [...listedItemsByRemoteId.keys()].filter((id) => !storedItemsByRemoteId.has(id)).length
  // If the number of items on the server is not the number of stored and added items, the server has removed
  // items. A listing of changes does not contain removed items, so all items must be listed.
  const hasRemovedItems = (await server.client.countItems()) !== storedItemsByRemoteId.size + addedCount
  return hasRemovedItems ? listAllItems() : { listedItemsByRemoteId, isFullListing: false }
}

async function listItems(
  { client }: MediaServerWithClient,
  { signal, reportProgress }: MediaServerSyncContext,
  changedSinceMs: number | null,
): Promise<Map<string, RemoteItem>> {
  const itemsByRemoteId = new Map<string, RemoteItem>()
  for await (const page of client.listItems({ changedSinceMs, signal })) {
    for (const item of page.items) itemsByRemoteId.set(item.remoteId, item)
    await reportProgress(itemsByRemoteId.size, Math.max(page.total, itemsByRemoteId.size))
  }
  return itemsByRemoteId
}

const toIdColumns = ({ imdbId, tmdbId, tvdbId }: ProviderIds) => ({
  imdb_id: imdbId,
  tmdb_id: tmdbId,
  tvdb_id: tvdbId,
})
const NO_PROVIDER_IDS: ProviderIds = { imdbId: null, tmdbId: null, tvdbId: null }
/** Season number that is stored for an episode without a season. */
const UNKNOWN_SEASON = -1
const UNMATCHED_COLUMNS = {
  state: 'unmatched',
  reason: null,
  title_id: null,
  title_season: 0,
  title_episodes: '[]',
}

function describeListedItem(
  serverId: string,
  item: RemoteItem,
  seriesIdsByRemoteId: Map<string, ProviderIds>,
): MediaServerItemColumns {
  const isEpisode = item.kind === 'tv'
  return {
    ...UNMATCHED_COLUMNS,
    server_id: serverId,
    remote_id: item.remoteId,
    kind: item.kind,
    name: item.name,
    series_remote_id: item.seriesRemoteId,
    series_name: item.seriesName,
    year: item.year,
    season_number: isEpisode ? (item.season ?? UNKNOWN_SEASON) : 0,
    episodes: JSON.stringify(item.episodes),
    ...toIdColumns(
      isEpisode ? (seriesIdsByRemoteId.get(item.seriesRemoteId ?? '') ?? NO_PROVIDER_IDS) : item.ids,
    ),
    episode_imdb_id: isEpisode ? item.ids.imdbId : null,
  }
}

/** Returns the columns of a stored item, with the current ids of its series. */
function describeStoredItem(
  { item_id: _itemId, added_at: _addedAt, ...row }: MediaServerItemRow,
  seriesIdsByRemoteId: Map<string, ProviderIds>,
): MediaServerItemColumns {
  const providerIds = row.kind === 'tv' ? seriesIdsByRemoteId.get(row.series_remote_id ?? '') : undefined
  return { ...row, ...(providerIds && toIdColumns(providerIds)) }
}

async function matchItems(
  deps: Deps,
  {
    columnsByRemoteId,
    storedItemsByRemoteId,
    report,
  }: {
    columnsByRemoteId: Map<string, MediaServerItemColumns>
    storedItemsByRemoteId: Map<string, MediaServerItemRow>
    report: ServerSyncReport
  },
) {
  const matchableItems = [...columnsByRemoteId.values()].map((item) => ({
    ...item,
    has_season: item.season_number !== UNKNOWN_SEASON,
  }))
  const matchItem = await createItemMatcher(deps.database.primary, matchableItems)
  const addedItems: MediaServerItemInsert[] = []
  const changedItems: MediaServerItemRow[] = []
  for (const { has_season, ...item } of matchableItems) {
    const match = matchItem({ ...item, has_season })
    report.items += 1
    report[match.state] += 1
    const row = { ...item, ...match }
    const storedItem = storedItemsByRemoteId.get(item.remote_id)
    if (!storedItem) addedItems.push({ ...row, added_at: deps.now() })
    else if (hasChanged(storedItem, row)) changedItems.push({ ...storedItem, ...row } as MediaServerItemRow)
  }
  const removedItemIds = [...storedItemsByRemoteId.values()].flatMap((row) =>
    columnsByRemoteId.has(row.remote_id) ? [] : row.item_id,
  )
  return { addedRows: addedItems, changedRows: changedItems, removedIds: removedItemIds }
}

/**
 * True if a value of the row differs from the stored row. PostgreSQL returns large integers as text, so values are
 * compared as text.
 */
const hasChanged = (storedRow: MediaServerItemRow, row: MediaServerItemColumns): boolean =>
  Object.entries(row).some(
    ([column, value]) => String(storedRow[column as keyof MediaServerItemRow]) !== String(value),
  )
