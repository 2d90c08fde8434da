/** Actions on one or several titles of the catalogue. */
import { useStore } from '@nanostores/react'
import { t } from '../../../lib/i18n/t.ts'
import { $bulkProgress, deleteTitles, setTitlesPublished } from '../../../lib/stores/admin/titles.ts'
import { useStickyBar } from '../../sticky-bar.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx'

export type TitleAction = { kind: 'delete' | 'hide'; ids: readonly string[] }

/** Largest number of titles that "Select all matching" selects. */
export const MAX_SELECTED_TITLES = 10_000

interface BulkActionsProps {
  selectedCount: number
  /** Number of titles that match the filters. */
  matchCount?: number
  /**
   * Selects all titles that match the filters. Present only when the whole page is selected and more matching titles
   * can be selected.
   */
  onSelectMatching?: () => void
  /** True while the ids of all matching titles are loading. */
  isSelectingMatching: boolean
  onPublish: () => void
  onAction: (kind: TitleAction['kind']) => void
  onClear: () => void
}

/** Toolbar for the selected titles. It sticks to the top of the window. */
export function BulkActions({
  selectedCount,
  matchCount = 0,
  onSelectMatching,
  isSelectingMatching,
  onPublish,
  onAction,
  onClear,
}: BulkActionsProps) {
  const bulkProgress = useStore($bulkProgress)
  const isRunning = bulkProgress !== null
  const barRef = useStickyBar<HTMLDivElement>()
  return (
    <div
      ref={barRef}
      role="toolbar"
      aria-label={t('dashboardlibrary:selected', { count: selectedCount })}
      className="top-[calc(var(--header)+0.5rem)] z-10 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-overlay px-4 py-2 shadow-(--shadow-card) [@media(min-height:30rem)]:sticky"
    >
      <span className="text-sm font-medium" aria-live="polite">
        {isRunning
          ? t('dashboardlibrary:bulkProgress', {
              done: bulkProgress.done,
              total: bulkProgress.total,
            })
          : t('dashboardlibrary:selected', { count: selectedCount })}
      </span>
      {onSelectMatching && (
        <ActionButton onClick={onSelectMatching} aria-disabled={isRunning || isSelectingMatching}>
          {t('dashboardlibrary:selectMatching', { total: matchCount })}
        </ActionButton>
      )}
      <span className="me-auto" />
      <ActionButton aria-disabled={isRunning} onClick={onPublish}>
        {t('dashboardlibrary:publish')}
      </ActionButton>
      <ActionButton aria-disabled={isRunning} onClick={() => onAction('hide')}>
        {t('dashboardlibrary:hide')}
      </ActionButton>
      <ActionButton variant="danger" aria-disabled={isRunning} onClick={() => onAction('delete')}>
        {t('common:delete')}
      </ActionButton>
      <ActionButton variant="quiet" onClick={onClear}>
        {t('dashboard:deselect')}
      </ActionButton>
    </div>
  )
}

interface ConfirmTitleActionProps {
  pendingAction: TitleAction
  titleName: string | null
  onClose: () => void
  /** Called with the ids that the server has handled. */
  onDone: (handledIds: readonly string[]) => void
}

/**
 * Asks for confirmation before titles are hidden or deleted. The dialog closes before the change has ended, because a
 * change of many titles takes minutes. The toolbar displays the progress, and would be inert under an open dialog.
 */
export function ConfirmTitleAction({
  pendingAction: { kind, ids },
  titleName,
  onClose,
  onDone,
}: ConfirmTitleActionProps) {
  const titleCount = ids.length
  const changeTitles = async () => {
    void (kind === 'delete' ? deleteTitles(ids) : setTitlesPublished(ids, false)).then(onDone)
  }
  return (
    <ConfirmDialog
      title={titleName ?? t('dashboardlibrary:selected', { count: titleCount })}
      confirmLabel={t(kind === 'delete' ? 'common:delete' : 'dashboardlibrary:hide')}
      onConfirm={changeTitles}
      onClose={onClose}
    >
      <p>
        {t(kind === 'delete' ? 'dashboardlibrary:deleteText' : 'dashboardlibrary:hideText', {
          count: titleCount,
        })}
      </p>
    </ConfirmDialog>
  )
}
