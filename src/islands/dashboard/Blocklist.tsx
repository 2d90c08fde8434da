import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Ban, Plus } from '../../icons/index.ts'
import type { BlockEntry } from '../../lib/contract/admin.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { $blockEntries, BLOCK_TYPES, removeBlockEntry } from '../../lib/stores/admin/blocklist.ts'
import { $dashboardView, changeDashboardFilters } from '../../lib/stores/admin/dashboard-view.ts'
import { Name } from '../media/Name.tsx'
import { ActionButton } from './kit/ActionButton.tsx'
import { ConfirmDialog } from './kit/ConfirmDialog.tsx'
import { DataTable } from './kit/DataTable.tsx'
import { CompactSelect, FilterBar, SearchFilter } from './kit/FilterBar.tsx'
import { RelativeTime } from './kit/RelativeTime.tsx'
import { SectionHeader } from './kit/SectionHeader.tsx'
import { EmptyTableState } from './kit/TableStates.tsx'
import type { DataTableColumn } from './kit/table-columns.ts'
import { useStoreQuery } from './kit/use-store-query.ts'
import { BlockDialog } from './library/BlockDialog.tsx'

export default function Blocklist() {
  const blocklistQuery = useStoreQuery($blockEntries)
  const { filters } = useStore($dashboardView)
  const [isAdding, setIsAdding] = useState(false)
  const [blockToRemove, setBlockToRemove] = useState<BlockEntry | null>(null)
  const addButton = (
    <ActionButton variant="primary" icon={<Plus aria-hidden size={16} />} onClick={() => setIsAdding(true)}>
      {t('dashboardlibrary:addBlock')}
    </ActionButton>
  )
  return (
    <div className="flex flex-col gap-6">
      <SectionHeader
        title={t('dashboard:section_blocklist')}
        hint={t('dashboardlibrary:blocklistHint')}
        action={addButton}
      />
      <FilterBar>
        <SearchFilter label={t('dashboardlibrary:searchBlocks')} value={filters['search'] ?? ''} />
        <CompactSelect
          label={t('dashboardlibrary:type')}
          emptyLabel={t('dashboardlibrary:anyType')}
          value={filters['type'] ?? ''}
          options={BLOCK_TYPES.map((value) => ({ value, label: t(`dashboardlibrary:block_${value}`) }))}
          onChange={(type) => changeDashboardFilters({ type })}
        />
      </FilterBar>
      <DataTable
        label={t('dashboard:section_blocklist')}
        query={blocklistQuery}
        getKey={(block) => block.id}
        columns={createColumns(setBlockToRemove)}
        emptyState={
          <EmptyTableState
            icon={<Ban />}
            title={t('dashboardlibrary:noBlocks')}
            hint={t('dashboardlibrary:noBlocksHint')}
          />
        }
      />
      {isAdding && <BlockDialog onClose={() => setIsAdding(false)} />}
      {blockToRemove && (
        <ConfirmDialog
          title={t('dashboardlibrary:removeBlockTitle', { name: isolateBidi(blockToRemove.label) })}
          confirmLabel={t('dashboardlibrary:removeBlock')}
          onConfirm={() => removeBlockEntry(blockToRemove)}
          onClose={() => setBlockToRemove(null)}
        >
          <p>{t('dashboardlibrary:removeBlockText')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function createColumns(onRemove: (block: BlockEntry) => void): DataTableColumn<BlockEntry>[] {
  return [
    {
      key: 'label',
      label: t('dashboardlibrary:what'),
      fillsWidth: true,
      renderCell: (block) => (
        <div className="min-w-0">
          <Name text={block.label} className="block truncate font-medium" />
          <span className="block truncate text-xs text-muted md:hidden">
            {t(`dashboardlibrary:block_${block.type}`)}
          </span>
        </div>
      ),
    },
    {
      key: 'type',
      label: t('dashboardlibrary:type'),
      minBreakpoint: 'md',
      renderCell: (block) => t(`dashboardlibrary:block_${block.type}`),
    },
    {
      key: 'reason',
      label: t('dashboardlibrary:reason'),
      minBreakpoint: 'lg',
      renderCell: (block) => (
        <bdi className="block max-w-80 truncate text-muted" title={block.reason ?? undefined}>
          {block.reason ?? '—'}
        </bdi>
      ),
    },
    {
      key: 'since',
      label: t('dashboardlibrary:since'),
      minBreakpoint: 'md',
      renderCell: (block) => (
        <span className="text-muted">
          <RelativeTime instant={block.created_at} />
        </span>
      ),
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      hasHiddenLabel: true,
      isEndAligned: true,
      renderCell: (block) => (
        <ActionButton
          variant="quiet"
          aria-label={t('dashboardlibrary:removeBlockTitle', { name: isolateBidi(block.label) })}
          onClick={() => onRemove(block)}
        >
          {t('dashboardlibrary:removeBlock')}
        </ActionButton>
      ),
    },
  ]
}
