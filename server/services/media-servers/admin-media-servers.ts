/** Lists, changes and tests media servers, for administrators. Returns only the origin of an address, and no token. */
import type { FileTitle } from '../../../src/lib/contract/admin-library.ts'
import type { MediaServer, MediaServerItem } from '../../../src/lib/contract/admin-media-servers.ts'
import type { MediaServerKind, MediaServerProblem } from '../../../src/lib/rules/media-server-problems.ts'
import { toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { MediaServerError } from '../../providers/media-server/media-server.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import type { JobRow } from '../../queries/job.ts'
import {
  countMediaServerItems,
  deleteOtherMediaServers,
  type MediaServerItemRow,
  selectMediaServerItems,
  selectMediaServerStates,
} from '../../queries/media-server-item.ts'
import { selectSetting, upsertSetting } from '../../queries/setting.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { createRandomId } from '../auth/secret.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { RequestContext } from '../context.ts'
import { announceSystemJob, insertSystemJob, startJob } from '../jobs/jobs.ts'
import { changeSourcesAndUpdateAvailability } from '../library/availability-requests.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { applyStoredConfiguration } from '../operations/stored-configuration.ts'
import { getListVersion, selectListForChange } from '../operations/stored-lists.ts'
import { toPage } from '../page.ts'
import { contactMediaServer } from './server-contact.ts'
import {
  formatStoredMediaServers,
  MEDIA_SERVERS_KEY,
  parseStoredMediaServers,
  type StoredMediaServer,
} from './stored-media-servers.ts'
import { MEDIA_SERVER_SYNC_JOB } from './sync-media-servers.ts'

interface MediaServerChange {
  id?: string | undefined
  kind?: MediaServerKind | undefined
  address?: string | undefined
  token?: string | undefined
  report_progress: boolean
}

interface MediaServerList {
  results: MediaServer[]
  version: string
}

export async function listMediaServers({ deps }: Pick<RequestContext, 'deps'>): Promise<MediaServerList> {
  const { primary } = deps.database
  const itemCountsByServerAndState = new Map(
    (await countMediaServerItems(primary)).map(({ server_id, state, items }) => [
      `${server_id} ${state}`,
      items,
    ]),
  )
  const statesByServerId = new Map(
    (await selectMediaServerStates(primary)).map((serverState) => [serverState.server_id, serverState]),
  )
  const storedText = (await selectSetting(primary, MEDIA_SERVERS_KEY))?.value
  const mediaServers = parseStoredMediaServers(deps.keys, storedText).map(
    ({ id, kind, address, reportsProgress }): MediaServer => {
      const serverState = statesByServerId.get(id)
      return {
        id,
        kind,
        origin: new URL(address).origin,
        report_progress: reportsProgress,
        matched: itemCountsByServerAndState.get(`${id} matched`) ?? 0,
        unmatched: itemCountsByServerAndState.get(`${id} unmatched`) ?? 0,
        contacted_at: toIsoTimeOrNull(toTimeMsOrNull(serverState?.contacted_at)),
        problem: (serverState?.failure ?? null) as MediaServerProblem | null,
        failed_at: toIsoTimeOrNull(toTimeMsOrNull(serverState?.failed_at)),
      }
    },
  )
  return { results: mediaServers, version: getListVersion(storedText) }
}

/**
 * PostgreSQL returns times as text, so they are converted to numbers. Returns null for 0 and for missing
 * times.
 */
const toTimeMsOrNull = (timeMs: number | null | undefined) => (timeMs ? Number(timeMs) : null)

/**
 * Replaces all media servers. A known server without a new address or token keeps the stored address or token. If the
 * address changes, the token must be given again. Otherwise, an attacker could make this server send the stored token
 * to another server. Throws 422 for invalid or duplicate values, and for a missing token. Throws 409 when the list no
 * longer has the version `version`.
 */
export async function changeMediaServers(
  context: RequestContext,
  changes: MediaServerChange[],
  version: string | undefined,
): Promise<MediaServerList> {
  const { deps, caller } = context
  // The transaction returns only whether items were deleted, so it stores the queued job here.
  const queuedSync: { job?: JobRow | undefined } = {}
  await changeSourcesAndUpdateAvailability(deps, async (trx) => {
    const storedText = await selectListForChange(trx, MEDIA_SERVERS_KEY, version)
    const knownServersById = new Map(
      parseStoredMediaServers(deps.keys, storedText).map((server) => [server.id, server]),
    )
    const servers = changes.map((change) => createStoredServer(change, knownServersById))
    if (new Set(servers.map(({ id }) => id)).size < servers.length) throw createFieldProblem('id', 'twice')
    // Keep the stored items only of servers whose address is unchanged. At another address, the same ids may
    // refer to other items.
    const unchangedServerIds = servers
      .filter((server) => knownServersById.get(server.id)?.address === server.address)
      .map(({ id }) => id)
    await upsertSetting(trx, {
      key: MEDIA_SERVERS_KEY,
      value: formatStoredMediaServers(deps.keys, servers),
      updated_at: deps.now(),
      updated_by: caller.account.account_id,
    })
    await recordCallerAction(trx, context, { action: 'setting_change', target: MEDIA_SERVERS_KEY })
    const hasDeletedItems = await deleteOtherMediaServers(trx, unchangedServerIds)
    if (unchangedServerIds.length < servers.length)
      queuedSync.job = await insertSystemJob(trx, deps, MEDIA_SERVER_SYNC_JOB)
    return hasDeletedItems
  })
  await applyStoredConfiguration(deps)
  deps.bus.publish('settings', { key: MEDIA_SERVERS_KEY })
  if (queuedSync.job) announceSystemJob(deps, queuedSync.job)
  return listMediaServers(context)
}

function createStoredServer(
  change: MediaServerChange,
  knownServersById: Map<string, StoredMediaServer>,
): StoredMediaServer {
  const previousServer = change.id === undefined ? undefined : knownServersById.get(change.id)
  const kind = change.kind ?? previousServer?.kind
  if (!kind || (previousServer && previousServer.kind !== kind))
    throw createFieldProblem('kind', 'does_not_fit')
  const address = change.address === undefined ? previousServer?.address : parseAddress(change.address)
  if (!address) throw createFieldProblem('address', 'unusable')
  const isSameAddress = previousServer?.address === address
  const token = change.token ?? (isSameAddress ? previousServer?.token : undefined)
  if (!token) throw createFieldProblem('token', 'needed')
  return {
    id: previousServer?.id ?? createRandomId(),
    kind,
    address,
    token,
    reportsProgress: change.report_progress,
  }
}

/**
 * Returns the address of a server. Removes the path of the web interface, which users often copy by mistake.
 * Returns null for protocols other than HTTP and HTTPS, and for addresses with a user name or password.
 */
function parseAddress(addressText: string): string | null {
  const trimmedAddress = addressText.trim()
  const url = URL.parse(
    /^[a-z][a-z\d+.-]*:\/\//i.test(trimmedAddress) ? trimmedAddress : `http://${trimmedAddress}`,
  )
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null
  url.hash = ''
  url.search = ''
  url.pathname = url.pathname.replace(/\/web(?:\/index\.html)?\/?$/, '/')
  return url.href
}

/** Sends a test request to a media server. Throws 404 for an unknown server. */
export async function testMediaServer(context: RequestContext, serverId: string) {
  const { deps } = context
  const server = deps.streamSources.mediaServers.find((candidate) => candidate.id === serverId)
  if (!server) throw new Problem('not_found')
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'connection_test', target: serverId }))
  try {
    return {
      result: 'ok' as const,
      ...(await contactMediaServer(deps, serverId, () => server.client.testConnection())),
    }
  } catch (error) {
    if (!(error instanceof MediaServerError)) throw error
    return { result: error.problem, name: null, version: null }
  }
}

