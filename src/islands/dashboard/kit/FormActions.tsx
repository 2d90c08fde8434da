import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import { DialogActions } from '../../../ui/DialogActions.tsx'
import { ActionButton } from './ActionButton.tsx'

interface Props {
  /** Error of the last submission, if no field shows it. */
  errorKey?: TranslationKey | null
  isSubmitting: boolean
  isFormIncomplete?: boolean
  submitLabel: string
  variant?: 'primary' | 'alarm'
  onCancel: () => void
}

/** The end of a form in a dialog: the error of the last submission, and the buttons that cancel and submit. */
export function FormActions({
  errorKey,
  isSubmitting,
  isFormIncomplete,
  submitLabel,
  variant = 'primary',
  onCancel,
}: Props) {
  return (
    <>
      {errorKey && (
        <p role="alert" className="text-sm text-danger">
          {t(errorKey)}
        </p>
      )}
      <DialogActions>
        <ActionButton aria-disabled={isSubmitting} onClick={onCancel}>
          {t('common:cancel')}
        </ActionButton>
        <ActionButton
          variant={variant}
          type="submit"
          disabled={isFormIncomplete}
          aria-disabled={isSubmitting}
        >
          {submitLabel}
        </ActionButton>
      </DialogActions>
    </>
  )
}
