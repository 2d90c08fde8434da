import { useStore } from '@nanostores/react'
import { type ComponentProps, lazy, Suspense, useEffect } from 'react'
import { FilePlus2, FolderOpen, FolderX, RefreshCw } from '../../icons/index.ts'
import type { Job } from '../../lib/contract/admin.ts'
import type { LibraryFolderCounts, LibraryThumbnails } from '../../lib/contract/admin-library.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { formatNumber, t } from '../../lib/i18n/t.ts'
import {
  $dashboardView,
  changeDashboardFilters,
  openDashboardSection,
} from '../../lib/stores/admin/dashboard-view.ts'
import { isJobActive, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import {
  $addTitlesJob,
  $library,
  $libraryFiles,
  $libraryScan,
  $openFileId,
  LIBRARY_FILE_STATES,
  ROOT_FOLDER,
  startAddingTitles,
  startLibraryScan,
  UNTITLED_FILE_REASONS,
} from '../../lib/stores/admin/library.ts'
import { $mediaServers, MEDIA_SERVERS_SOURCE_FILTER } from '../../lib/stores/admin/media-servers.ts'
import { ActionButton } from './kit/ActionButton.tsx'
import { DataTable } from './kit/DataTable.tsx'
import { CompactSelect, FilterBar, SearchFilter, SegmentedControl } from './kit/FilterBar.tsx'
import { formatBytes } from './kit/formatters.ts'
import { JobProgress } from './kit/JobProgress.tsx'
import { SectionHeader, Subsection } from './kit/SectionHeader.tsx'
import { EmptyTableState, FailedQueries } from './kit/TableStates.tsx'
import { usePolling, useStoreQuery } from './kit/use-store-query.ts'
import { FileDialog } from './library/FileDialog.tsx'
import { createFileColumns } from './library/file-columns.tsx'

const MediaServerItems = lazy(() => import('./library/MediaServerItems.tsx'))

export default function Library() {
  const libraryQuery = useStoreQuery($library)
  const filesQuery = useStoreQuery($libraryFiles)
  const openFileId = useStore($openFileId)
  const { data: library } = libraryQuery
  const { filters } = useStore($dashboardView)
  const serversQuery = useStoreQuery($mediaServers)
  const servers = serversQuery.data?.results ?? []
  const hasOnlyMediaServers = library?.configured === false && servers.length > 0
  useEffect(() => {
    if (hasOnlyMediaServers && filters['source'] !== MEDIA_SERVERS_SOURCE_FILTER)
      changeDashboardFilters({ source: MEDIA_SERVERS_SOURCE_FILTER }, 'replace')
  }, [hasOnlyMediaServers, filters])
  const shownSource =
    servers.length > 0 && filters['source'] === MEDIA_SERVERS_SOURCE_FILTER
      ? MEDIA_SERVERS_SOURCE_FILTER
      : 'files'
  return (
    <div className="flex flex-col gap-8">
      <SectionHeader
        title={t('dashboard:section_library')}
        hint={t('dashboardlibrary:libraryHint')}
        action={
          shownSource === 'files' &&
          library?.configured && (
            <LibraryActions hasUnmatchedFiles={library.folders.some(({ unmatched }) => unmatched > 0)} />
          )
        }
      />
      <FailedQueries queries={[libraryQuery, serversQuery]} />
      {servers.length > 0 && !hasOnlyMediaServers && (
        <div className="flex">
          <SegmentedControl
            label={t('dashboardlibrary:sources')}
            value={shownSource}
            options={(['files', MEDIA_SERVERS_SOURCE_FILTER] as const).map((value) => ({
              value,
              label: t(`dashboardlibrary:source_${value}`),
            }))}
            onChange={(source) =>
              openDashboardSection('library', source === MEDIA_SERVERS_SOURCE_FILTER ? { source } : {})
            }
          />
        </div>
      )}
      {shownSource === MEDIA_SERVERS_SOURCE_FILTER ? (
        <Suspense fallback={<div role="status" aria-label={t('common:loading')} className="skeleton h-96" />}>
          <MediaServerItems servers={servers} />
        </Suspense>
      ) : library?.configured === false ? (
        <EmptyTableState
          icon={<FolderX />}
          title={t('dashboardlibrary:noMediaFolder')}
          hint={t('dashboardlibrary:noMediaFolderHint')}
        />
      ) : (
        <>
          {library && library.folders.length > 0 && (
            <FolderList
              folders={library.folders}
              titleCount={library.titles}
              thumbnails={library.thumbnails}
            />
          )}
          <Subsection title={t('dashboardlibrary:files')}>
            <FileFilters folders={library?.folders ?? []} />
            <DataTable
              label={t('dashboardlibrary:files')}
              query={filesQuery}
              getKey={(file) => file.id}
              columns={createFileColumns((file) => $openFileId.set(file.id))}
              emptyState={
                <EmptyTableState
                  icon={<FolderOpen />}
                  title={t('dashboardlibrary:noFiles')}
                  hint={t('dashboardlibrary:noFilesHint')}
                />
              }
            />
          </Subsection>
        </>
      )}
      {openFileId !== null && <FileDialog onClose={() => $openFileId.set(null)} />}
    </div>
  )
}

function LibraryActions({ hasUnmatchedFiles }: { hasUnmatchedFiles: boolean }) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <JobControl
        job={useStoreQuery($addTitlesJob).data?.results[0]}
        label={t('dashboardlibrary:addTitles')}
        title={t('dashboardlibrary:addTitlesHint')}
        icon={<FilePlus2 aria-hidden size={16} />}
        onStart={startAddingTitles}
        isHidden={!hasUnmatchedFiles}
      />
      <JobControl
        variant="primary"
        job={useStoreQuery($libraryScan).data?.results[0]}
        label={t('dashboardlibrary:scanNow')}
        icon={<RefreshCw aria-hidden size={16} />}
        onStart={startLibraryScan}
      />
    </div>
  )
}

