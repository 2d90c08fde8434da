import type { DeletedTitle } from '../../../lib/contract/admin-titles.ts'
import { formatLocalDate } from '../../../lib/i18n/format-instant.ts'
import { t } from '../../../lib/i18n/t.ts'
import { $deletedTitles, restoreTitle } from '../../../lib/stores/admin/deleted-titles.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { FailedQueries } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'

/** The bin of the catalogue: deleted titles, each with a button that restores it. */
export default function DeletedTitlesDialog({ onClose }: { onClose: () => void }) {
  const deletedTitlesQuery = useStoreQuery($deletedTitles)
  const { data: deletedTitlesReply } = deletedTitlesQuery
  return (
    <Dialog title={t('dashboardlibrary:bin')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('dashboardlibrary:binHint')}</p>
      <FailedQueries queries={[deletedTitlesQuery]} />
      {deletedTitlesReply?.results.length === 0 && (
        <p className="text-muted">{t('dashboardlibrary:binEmpty')}</p>
      )}
      <ul className="divide-y divide-line">
        {deletedTitlesReply?.results.map((deletedTitle) => (
          <DeletedTitleRow key={deletedTitle.id} deletedTitle={deletedTitle} />
        ))}
      </ul>
    </Dialog>
  )
}

function DeletedTitleRow({ deletedTitle }: { deletedTitle: DeletedTitle }) {
  const { id, title, year, restorable_until, kept_by_block_rule } = deletedTitle
  const [isRestoring, runAction] = useAction()
  return (
    <li className="flex flex-wrap items-center gap-4 py-3">
      <div className="min-w-0 grow">
        <bdi className="font-semibold wrap-anywhere">{title}</bdi>
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
