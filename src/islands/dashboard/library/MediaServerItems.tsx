import { useStore } from '@nanostores/react'
import { RefreshCw, Server } from '../../../icons/index.ts'
import type { MediaServer, MediaServerItem } from '../../../lib/contract/admin-media-servers.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { $dashboardView, changeDashboardFilters } from '../../../lib/stores/admin/dashboard-view.ts'
import { isJobActive, refetchJobs } from '../../../lib/stores/admin/jobs.ts'
import {
  $mediaServerItems,
  $mediaServerSync,
  MEDIA_SERVER_ITEM_STATES,
  startMediaServerSync,
  UNMATCHED_ITEM_REASONS,
} from '../../../lib/stores/admin/media-servers.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { DataTable } from '../kit/DataTable.tsx'
import { CompactSelect, FilterBar, SearchFilter } from '../kit/FilterBar.tsx'
import { JobProgress } from '../kit/JobProgress.tsx'
import { Subsection } from '../kit/SectionHeader.tsx'
import { StatusBadge } from '../kit/StatusBadge.tsx'
import { EmptyTableState } from '../kit/TableStates.tsx'
import type { DataTableColumn } from '../kit/table-columns.ts'
import { usePolling, useStoreQuery } from '../kit/use-store-query.ts'
import { formatLastContact } from '../system/media-server-contact.ts'

/**
 * The movies and episodes of the media servers. Each is shown with its title or the reason why it has none.
 */
export default function MediaServerItems({ servers }: { servers: readonly MediaServer[] }) {
  const itemsQuery = useStoreQuery($mediaServerItems)
  return (
    <Subsection
      title={t('dashboardlibrary:serverItems')}
      hint={t('dashboardlibrary:serverItemsHint')}
      action={<MediaServerSyncControl />}
    >
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {servers.map((server) => (
          <li key={server.id}>
            <ServerFilterButton server={server} />
          </li>
        ))}
      </ul>
      <ItemFilters />
      <DataTable
        label={t('dashboardlibrary:serverItems')}
        query={itemsQuery}
        getKey={(item) => item.id}
        columns={createColumns()}
        emptyState={<EmptyTableState icon={<Server />} title={t('dashboardlibrary:noServerItems')} />}
      />
    </Subsection>
  )
}

/**
 * Button that starts a job that reads the libraries of the media servers. While the job runs, its progress replaces the
 * button.
 */
function MediaServerSyncControl() {
  const { data: syncJobsReply } = useStoreQuery($mediaServerSync)
  const lastJob = syncJobsReply?.results[0]
  const isRunning = isJobActive(lastJob)
  usePolling(isRunning, refetchJobs)
  if (isRunning && lastJob)
    return (
      <div className="w-64 max-w-full">
        <JobProgress job={lastJob} label={t('dashboardlibrary:readServers')} />
      </div>
    )
  return (
    <ActionButton icon={<RefreshCw aria-hidden size={16} />} onClick={() => void startMediaServerSync()}>
      {t('dashboardlibrary:readServers')}
    </ActionButton>
  )
}

/**
 * A button for a media server, with its counts and its last contact. Pressing the button limits the list to the items
 * of this server.
 */
function ServerFilterButton({ server }: { server: MediaServer }) {
  const { filters } = useStore($dashboardView)
  const isActive = filters['server'] === server.id
  return (
    <button
      type="button"
      aria-pressed={isActive}
      onClick={() => changeDashboardFilters({ server: isActive ? '' : server.id })}
      className="flex size-full flex-col gap-1 rounded-lg border border-line px-4 py-3 text-start hover:border-faint aria-pressed:border-accent"
    >
      <span className="flex w-full items-baseline justify-between gap-3">
        <bdi dir="ltr" className="truncate font-medium">
          {server.origin}
        </bdi>
        <span className="shrink-0 text-xs text-faint">{t(`dashboardsystem:mediaServer_${server.kind}`)}</span>
      </span>
      <span className="text-sm text-muted">
        {t('dashboardsystem:mediaServerCounts', { matched: server.matched, unmatched: server.unmatched })}
      </span>
      <span className={`text-sm ${server.problem ? 'text-danger' : 'text-muted'}`}>
        {formatLastContact(server)}
      </span>
    </button>
  )
}

