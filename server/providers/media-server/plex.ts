/**
 * Client of Plex Media Server (https://developer.plex.tv/pms/). Field names are listed in
 * docs/media-servers.md.
 */
import * as z from 'zod/mini'
import { createConnection, type MediaServerConnectionOptions } from './connection.ts'
import { listPages } from './list-pages.ts'
import {
  type MediaServerClient,
  MediaServerError,
  type ProviderIds,
  type RemoteItem,
} from './media-server.ts'
import { createPlexVersions, plexDetailsSchema } from './plex-versions.ts'
import {
  numberOrNull,
  partNumberOrNull,
  remoteIdSchema,
  textOrNull,
  toProviderIds,
} from './response-fields.ts'

const PAGE_SIZE = 500
/** Values of the query parameter `type`, which selects the kind of the listed items. */
const MOVIE_TYPE = 1
const SERIES_TYPE = 2
const EPISODE_TYPE = 4
const PLAYBACK_STATES_BY_EVENT = { start: 'playing', progress: 'playing', stop: 'stopped' }

const createContainerSchema = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object({ MediaContainer: z.object(shape) })
const identitySchema = createContainerSchema({
  version: z.string(),
  friendlyName: textOrNull,
  machineIdentifier: z.string(),
})
const sectionsSchema = createContainerSchema({
  Directory: z.catch(z.nullish(z.array(z.object({ key: z.string(), type: z.string() }))), null),
})
const itemPageSchema = createContainerSchema({
  size: numberOrNull,
  totalSize: numberOrNull,
  Metadata: z.catch(z.nullish(z.array(z.unknown())), null),
})
const itemSchema = z.object({
  ratingKey: remoteIdSchema,
  type: textOrNull,
  title: textOrNull,
  year: partNumberOrNull,
  guid: textOrNull,
  Guid: z.catch(z.nullish(z.array(z.object({ id: z.string() }))), null),
  grandparentRatingKey: textOrNull,
  grandparentTitle: textOrNull,
  parentIndex: partNumberOrNull,
  index: partNumberOrNull,
})
type PlexItem = z.infer<typeof itemSchema>

interface LibrarySection {
  key: string
  /** Value of the parameter `type` for the playable items of the section: movies or episodes. */
  playableItemType: number
}

