/**
 * Client of Jellyfin 10.8 and newer (https://api.jellyfin.org). The token is an API key or the access token
 * of a user. Field names are listed in docs/media-servers.md.
 */
import * as z from 'zod/mini'
import { createConnection, type MediaServerConnectionOptions } from './connection.ts'
import { createJellyfinVersions, jellyfinSourcesSchema } from './jellyfin-versions.ts'
import { listPages } from './list-pages.ts'
import {
  type MediaServerClient,
  MediaServerError,
  type ProviderIds,
  type RemoteItem,
} from './media-server.ts'
import {
  parseVersion,
  partNumberOrNull,
  remoteIdSchema,
  textOrNull,
  toProviderIds,
} from './response-fields.ts'

const PAGE_SIZE = 500
const MIN_JELLYFIN_VERSION = [10, 8] as const
const TICKS_PER_SECOND = 10_000_000
const PLAYBACK_REPORT_PATHS = {
  start: '/Sessions/Playing',
  progress: '/Sessions/Playing/Progress',
  stop: '/Sessions/Playing/Stopped',
}
/** Query of the playable items. Items that describe an episode without a file are left out. */
const PLAYABLE_ITEMS_QUERY = {
  recursive: true,
  includeItemTypes: 'Movie,Episode',
  excludeLocationTypes: 'Virtual',
  enableImages: false,
  enableUserData: false,
}

const publicInfoSchema = z.object({ ProductName: textOrNull, Version: z.string(), ServerName: textOrNull })
const userSchema = z.object({ Id: z.string() })
const itemSchema = z.object({
  Id: remoteIdSchema,
  Name: textOrNull,
  Type: textOrNull,
  ProductionYear: partNumberOrNull,
  ProviderIds: z.catch(z.nullish(z.record(z.string(), z.unknown())), null),
  SeriesId: textOrNull,
  SeriesName: textOrNull,
  ParentIndexNumber: partNumberOrNull,
  IndexNumber: partNumberOrNull,
  IndexNumberEnd: partNumberOrNull,
})
type JellyfinItem = z.infer<typeof itemSchema>
const itemPageSchema = z.object({ Items: z.array(z.unknown()), TotalRecordCount: z.int() })

