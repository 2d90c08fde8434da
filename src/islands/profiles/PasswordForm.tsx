import type { FormEvent } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import { t } from '../../lib/i18n/t.ts'
import { Button, type ButtonVariant } from '../../ui/Button.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { PasswordField } from '../../ui/Field.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { formatAuthError } from '../auth/format-auth-error.ts'

interface Props {
  onSubmit: (password: string) => Promise<void>
  /** Label of the submit button. The default is "Next". */
  submitLabel?: string
  submitVariant?: ButtonVariant
  /** True if the form is at the end of a dialog. The button is then sticky (`DialogActions`). */
  isAtDialogEnd?: boolean
}

/** Asks for the account password, to confirm that an adult performs the action. */
export function PasswordForm({
  onSubmit,
  submitLabel = t('common:next'),
  submitVariant = 'primary',
  isAtDialogEnd = true,
}: Props) {
  const {
    error: errorText,
    isSubmitting,
    submit,
  } = useFormAction((failure) => {
    const isWrongPassword = failure instanceof ApiError && failure.errors['password']
    return isWrongPassword ? t('auth:incorrect') : formatAuthError(failure)
  })
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    void submit(() => onSubmit(password))
  }
  const submitButton = (
    <Button variant={submitVariant} type="submit" aria-disabled={isSubmitting}>
      {submitLabel}
    </Button>
  )
  return (
    <form onSubmit={submitForm} className={isAtDialogEnd ? 'contents' : 'flex flex-col gap-5'}>
      <p className="text-muted">{t('profiles:passwordNeeded')}</p>
      <PasswordField
        label={t('profiles:password')}
        name="password"
        autoComplete="current-password"
        required
        dir="ltr"
        error={errorText}
        showPasswordLabel={t('auth:showPassword')}
        hidePasswordLabel={t('auth:hidePassword')}
      />
      {isAtDialogEnd ? <DialogActions>{submitButton}</DialogActions> : submitButton}
    </form>
  )
}
