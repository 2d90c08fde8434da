import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber, t } from '../../../lib/i18n/t.ts'

interface Props {
  page: number
  pageCount: number | null
  rowCount: number
  totalRows: number | null
  onPage: (page: number) => void
}
const PAGE_SIZE = 20
const BUTTON_CLASS =
  'grid size-9 place-items-center rounded-md border border-line text-ink hover:border-faint disabled:opacity-40 pointer-coarse:size-11'

/** The range of rows on this page, with buttons to the previous and the next page. */
export function Pagination({ page, pageCount, rowCount, totalRows, onPage }: Props) {
  const firstRow = (page - 1) * PAGE_SIZE + 1
  return (
    <nav
      aria-label={t('dashboard:pages')}
      className="flex min-h-9 items-center justify-between gap-4 text-sm"
    >
      <p className="numbers text-muted" aria-live="polite">
        {totalRows !== null &&
          rowCount > 0 &&
          t('dashboard:range', {
            from: formatNumber(firstRow),
            to: formatNumber(firstRow + rowCount - 1),
            total: formatNumber(totalRows),
          })}
      </p>
      {pageCount !== null && pageCount > 1 && (
        <div className="flex gap-2">
          <button
            type="button"
            className={BUTTON_CLASS}
            disabled={page <= 1}
            aria-label={t('common:previous')}
            title={t('common:previous')}
            onClick={() => onPage(page - 1)}
          >
            <ChevronLeft aria-hidden size={18} className="rtl:-scale-x-100" />
          </button>
          <button
            type="button"
            className={BUTTON_CLASS}
            disabled={page >= pageCount}
            aria-label={t('common:next')}
            title={t('common:next')}
            onClick={() => onPage(page + 1)}
          >
            <ChevronRight aria-hidden size={18} className="rtl:-scale-x-100" />
          </button>
        </div>
      )}
    </nav>
  )
}