export function createJellyfinClient(
  { baseUrl, token, deviceId }: { baseUrl: URL; token: string; deviceId: string },
  { resolve }: Pick<MediaServerConnectionOptions, 'resolve'> = {},
): MediaServerClient {
  const connection = createConnection({
    baseUrl,
    ownOriginHeaders: {
      Authorization: `MediaBrowser Client="Marquee", Device="Marquee", DeviceId="${deviceId}", Version="1", Token="${token}"`,
    },
    resolve,
  })
  let userIdPromise: Promise<string | null> | undefined
  /**
   * Returns the id of the user to whom the token belongs; null when the token is an API key. Items are listed for this
   * user.
   */
  const loadUserId = () => {
    userIdPromise ??= connection
      .getJson('/Users/Me')
      .then((body) => (body === null ? null : (z.safeParse(userSchema, body).data?.Id ?? null)))
    userIdPromise.catch(() => {
      userIdPromise = undefined
    })
    return userIdPromise
  }
  async function loadPage(query: Record<string, string | number | boolean | null>) {
    const parsedReply = z.safeParse(
      itemPageSchema,
      await connection.getJson('/Items', { ...query, userId: await loadUserId() }),
    )
    if (!parsedReply.success) throw new MediaServerError('wrong_service', { cause: parsedReply.error })
    const items = parsedReply.data.Items.flatMap((item) => z.safeParse(itemSchema, item).data ?? [])
    return { items, listedCount: parsedReply.data.Items.length, total: parsedReply.data.TotalRecordCount }
  }
  const listItemPages = (query: Record<string, string | number | boolean | null>, signal: AbortSignal) =>
    listPages(
      (startIndex) =>
        loadPage({
          ...query,
          fields: 'ProviderIds',
          sortBy: 'DateCreated,SortName',
          startIndex,
          limit: PAGE_SIZE,
        }),
      { getId: (item) => item.Id, signal },
    )
  return {
    resolveAllowedUrl: connection.resolveAllowedUrl,
    fetchMedia: connection.fetchMedia,
    async testConnection() {
      const publicInfo = z.safeParse(publicInfoSchema, await connection.getJson('/System/Info/Public'))
      if (
        !publicInfo.success ||
        (publicInfo.data.ProductName && !/jellyfin/i.test(publicInfo.data.ProductName))
      )
        throw new MediaServerError('wrong_service')
      const [major = 0, minor = 0] = parseVersion(publicInfo.data.Version)
      if (
        major < MIN_JELLYFIN_VERSION[0] ||
        (major === MIN_JELLYFIN_VERSION[0] && minor < MIN_JELLYFIN_VERSION[1])
      )
        throw new MediaServerError('outdated')
      userIdPromise = undefined
      await loadPage({ ...PLAYABLE_ITEMS_QUERY, limit: 1 })
      return { name: publicInfo.data.ServerName ?? baseUrl.host, version: publicInfo.data.Version }
    },
    countItems: async () => (await loadPage({ ...PLAYABLE_ITEMS_QUERY, limit: 1 })).total,
    async *listItems({ changedSinceMs, signal }) {
      const minDateLastSaved = changedSinceMs === null ? null : new Date(changedSinceMs).toISOString()
      for await (const { items, total } of listItemPages(
        { ...PLAYABLE_ITEMS_QUERY, minDateLastSaved },
        signal,
      ))
        yield { items: items.map(toRemoteItem), total }
    },
    async loadSeriesProviderIds(signal) {
      const providerIdsBySeriesId = new Map<string, ProviderIds>()
      const query = { ...PLAYABLE_ITEMS_QUERY, includeItemTypes: 'Series' }
      for await (const { items } of listItemPages(query, signal))
        for (const item of items) providerIdsBySeriesId.set(item.Id, parseProviderIds(item))
      return providerIdsBySeriesId
    },
    async loadVersions(remoteId) {
      const body = await connection.getJson('/Items', {
        ids: remoteId,
        fields: 'MediaSources,MediaStreams,Chapters',
        userId: await loadUserId(),
      })
      const parsedReply = z.safeParse(jellyfinSourcesSchema, body ?? { Items: [] })
      if (!parsedReply.success) throw new MediaServerError('wrong_service', { cause: parsedReply.error })
      const [item] = parsedReply.data.Items
      return item ? createJellyfinVersions(connection, item, { remoteId, deviceId }) : []
    },
    reportPlayback: ({ event, remoteId, sessionId, positionSeconds }) =>
      connection.post(
        PLAYBACK_REPORT_PATHS[event],
        {},
        {
          ItemId: remoteId,
          PlaySessionId: sessionId,
          PositionTicks: Math.round(positionSeconds * TICKS_PER_SECOND),
          CanSeek: true,
          PlayMethod: 'DirectPlay',
        },
      ),
  }
}

function toRemoteItem(item: JellyfinItem): RemoteItem {
  const firstNumber = item.IndexNumber
  const lastNumber = Math.max(item.IndexNumberEnd ?? firstNumber ?? 0, firstNumber ?? 0)
  const isEpisode = item.Type === 'Episode'
  return {
    remoteId: item.Id,
    kind: isEpisode ? 'tv' : 'movie',
    name: item.Name ?? '',
    year: item.ProductionYear ?? null,
    ids: parseProviderIds(item),
    seriesRemoteId: isEpisode ? (item.SeriesId ?? null) : null,
    seriesName: isEpisode ? (item.SeriesName ?? null) : null,
    season: isEpisode ? (item.ParentIndexNumber ?? null) : null,
    episodes:
      isEpisode && typeof firstNumber === 'number'
        ? Array.from(
            { length: Math.min(lastNumber - firstNumber, 50) + 1 },
            (_, index) => firstNumber + index,
          )
        : [],
  }
}

function parseProviderIds({ ProviderIds }: JellyfinItem): ProviderIds {
  const idsByProvider = new Map(
    Object.entries(ProviderIds ?? {}).map(([name, id]) => [name.toLowerCase(), id]),
  )
  return toProviderIds(idsByProvider)
}
