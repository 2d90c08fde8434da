import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { ChevronLeft, ChevronRight } from '../../../icons/index.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { parseWholeNumber } from '../../../lib/rules/number-input.ts'
import { PAGE_SIZES, type PageSize } from '../../../lib/stores/admin/table-layouts.ts'
import { CompactSelect } from './FilterBar.tsx'

interface Props {
  /** The page that is displayed or being loaded. */
  page: number
  pageSize: PageSize
  pageCount: number | null
  /** Text of the displayed rows, such as `21–40 of 130`. */
  rowRangeText: string
  totalRowCount: number | null
  onPageChange: (page: number) => void
  onPageSizeChange: (pageSize: PageSize) => void
  /** Further controls of the table. */
  children?: ReactNode
}

interface DisplayedRows extends Pick<Props, 'pageSize' | 'totalRowCount'> {
  /** The page that contains the rows. */
  page: number
  rowCount: number
}

/** Returns the range of rows on a page, such as `21–40 of 130`; an empty text if it is not known. */
export function formatRowRange({ page, pageSize, rowCount, totalRowCount }: DisplayedRows): string {
  if (totalRowCount === null || rowCount === 0) return ''
  const firstRowNumber = (page - 1) * pageSize + 1
  return t('dashboard:range', {
    from: formatNumber(firstRowNumber),
    to: formatNumber(firstRowNumber + rowCount - 1),
    total: formatNumber(totalRowCount),
  })
}

const BUTTON_CLASS =
  'grid size-9 place-items-center rounded-md border border-line text-ink hover:border-faint aria-disabled:opacity-50 pointer-coarse:size-11'

/**
 * The range of rows on this page, a select for the number of rows per page, and controls to open other pages.
 */
export function Pagination({
  page,
  pageSize,
  pageCount,
  rowRangeText,
  totalRowCount,
  onPageChange,
  onPageSizeChange,
  children,
}: Props) {
  return (
    <nav
      data-table-pages
      aria-label={t('dashboard:pages')}
      className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm"
    >
      {/* This text is not a live region, because screen readers announce every change only in an element that always
          exists. The table or dialog therefore announces the range in another element, which also exists while there
          are no rows. */}
      <p className="numbers text-muted">{rowRangeText}</p>
      <div className="flex flex-wrap items-center gap-2">
        {children}
        {totalRowCount !== null && totalRowCount > PAGE_SIZES[0] && (
          <CompactSelect
            label={t('dashboard:pageSize')}
            value={String(pageSize)}
            options={PAGE_SIZES.map((pageSizeOption) => ({
              value: String(pageSizeOption),
              label: t('dashboard:rowsPerPage', { size: pageSizeOption }),
            }))}
            onChange={(value) => onPageSizeChange(Number(value) as PageSize)}
          />
        )}
        {pageCount !== null && pageCount > 1 && (
          <PageButtons page={page} pageCount={pageCount} onPageChange={onPageChange} />
        )}
      </div>
    </nav>
  )
}

interface PageChoiceProps extends Pick<Props, 'onPageChange'> {
  page: number
  pageCount: number
}

function PageButtons({ page, pageCount, onPageChange }: PageChoiceProps) {
  return (
    <div className="flex items-center gap-2">
      <button
        type="button"
        className={BUTTON_CLASS}
        aria-disabled={page <= 1}
        aria-label={t('common:previous')}
        title={t('common:previous')}
        onClick={() => page > 1 && onPageChange(page - 1)}
      >
        <ChevronLeft aria-hidden size={18} className="rtl:-scale-x-100" />
      </button>
      <PageField page={page} pageCount={pageCount} onPageChange={onPageChange} />
      <button
        type="button"
        className={BUTTON_CLASS}
        aria-disabled={page >= pageCount}
        aria-label={t('common:next')}
        title={t('common:next')}
        onClick={() => page < pageCount && onPageChange(page + 1)}
      >
        <ChevronRight aria-hidden size={18} className="rtl:-scale-x-100" />
      </button>
    </div>
  )
}

/** Field for a page number. A number after the last page opens the last page. */
function PageField({ page, pageCount, onPageChange }: PageChoiceProps) {
  const [pageText, setPageText] = useState(String(page))
  useEffect(() => setPageText(String(page)), [page])
  const openPage = (event?: FormEvent) => {
    event?.preventDefault()
    const requestedPage = Math.max(1, Math.min(pageCount, parseWholeNumber(pageText) ?? page))
    setPageText(String(requestedPage))
    if (requestedPage !== page) onPageChange(requestedPage)
  }
  return (
    <form onSubmit={openPage} className="flex items-center gap-2 text-muted">
      <input
        inputMode="numeric"
        dir="ltr"
        aria-label={t('dashboard:pageNumber')}
        value={pageText}
        maxLength={7}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setPageText(event.target.value)}
        onBlur={() => openPage()}
        className="numbers min-h-9 w-14 rounded-md border border-line bg-ground px-2 text-center text-sm text-ink hover:border-faint pointer-coarse:min-h-11"
      />
      <span className="numbers">{t('dashboard:ofPages', { total: formatNumber(pageCount) })}</span>
    </form>
  )
}
