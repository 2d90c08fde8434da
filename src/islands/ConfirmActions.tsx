import { t } from '../lib/i18n/t.ts'
import { Button } from '../ui/Button.tsx'
import { DialogActions } from '../ui/DialogActions.tsx'
import { useAction } from '../ui/use-action.ts'

interface Props {
  /** Label of the button that confirms. */
  label: string
  onConfirm: () => Promise<unknown>
  onCancel: () => void
}

/** The buttons of a dialog that asks for confirmation of a destructive action. */
export function ConfirmActions({ label, onConfirm, onCancel }: Props) {
  const [isRunning, runAction] = useAction()
  return (
    <DialogActions>
      <Button aria-disabled={isRunning} onClick={onCancel}>
        {t('common:cancel')}
      </Button>
      <Button variant="danger" aria-disabled={isRunning} onClick={() => void runAction(onConfirm)}>
        {label}
      </Button>
    </DialogActions>
  )
}
