import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Clapperboard } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $dashboardView,
  changeDashboardFilters,
  type DashboardFilters,
} from '../../lib/stores/admin/dashboard-view.ts'
import {
  $adminMovies,
  $adminSeries,
  $editedTitleId,
  getTypeFilter,
  loadMatchingTitleIds,
  setTitlesPublished,
  TITLE_SORTS,
  TITLE_TYPES,
} from '../../lib/stores/admin/titles.ts'
import { ActionButton } from './kit/ActionButton.tsx'
import { DataTable } from './kit/DataTable.tsx'
import { CompactSelect, FilterBar, SearchFilter, SegmentedControl } from './kit/FilterBar.tsx'
import { SectionHeader } from './kit/SectionHeader.tsx'
import { EmptyTableState } from './kit/TableStates.tsx'
import { useStoreQuery } from './kit/use-store-query.ts'
import {
  BulkActions,
  ConfirmTitleAction,
  MAX_SELECTED_TITLES,
  type TitleAction,
} from './library/TitleActions.tsx'
import { TitleDialog } from './library/TitleDialog.tsx'
import { createTitleColumns } from './library/title-columns.tsx'

const DeletedTitlesDialog = lazy(() => import('./library/DeletedTitlesDialog.tsx'))

export default function Catalogue() {
  const { filters } = useStore($dashboardView)
  const type = getTypeFilter(filters)
  return (
    <div className="flex flex-col gap-6">
      <SectionHeader
        title={t('dashboard:section_catalogue')}
        hint={t('dashboardlibrary:catalogueHint')}
        action={<DeletedTitlesButton />}
      />
      <CatalogueFilters filters={filters} />
      {/* Movies and series are separate lists, so a new key resets the page and the selection. */}
      <TitleTable key={type} type={type} filters={filters} />
    </div>
  )
}

function DeletedTitlesButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ActionButton onClick={() => setIsOpen(true)}>{t('dashboardlibrary:bin')}</ActionButton>
      {isOpen && (
        <Suspense>
          <DeletedTitlesDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function CatalogueFilters({ filters }: { filters: DashboardFilters }) {
  const renderSelect = (
    name: string,
    options: readonly { value: string; label: string }[],
    label: string,
    anyLabel?: string,
  ) => (
    <CompactSelect
      label={label}
      {...(anyLabel !== undefined && { emptyLabel: anyLabel })}
      value={filters[name] ?? (anyLabel === undefined ? (options[0]?.value ?? '') : '')}
      options={options}
      onChange={(value) => changeDashboardFilters({ [name]: value })}
    />
  )
  return (
    <FilterBar>
      <SegmentedControl
        label={t('dashboardlibrary:type')}
        value={getTypeFilter(filters)}
        options={TITLE_TYPES.map((value) => ({
          value,
          label: t(value === 'movie' ? 'common:movies' : 'common:tvShows'),
        }))}
        onChange={(type) => changeDashboardFilters({ type: type === 'movie' ? '' : type })}
      />
      <SearchFilter label={t('dashboardlibrary:searchTitles')} value={filters['search'] ?? ''} />
      {renderSelect(
        'published',
        [
          { value: 'true', label: t('dashboardlibrary:published') },
          { value: 'false', label: t('dashboardlibrary:hidden') },
        ],
        t('dashboardlibrary:state'),
        t('dashboardlibrary:anyState'),
      )}
      {renderSelect(
        'kids',
        [{ value: 'true', label: t('dashboardlibrary:safeForKids') }],
        t('dashboardlibrary:audience'),
        t('dashboardlibrary:anyAudience'),
      )}
      {renderSelect(
        'sort',
        TITLE_SORTS.map((value) => ({ value, label: t(`dashboardlibrary:sort_${value}`) })),
        t('dashboardlibrary:sort'),
      )}
    </FilterBar>
  )
}

function TitleTable({ type, filters }: { type: (typeof TITLE_TYPES)[number]; filters: DashboardFilters }) {
  const titlesQuery = useStoreQuery(type === 'movie' ? $adminMovies : $adminSeries)
  const editedTitleId = useStore($editedTitleId)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const [isSelectingMatching, setIsSelecting] = useState(false)
  const [pendingAction, setPendingAction] = useState<TitleAction | null>(null)
  const rows = titlesQuery.data?.results ?? []
  const selectionResetKey = JSON.stringify({ ...filters, page: '' })
  // Opening another page of the same list keeps the selection.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the filters clears the selection
  useEffect(() => setSelectedIds(new Set()), [selectionResetKey])
  const findTitleName = (id: string) => rows.find((row) => row.id === id)?.title ?? ''
  const toggleSelection = (id: string) =>
    setSelectedIds((previousSelection) => previousSelection.symmetricDifference(new Set([id])))
  const deselectTitles = (ids: readonly string[]) =>
    setSelectedIds((previousSelection) => previousSelection.difference(new Set(ids)))
  const pageTitleIds = new Set(rows.map(({ id }) => id))
  const isPageSelected = rows.length > 0 && pageTitleIds.isSubsetOf(selectedIds)
  const togglePageSelection = () =>
    setSelectedIds(isPageSelected ? selectedIds.difference(pageTitleIds) : selectedIds.union(pageTitleIds))
  const matchCount = titlesQuery.data?.total_results ?? 0
  const selectMatchingTitles = async () => {
    setIsSelecting(true)
    const matchingIds = await loadMatchingTitleIds(filters)
    setIsSelecting(false)
    if (matchingIds) setSelectedIds(new Set(matchingIds))
  }
  return (
    <>
      {selectedIds.size > 0 && (
        <BulkActions
          selectedCount={selectedIds.size}
          onPublish={() => void setTitlesPublished([...selectedIds], true).then(deselectTitles)}
          onAction={(kind) => setPendingAction({ kind, ids: [...selectedIds] })}
          onClear={() => setSelectedIds(new Set())}
          isSelectingMatching={isSelectingMatching}
          {...(isPageSelected &&
            matchCount > selectedIds.size &&
            selectedIds.size < MAX_SELECTED_TITLES && {
              matchCount,
              onSelectMatching: () => void selectMatchingTitles(),
            })}
        />
      )}
      <DataTable<MediaCard>
        label={t('dashboard:section_catalogue')}
        query={titlesQuery}
        getKey={(row) => row.id}
        columns={createTitleColumns((kind, id) => setPendingAction({ kind, ids: [id] }))}
        selection={{
          selectedKeys: selectedIds,
          onToggle: toggleSelection,
          onToggleAll: togglePageSelection,
          getName: findTitleName,
        }}
        emptyState={
          <EmptyTableState
            icon={<Clapperboard />}
            title={t('dashboardlibrary:noTitles')}
            hint={t('dashboardlibrary:noTitlesHint')}
          />
        }
      />
      {pendingAction && (
        <ConfirmTitleAction
          pendingAction={pendingAction}
          titleName={(pendingAction.ids.length === 1 && findTitleName(pendingAction.ids[0] ?? '')) || null}
          onClose={() => setPendingAction(null)}
          onDone={deselectTitles}
        />
      )}
      {editedTitleId && <TitleDialog onClose={() => $editedTitleId.set(null)} />}
    </>
  )
}