export async function listMediaServerItems(
  context: RequestContext,
  query: Parameters<typeof selectMediaServerItems>[1],
) {
  const { deps, caller } = context
  const { rows, total } = await selectMediaServerItems(deps.database.primary, query)
  const titleIds = [...new Set(rows.flatMap((row) => row.title_id ?? []))]
  const titles = await selectTitlesInOrder(deps.database.primary, null, titleIds)
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const originsByServerId = new Map(deps.streamSources.mediaServers.map(({ id, origin }) => [id, origin]))
  return toPage(
    query,
    total,
    rows.map((row) => {
      const card = cardsById.get(row.title_id ?? 0)
      const title: FileTitle | null = card
        ? { id: card.id, type: card.type, slug: card.slug, title: card.title, year: card.year }
        : null
      return toMediaServerItem(row, originsByServerId.get(row.server_id) ?? '', title)
    }),
  )
}

function toMediaServerItem(
  row: MediaServerItemRow,
  serverOrigin: string,
  title: FileTitle | null,
): MediaServerItem {
  return {
    id: String(row.item_id),
    server_id: row.server_id,
    server: serverOrigin,
    type: row.kind as MediaServerItem['type'],
    name: row.name,
    series_name: row.series_name,
    year: row.year,
    season: row.kind === 'tv' && row.season_number >= 0 ? row.season_number : null,
    episodes: JSON.parse(row.episodes) as number[],
    imdb_id: row.imdb_id,
    tmdb_id: row.tmdb_id,
    tvdb_id: row.tvdb_id,
    state: row.state as MediaServerItem['state'],
    reason: row.reason as MediaServerItem['reason'],
    title,
  }
}

/**
 * Starts the job that reads the libraries of the media servers. Throws 409 when no media server is configured
 * or the job already runs.
 */
export function startMediaServerSync(context: RequestContext) {
  if (context.deps.streamSources.mediaServers.length === 0)
    throw new Problem('conflict', {
      message: 'No media server is configured.',
      errors: { media_server: ['not_configured'] },
    })
  return startJob(context, MEDIA_SERVER_SYNC_JOB)
}
