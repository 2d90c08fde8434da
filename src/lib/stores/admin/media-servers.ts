/** Jellyfin and Plex servers in the dashboard, and their movies and episodes. */
import { computed, onMount } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { MediaServer } from '../../contract/admin-media-servers.ts'
import * as mediaServers from '../../contract/admin-media-servers.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { writeOptimistically } from '../optimistic-writes.ts'
import { createReadStore, refetch } from '../query.ts'
import { $dashboardView, createFiltersStore, parseFilterChoice, parsePaging } from './dashboard-view.ts'
import { createLatestJobStore, refetchJobs } from './jobs.ts'
import type { ListChange } from './list-changes.ts'
import { runAdminAction, submitAdminForm } from './run-action.ts'

export const { UNMATCHED_ITEM_REASONS, MEDIA_SERVER_ITEM_STATES } = mediaServers
/** Value of the filter `source` that shows the items of media servers instead of files. */
export const MEDIA_SERVERS_SOURCE_FILTER = 'servers'

export const $mediaServers = createReadStore(
  mediaServers.listMediaServers,
  computed($dashboardView, ({ section }) => (section === 'settings' || section === 'library' ? {} : null)),
)
export const $mediaServerItems = createReadStore(
  mediaServers.listMediaServerItems,
  computed(createFiltersStore('library'), (filters) => {
    if (filters?.['source'] !== MEDIA_SERVERS_SOURCE_FILTER) return null
    const state = parseFilterChoice(filters, 'state', MEDIA_SERVER_ITEM_STATES)
    const reason = parseFilterChoice(filters, 'reason', UNMATCHED_ITEM_REASONS)
    return {
      query: {
        ...parsePaging(filters),
        ...(state && { state }),
        ...(reason && { reason }),
        ...(filters['server'] && { server: filters['server'] }),
        ...(filters['search'] && { search: filters['search'] }),
      },
    }
  }),
)
const refetchMediaServers = () => refetch(mediaServers.listMediaServers, mediaServers.listMediaServerItems)
export const $mediaServerSync = createLatestJobStore(
  ['library', 'settings'],
  'media_server_sync',
  refetchMediaServers,
)
// Listens to the newest synchronisation job while media servers are displayed. When the job ends, `$mediaServerSync`
// refetches the servers, because the job changes their item counts and states.
onMount($mediaServers, () => $mediaServerSync.listen(() => {}))

export type MediaServerFields = BodyOf<typeof mediaServers.changeMediaServers>['servers'][number]

/** Converts a server from the list to the format of the request that replaces all servers. */
const toMediaServerFields = ({ id, report_progress }: MediaServer): MediaServerFields => ({
  id,
  report_progress,
})

/**
 * Applies `change` to the media servers and displays the result immediately. Also adds `newServer`, which is displayed
 * after the reply. Several changes are sent one after another, each with the version of the list from the reply to the
 * previous change. Returns the key of a failure message, or null.
 */
export const saveMediaServers = (
  change: ListChange<MediaServer>,
  newServer?: MediaServerFields,
): Promise<TranslationKey | null> =>
  submitAdminForm('dashboardsystem:saved', async () => {
    try {
      await writeOptimistically($mediaServers, {
        applyChange: (data) => ({ ...data, results: change(data.results) }),
        send: (serverData) => {
          const { results = [], version = '' } = serverData ?? {}
          const servers = [...change(results).map(toMediaServerFields), ...(newServer ? [newServer] : [])]
          return callApi(mediaServers.changeMediaServers, { body: { version, servers } })
        },
      })
    } finally {
      refetch(mediaServers.listMediaServerItems)
      refetchJobs()
    }
  })

/** Tests a media server, refetches the media servers and returns the reply to the test. Throws `ApiError`. */
export async function testMediaServer(id: string) {
  const reply = await callApi(mediaServers.testMediaServer, { params: { id } })
  refetchMediaServers()
  return reply
}

export function startMediaServerSync(): Promise<void> {
  return runAdminAction('dashboardlibrary:serversSyncStarted', async () => {
    await callApi(mediaServers.syncMediaServers)
    refetchJobs()
  })
}
