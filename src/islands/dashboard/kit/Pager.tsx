import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber, t } from '../../../lib/i18n/t.ts'

interface Props {
  page: number
  pages: number | null
  shown: number
  total: number | null
  onPage: (page: number) => void
}
const PAGE = 20
const STEP =
  'grid size-9 place-items-center rounded-md border border-line text-ink hover:border-faint disabled:opacity-40 pointer-coarse:size-11'

/** Which part of the list this is, and the ways to the parts beside it. */
export function Pager({ page, pages, shown, total, onPage }: Props) {
  const first = (page - 1) * PAGE + 1
  return (
    <nav
      aria-label={t('dashboard:pages')}
      className="flex min-h-9 items-center justify-between gap-4 text-sm"
    >
      <p className="numbers text-muted" aria-live="polite">
        {total !== null &&
          shown > 0 &&
          t('dashboard:range', {
            from: formatNumber(first),
            to: formatNumber(first + shown - 1),
            total: formatNumber(total),
          })}
      </p>
      {pages !== null && pages > 1 && (
        <div className="flex gap-2">
          <button
            type="button"
            className={STEP}
            disabled={page <= 1}
            aria-label={t('common:previous')}
            title={t('common:previous')}
            onClick={() => onPage(page - 1)}
          >
            <ChevronLeft aria-hidden size={18} className="rtl:-scale-x-100" />
          </button>
          <button
            type="button"
            className={STEP}
            disabled={page >= pages}
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
