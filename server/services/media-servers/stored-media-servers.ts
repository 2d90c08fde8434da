/**
 * Encodes and decodes the media servers that administrators configure in the dashboard. All of them are stored in one
 * row of the table `setting`. The value of the row is encrypted, because the addresses and tokens are secrets.
 */
import * as z from 'zod/mini'
import { MEDIA_SERVER_KINDS, type MediaServerKind } from '../../../src/lib/rules/media-server-problems.ts'
import type { InstallationKeys } from '../../providers/keys.ts'
import { createJellyfinClient } from '../../providers/media-server/jellyfin.ts'
import type { MediaServerClient } from '../../providers/media-server/media-server.ts'
import { createPlexClient } from '../../providers/media-server/plex.ts'
import { sealText } from '../auth/sealed-text.ts'
import { parseStoredList } from '../operations/stored-lists.ts'

/**
 * Key of the row in the table `setting`. The key is not in setting-definitions.ts, because media servers have
 * their own endpoints.
 */
export const MEDIA_SERVERS_KEY = 'media_servers'

const storedServersSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(MEDIA_SERVER_KINDS),
    address: z.string(),
    token: z.string(),
    reportsProgress: z.boolean(),
  }),
)
export type StoredMediaServer = z.infer<typeof storedServersSchema>[number]

/** A media server with the client that sends requests to it. */
export interface MediaServerWithClient {
  id: string
  kind: MediaServerKind
  origin: string
  reportsProgress: boolean
  client: MediaServerClient
}

export const formatStoredMediaServers = (keys: InstallationKeys, servers: StoredMediaServer[]): string =>
  JSON.stringify(sealText(keys, JSON.stringify(servers)))

/** Returns the servers of a row (`parseStoredList`). */
export const parseStoredMediaServers = (
  keys: InstallationKeys,
  storedText: string | undefined,
): StoredMediaServer[] => parseStoredList(keys, storedText, storedServersSchema)

export function createMediaServerClients(servers: readonly StoredMediaServer[]): MediaServerWithClient[] {
  return servers.map(({ id, kind, address, token, reportsProgress }) => {
    const baseUrl = new URL(address)
    const createClient = kind === 'plex' ? createPlexClient : createJellyfinClient
    const client = createClient({ baseUrl, token, deviceId: `marquee-${id}` })
    return { id, kind, origin: baseUrl.origin, reportsProgress, client }
  })
}