function ItemFilters() {
  const { filters } = useStore($dashboardView)
  return (
    <FilterBar>
      <SearchFilter label={t('dashboardlibrary:searchTitles')} value={filters['search'] ?? ''} />
      <CompactSelect
        label={t('dashboardlibrary:fileState')}
        emptyLabel={t('dashboardlibrary:anyState')}
        value={filters['state'] ?? ''}
        options={MEDIA_SERVER_ITEM_STATES.map((value) => ({
          value,
          label: t(`dashboardlibrary:state_${value}`),
        }))}
        onChange={(state) => changeDashboardFilters({ state })}
      />
      <CompactSelect
        label={t('dashboardlibrary:reason')}
        emptyLabel={t('dashboardlibrary:anyReason')}
        value={filters['reason'] ?? ''}
        options={UNMATCHED_ITEM_REASONS.map((value) => ({
          value,
          label: t(`dashboardlibrary:itemReason_${value}`),
        }))}
        onChange={(reason) => changeDashboardFilters({ reason })}
      />
    </FilterBar>
  )
}

/** Returns `Fargo · S1 E2` for an episode, and `Heat (1995)` for a movie. */
function formatItemName({ name, series_name, year, season, episodes }: MediaServerItem): string {
  const [episode] = episodes
  if (series_name !== null) {
    const episodeCode =
      season !== null && episode !== undefined ? ` · ${t('common:episodeCode', { season, episode })}` : ''
    return `${isolateBidi(series_name)}${episodeCode}`
  }
  return isolateBidi(year === null ? name : `${name} (${year})`)
}

const formatExternalIds = ({ imdb_id, tmdb_id, tvdb_id }: MediaServerItem) =>
  [imdb_id, tmdb_id !== null && `tmdb-${tmdb_id}`, tvdb_id !== null && `tvdb-${tvdb_id}`]
    .filter(Boolean)
    .join(' · ')

const formatMatchedTitle = ({ title, reason }: MediaServerItem) =>
  title
    ? isolateBidi(title.year === null ? title.title : `${title.title} (${title.year})`)
    : reason && t(`dashboardlibrary:itemReason_${reason}`)

function createColumns(): DataTableColumn<MediaServerItem>[] {
  return [
    {
      key: 'name',
      label: t('dashboardlibrary:onServer'),
      fillsWidth: true,
      renderCell: (item) => (
        <div className="min-w-0">
          <bdi className="block truncate font-medium">{formatItemName(item)}</bdi>
          <bdi dir="ltr" className="block truncate text-xs text-faint">
            {formatExternalIds(item)}
          </bdi>
          <span className="block text-xs text-muted md:hidden">{formatMatchedTitle(item)}</span>
        </div>
      ),
    },
    {
      key: 'title',
      label: t('dashboardlibrary:belongsTo'),
      minBreakpoint: 'md',
      renderCell: (item) => (
        <bdi className={`block max-w-72 truncate ${item.title ? '' : 'text-muted'}`}>
          {formatMatchedTitle(item)}
        </bdi>
      ),
    },
    {
      key: 'state',
      label: t('dashboardlibrary:fileState'),
      renderCell: (item) => (
        <StatusBadge tone={item.state === 'matched' ? 'good' : 'bad'}>
          {t(`dashboardlibrary:state_${item.state}`)}
        </StatusBadge>
      ),
    },
    {
      key: 'server',
      label: t('dashboardlibrary:server'),
      minBreakpoint: 'xl',
      renderCell: (item) => (
        <bdi dir="ltr" className="block max-w-48 truncate text-muted" title={item.server}>
          {item.server}
        </bdi>
      ),
    },
  ]
}