interface JobControlProps extends Pick<ComponentProps<typeof ActionButton>, 'variant' | 'icon' | 'title'> {
  /** The newest job of the kind that the button starts. */
  job: Job | undefined
  label: string
  onStart: () => Promise<void>
  /** True if the button is hidden. The progress of a running job is still shown. */
  isHidden?: boolean
}

/** Button that starts a job. While the job runs, its progress replaces the button. */
function JobControl({ job, label, onStart, isHidden = false, ...buttonProps }: JobControlProps) {
  const isRunning = isJobActive(job)
  usePolling(isRunning, refetchJobs)
  if (isRunning && job)
    return (
      <div className="w-64 max-w-full">
        <JobProgress job={job} label={label} />
      </div>
    )
  if (isHidden) return null
  return (
    <ActionButton {...buttonProps} onClick={() => void onStart()}>
      {label}
    </ActionButton>
  )
}

const formatFolderName = (name: string) => (name === '' ? t('dashboardlibrary:rootFolder') : name)

/**
 * Describes how many files the thumbnail job has handled and how large the thumbnails are. If the job cannot create
 * more thumbnails, also says why.
 */
const formatThumbnailState = ({ state, files, handled, size }: LibraryThumbnails) =>
  [
    t('dashboardlibrary:thumbnails', { handled, files, size: formatBytes(size) }),
    state === 'available' ? '' : t(`dashboardlibrary:thumbnails_${state}`),
  ].join(' ')

/** The folders directly in the media folder. Pressing a folder limits the list to the files of that folder. */
function FolderList({
  folders,
  titleCount,
  thumbnails,
}: {
  folders: readonly LibraryFolderCounts[]
  titleCount: number
  thumbnails: LibraryThumbnails
}) {
  const { filters } = useStore($dashboardView)
  return (
    <Subsection
      title={t('dashboardlibrary:folders')}
      hint={`${t('dashboardlibrary:titlesInLibrary', { count: titleCount })} · ${formatThumbnailState(thumbnails)}`}
    >
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {folders.map((folder) => {
          const value = folder.name || ROOT_FOLDER
          const isActive = filters['folder'] === value
          return (
            <li key={value}>
              <button
                type="button"
                aria-pressed={isActive}
                onClick={() => changeDashboardFilters({ folder: isActive ? '' : value })}
                className="flex w-full flex-col gap-1 rounded-lg border border-line px-4 py-3 text-start hover:border-faint aria-pressed:border-accent"
              >
                <span className="flex items-baseline justify-between gap-3">
                  <bdi className="truncate font-medium">{formatFolderName(folder.name)}</bdi>
                  <span className="numbers shrink-0 text-xs text-faint">{formatBytes(folder.size)}</span>
                </span>
                <span className="numbers text-sm text-muted">
                  {t('dashboardlibrary:folderCounts', {
                    matched: formatNumber(folder.matched),
                    unmatched: formatNumber(folder.unmatched),
                    ignored: formatNumber(folder.ignored),
                  })}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </Subsection>
  )
}

function FileFilters({ folders }: { folders: readonly LibraryFolderCounts[] }) {
  const { filters } = useStore($dashboardView)
  return (
    <FilterBar>
      <SearchFilter label={t('dashboardlibrary:searchFiles')} value={filters['search'] ?? ''} />
      <CompactSelect
        label={t('dashboardlibrary:fileState')}
        emptyLabel={t('dashboardlibrary:anyState')}
        value={filters['state'] ?? ''}
        options={LIBRARY_FILE_STATES.map((value) => ({ value, label: t(`dashboardlibrary:state_${value}`) }))}
        onChange={(state) => changeDashboardFilters({ state })}
      />
      <CompactSelect
        label={t('dashboardlibrary:reason')}
        emptyLabel={t('dashboardlibrary:anyReason')}
        value={filters['reason'] ?? ''}
        options={UNTITLED_FILE_REASONS.map((value) => ({
          value,
          label: t(`dashboardlibrary:fileReason_${value}`),
        }))}
        onChange={(reason) => changeDashboardFilters({ reason })}
      />
      {folders.length > 1 && (
        <CompactSelect
          label={t('dashboardlibrary:folders')}
          emptyLabel={t('dashboardlibrary:anyFolder')}
          value={filters['folder'] ?? ''}
          options={folders.map(({ name }) => ({
            value: name || ROOT_FOLDER,
            label: isolateBidi(formatFolderName(name)),
          }))}
          onChange={(folder) => changeDashboardFilters({ folder })}
        />
      )}
    </FilterBar>
  )
}
