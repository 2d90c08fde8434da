import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { DeletedTitle } from '../../../lib/contract/admin-titles.ts'
import { formatLocalDate } from '../../../lib/i18n/format-instant.ts'
import { t } from '../../../lib/i18n/t.ts'
import { $binView, $deletedTitles, restoreTitle } from '../../../lib/stores/admin/deleted-titles.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { Name } from '../../media/Name.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'
import { formatRowRange, Pagination } from '../kit/Pagination.tsx'
import { FailedQueries } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'

/** The bin of the catalogue: deleted titles, each with a button that restores it. */
export default function DeletedTitlesDialog({ onClose }: { onClose: () => void }) {
  const deletedTitlesQuery = useStoreQuery($deletedTitles)
  const { page, pageSize, search } = useStore($binView)
  const { data: deletedTitlesReply } = deletedTitlesQuery
  const pageCount = deletedTitlesReply?.total_pages ?? 0
  const isEmpty = deletedTitlesReply?.total_results === 0
  const emptyText = t(search === '' ? 'dashboardlibrary:binEmpty' : 'dashboard:nothingFound')
  const rangeText = deletedTitlesReply
    ? formatRowRange({
        page: deletedTitlesReply.page,
        pageSize,
        rowCount: deletedTitlesReply.results.length,
        totalRowCount: deletedTitlesReply.total_results,
      })
    : ''
  useEffect(() => {
    // If the displayed page no longer exists, because its last title was restored, the last existing page is
    // displayed.
    if (pageCount > 0 && page > pageCount) $binView.setKey('page', pageCount)
  }, [page, pageCount])
  return (
    <Dialog title={t('dashboardlibrary:bin')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('dashboardlibrary:binHint')}</p>
      <FailedQueries queries={[deletedTitlesQuery]} />
      <DeletedTitlesSearch isShown={search !== '' || pageCount > 1} />
      {isEmpty && <p className="text-muted">{emptyText}</p>}
      <p role="status" className="sr-only">
        {isEmpty ? emptyText : rangeText}
      </p>
      <ul className="divide-y divide-line">
        {deletedTitlesReply?.results.map((deletedTitle) => (
          <DeletedTitleRow key={deletedTitle.id} deletedTitle={deletedTitle} />
        ))}
      </ul>
      {deletedTitlesReply && (
        <Pagination
          page={page}
          pageSize={pageSize}
          pageCount={pageCount}
          rowRangeText={rangeText}
          totalRowCount={deletedTitlesReply.total_results}
          onPageChange={(newPage) => $binView.setKey('page', newPage)}
          onPageSizeChange={(newSize) => $binView.set({ page: 1, pageSize: newSize, search })}
        />
      )}
    </Dialog>
  )
}

const SEARCH_DEBOUNCE_MS = 250

/**
 * Search field for the names of deleted titles. When the dialog opens, the field is empty, and the first page of all
 * deleted titles is shown.
 */
function DeletedTitlesSearch({ isShown }: { isShown: boolean }) {
  const [searchText, setSearchText] = useState('')
  const trimmedText = searchText.trim()
  useEffect(() => {
    const applySearch = () => $binView.set({ ...$binView.get(), page: 1, search: trimmedText })
    if (trimmedText === '') return applySearch()
    const timer = setTimeout(applySearch, SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [trimmedText])
  if (!isShown && searchText === '') return null
  return (
    <Field
      label={t('dashboardlibrary:searchTitles')}
      type="search"
      value={searchText}
      maxLength={200}
      autoComplete="off"
      onChange={(event) => setSearchText(event.target.value)}
    />
  )
}

function DeletedTitleRow({ deletedTitle }: { deletedTitle: DeletedTitle }) {
  const { id, title, year, restorable_until, kept_by_block_rule } = deletedTitle
  const [isRestoring, runAction] = useAction()
  return (
    <li className="flex flex-wrap items-center gap-4 py-3">
      <div className="min-w-0 grow">
        <Name text={title} className="font-semibold wrap-anywhere" />
        <span className="numbers block text-sm text-muted">
          {year !== null && `${year} · `}
          {kept_by_block_rule
            ? t('dashboardlibrary:binBlocked')
            : t('dashboardlibrary:binUntil', { date: formatLocalDate(restorable_until) })}
        </span>
      </div>
      <ActionButton
        aria-label={t('dashboardlibrary:restoreNamed', { name: title })}
        aria-disabled={isRestoring}
        onClick={() => void runAction(() => restoreTitle(id))}
      >
        {t('dashboardlibrary:restore')}
      </ActionButton>
    </li>
  )
}
