import type { ReactNode } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogActions } from '../../../ui/DialogActions.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ActionButton } from './ActionButton.tsx'

interface Props {
  title: string
  /** Describes the consequences and how many items are affected. */
  children: ReactNode
  confirmLabel: string
  /** Performs the action; the dialog closes when the promise settles. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Dialog that asks for confirmation of a destructive action. */
export function ConfirmDialog({ title, children, confirmLabel, onConfirm, onClose }: Props) {
  const [isSubmitting, runAction] = useAction()
  return (
    <Dialog title={title} closeLabel={t('common:close')} onClose={onClose}>
      <div className="flex flex-col gap-2 text-muted">{children}</div>
      <DialogActions>
        <ActionButton data-first aria-disabled={isSubmitting} onClick={onClose}>
          {t('common:cancel')}
        </ActionButton>
        <ActionButton
          variant="alarm"
          aria-disabled={isSubmitting}
          onClick={() => void runAction(() => onConfirm().finally(onClose))}
        >
          {confirmLabel}
        </ActionButton>
      </DialogActions>
    </Dialog>
  )
}