export function createPlexClient(
  { baseUrl, token, deviceId }: { baseUrl: URL; token: string; deviceId: string },
  { resolve }: Pick<MediaServerConnectionOptions, 'resolve'> = {},
): MediaServerClient {
  const connection = createConnection({
    baseUrl,
    ownOriginHeaders: {
      'X-Plex-Token': token,
      'X-Plex-Client-Identifier': deviceId,
      'X-Plex-Product': 'Marquee',
      'X-Plex-Device-Name': 'Marquee',
    },
    resolve,
  })
  const parseResponse = <T>(schema: z.ZodMiniType<T>, body: unknown): T => {
    const parsedReply = z.safeParse(schema, body)
    if (!parsedReply.success) throw new MediaServerError('wrong_service', { cause: parsedReply.error })
    return parsedReply.data
  }
  async function listSections(): Promise<LibrarySection[]> {
    const { MediaContainer } = parseResponse(sectionsSchema, await connection.getJson('/library/sections'))
    return (MediaContainer.Directory ?? []).flatMap(({ key, type }) =>
      type === 'movie'
        ? [{ key, playableItemType: MOVIE_TYPE }]
        : type === 'show'
          ? [{ key, playableItemType: EPISODE_TYPE }]
          : [],
    )
  }
  async function loadPage(
    sectionKey: string,
    {
      type,
      startIndex,
      pageSize,
      changedSinceMs = null,
    }: { type: number; startIndex: number; pageSize: number; changedSinceMs?: number | null },
  ) {
    const query = {
      type,
      includeGuids: 1,
      ...(changedSinceMs !== null && { 'updatedAt>>': Math.floor(changedSinceMs / 1000) }),
    }
    const headers = {
      'X-Plex-Container-Start': String(startIndex),
      'X-Plex-Container-Size': String(pageSize),
    }
    const path = `/library/sections/${encodeURIComponent(sectionKey)}/all`
    const { MediaContainer } = parseResponse(itemPageSchema, await connection.getJson(path, query, headers))
    const metadataEntries = MediaContainer.Metadata ?? []
    return {
      items: metadataEntries.flatMap((entry) => z.safeParse(itemSchema, entry).data ?? []),
      listedCount: metadataEntries.length,
      total: MediaContainer.totalSize ?? MediaContainer.size ?? metadataEntries.length,
    }
  }
  const listItemPages = (
    sectionKey: string,
    itemType: number,
    { changedSinceMs, signal }: { changedSinceMs: number | null; signal: AbortSignal },
  ) =>
    listPages(
      (startIndex) =>
        loadPage(sectionKey, { type: itemType, startIndex, pageSize: PAGE_SIZE, changedSinceMs }),
      { getId: (item) => item.ratingKey, signal },
    )
  async function countItems(): Promise<number> {
    let itemCount = 0
    for (const { key, playableItemType } of await listSections())
      itemCount += (await loadPage(key, { type: playableItemType, startIndex: 0, pageSize: 0 })).total
    return itemCount
  }
  return {
    resolveAllowedUrl: connection.resolveAllowedUrl,
    fetchMedia: connection.fetchMedia,
    countItems,
    async testConnection() {
      // `/identity` needs no token. Only a wrong address makes this request fail; a wrong token fails at the next one.
      const { version } = parseResponse(identitySchema, await connection.getJson('/identity')).MediaContainer
      await listSections()
      const { friendlyName } = parseResponse(identitySchema, await connection.getJson('/')).MediaContainer
      return { name: friendlyName ?? baseUrl.host, version }
    },
    async *listItems({ changedSinceMs, signal }) {
      for (const { key, playableItemType } of await listSections())
        for await (const { items, total } of listItemPages(key, playableItemType, { changedSinceMs, signal }))
          yield { items: items.map(toRemoteItem), total }
    },
    async loadSeriesProviderIds(signal) {
      const providerIdsBySeriesId = new Map<string, ProviderIds>()
      for (const { key, playableItemType } of await listSections()) {
        if (playableItemType !== EPISODE_TYPE) continue
        for await (const { items } of listItemPages(key, SERIES_TYPE, { changedSinceMs: null, signal }))
          for (const item of items) providerIdsBySeriesId.set(item.ratingKey, parseGuids(item))
      }
      return providerIdsBySeriesId
    },
    async loadVersions(remoteId) {
      const path = `/library/metadata/${encodeURIComponent(remoteId)}`
      const body = await connection.getJson(path, { includeChapters: 1, includeMarkers: 1 })
      if (body === null) return []
      const [item] = parseResponse(plexDetailsSchema, body).MediaContainer.Metadata
      return item ? createPlexVersions(connection, item, { path, deviceId }) : []
    },
    reportPlayback: ({ event, remoteId, sessionId, positionSeconds, durationSeconds }) =>
      connection.post('/:/timeline', {
        ratingKey: remoteId,
        key: `/library/metadata/${remoteId}`,
        state: PLAYBACK_STATES_BY_EVENT[event],
        time: Math.round(positionSeconds * 1000),
        duration: Math.round(durationSeconds * 1000),
        'X-Plex-Session-Identifier': sessionId,
      }),
  }
}

function toRemoteItem(item: PlexItem): RemoteItem {
  const isEpisode = item.type === 'episode'
  return {
    remoteId: item.ratingKey,
    kind: isEpisode ? 'tv' : 'movie',
    name: item.title ?? '',
    year: item.year ?? null,
    ids: parseGuids(item),
    seriesRemoteId: isEpisode ? (item.grandparentRatingKey ?? null) : null,
    seriesName: isEpisode ? (item.grandparentTitle ?? null) : null,
    season: isEpisode ? (item.parentIndex ?? null) : null,
    episodes: isEpisode && typeof item.index === 'number' ? [item.index] : [],
  }
}

/**
 * Returns the ids of an item in public databases. Items of older Plex agents have no `Guid` list, but one guid such as
 * `com.plexapp.agents.imdb://tt0113277?lang=en`.
 */
function parseGuids({ guid, Guid }: PlexItem): ProviderIds {
  const idsByProvider = new Map<string, string>()
  for (const guidText of [...(Guid ?? []).map(({ id }) => id), guid ?? '']) {
    const [, agent = '', providerId = ''] =
      /^(?:com\.plexapp\.agents\.)?(\w+):\/\/([^?/]+)/.exec(guidText) ?? []
    const providerName = { themoviedb: 'tmdb', thetvdb: 'tvdb' }[agent] ?? agent
    if (providerName && !idsByProvider.has(providerName)) idsByProvider.set(providerName, providerId)
  }
  return toProviderIds(idsByProvider)
}
