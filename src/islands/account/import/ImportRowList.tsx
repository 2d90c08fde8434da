import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { ReplyOf } from '../../../lib/contract/endpoint.ts'
import type { getHistoryImport, ImportedRow } from '../../../lib/contract/history-transfer.ts'
import { t } from '../../../lib/i18n/t.ts'
import {
  $importRowFilter,
  $importRowPage,
  resolveImportRow,
  showImportRows,
} from '../../../lib/stores/history-transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { ImportRowItem } from './ImportRowItem.tsx'
import { PickTitleDialog } from './PickTitleDialog.tsx'

interface Props {
  rowPage: ReplyOf<typeof getHistoryImport>['list']
  isBusy: boolean
}

/** One page of import rows, with the pagination. */
export function ImportRowList({ rowPage, isBusy }: Props) {
  const pageNumber = useStore($importRowPage)
  const rowFilter = useStore($importRowFilter)
  const [rowToMatch, setRowToMatch] = useState<ImportedRow | null>(null)
  const pageCount = Math.max(1, rowPage.total_pages ?? 1)
  return (
    <div className="flex flex-col gap-3">
      {rowPage.results.length === 0 && !isBusy && <p className="text-muted">{t('transfer:nothing')}</p>}
      <ul className="divide-y divide-line">
        {rowPage.results.map((row) => (
          <ImportRowItem key={row.n} row={row} isBusy={isBusy} onPick={() => setRowToMatch(row)} />
        ))}
      </ul>
      {pageCount > 1 && (
        <div className="flex flex-wrap items-center gap-3">
          <Button aria-disabled={pageNumber <= 1} onClick={() => showImportRows(rowFilter, pageNumber - 1)}>
            {t('common:previous')}
          </Button>
          <span className="text-sm text-muted">
            {t('transfer:page', { page: pageNumber, pages: pageCount })}
          </span>
          <Button
            aria-disabled={pageNumber >= pageCount}
            onClick={() => showImportRows(rowFilter, pageNumber + 1)}
          >
            {t('common:next')}
          </Button>
        </div>
      )}
      {rowToMatch && (
        <PickTitleDialog
          row={rowToMatch}
          onClose={() => setRowToMatch(null)}
          onPick={(title) => {
            setRowToMatch(null)
            void resolveImportRow(rowToMatch.n, title)
          }}
        />
      )}
    </div>
  )
}
