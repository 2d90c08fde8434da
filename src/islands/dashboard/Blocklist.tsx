import { useStore } from '@nanostores/react'
import { Ban, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Block } from '../../lib/contract/admin.ts'
import { formatAgo } from '../../lib/i18n/format.ts'
import { isolate } from '../../lib/i18n/isolate.ts'
import { t } from '../../lib/i18n/t.ts'
import { $blocks, BLOCK_TYPES, removeBlock } from '../../lib/stores/admin/blocklist.ts'
import { $view, filterBy } from '../../lib/stores/admin/view.ts'
import { Action } from './kit/Action.tsx'
import { Confirm } from './kit/Confirm.tsx'
import { Choice, Filters, SearchBox } from './kit/Filters.tsx'
import { Head } from './kit/Head.tsx'
import { Blank, type Column, Table } from './kit/Table.tsx'
import { useAnswer } from './kit/use-answer.ts'
import { BlockDialog } from './library/BlockDialog.tsx'

export default function Blocklist() {
  const blocklistQuery = useAnswer($blocks)
  const { filters } = useStore($view)
  const [isAdding, setIsAdding] = useState(false)
  const [blockToRemove, setBlockToRemove] = useState<Block | null>(null)
  const addButton = (
    <Action look="primary" icon={<Plus aria-hidden size={16} />} onClick={() => setIsAdding(true)}>
      {t('dashboardlibrary:addBlock')}
    </Action>
  )
  return (
    <div className="flex flex-col gap-6">
      <Head
        title={t('dashboard:section_blocklist')}
        hint={t('dashboardlibrary:blocklistHint')}
        action={addButton}
      />
      <Filters>
        <SearchBox label={t('dashboardlibrary:searchBlocks')} value={filters['search'] ?? ''} />
        <Choice
          label={t('dashboardlibrary:type')}
          any={t('dashboardlibrary:anyType')}
          value={filters['type'] ?? ''}
          options={BLOCK_TYPES.map((value) => ({ value, label: t(`dashboardlibrary:block_${value}`) }))}
          onChange={(type) => filterBy({ type })}
        />
      </Filters>
      <Table
        label={t('dashboard:section_blocklist')}
        answer={blocklistQuery}
        keyOf={(block) => block.id}
        columns={createColumns(setBlockToRemove)}
        empty={
          <Blank
            icon={<Ban />}
            title={t('dashboardlibrary:noBlocks')}
            hint={t('dashboardlibrary:noBlocksHint')}
          />
        }
      />
      {isAdding && <BlockDialog onClose={() => setIsAdding(false)} />}
      {blockToRemove && (
        <Confirm
          title={t('dashboardlibrary:removeBlockTitle', { name: isolate(blockToRemove.label) })}
          does={t('dashboardlibrary:removeBlock')}
          onConfirm={() => removeBlock(blockToRemove)}
          onClose={() => setBlockToRemove(null)}
        >
          <p>{t('dashboardlibrary:removeBlockText')}</p>
        </Confirm>
      )}
    </div>
  )
}

function createColumns(onRemove: (block: Block) => void): Column<Block>[] {
  return [
    {
      key: 'label',
      label: t('dashboardlibrary:what'),
      wide: true,
      cell: (block) => (
        <div className="min-w-0">
          <bdi className="block truncate font-medium">{block.label}</bdi>
          <span className="block truncate text-xs text-muted md:hidden">
            {t(`dashboardlibrary:block_${block.type}`)}
          </span>
        </div>
      ),
    },
    {
      key: 'type',
      label: t('dashboardlibrary:type'),
      from: 'md',
      cell: (block) => t(`dashboardlibrary:block_${block.type}`),
    },
    {
      key: 'reason',
      label: t('dashboardlibrary:reason'),
      from: 'lg',
      cell: (block) => (
        <bdi className="block max-w-80 truncate text-muted" title={block.reason ?? undefined}>
          {block.reason ?? '—'}
        </bdi>
      ),
    },
    {
      key: 'since',
      label: t('dashboardlibrary:since'),
      from: 'md',
      cell: (block) => <span className="text-muted">{formatAgo(block.created_at)}</span>,
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      bare: true,
      end: true,
      cell: (block) => (
        <Action
          look="quiet"
          aria-label={t('dashboardlibrary:removeBlockTitle', { name: isolate(block.label) })}
          onClick={() => onRemove(block)}
        >
          {t('dashboardlibrary:removeBlock')}
        </Action>
      ),
    },
  ]
}
