import type { FormEvent, ReactNode } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import { t } from '../../lib/i18n/t.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field } from '../../ui/Field.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { formatAuthError } from '../auth/format-auth-error.ts'

function formatSecondFactorError(error: unknown): string {
  const errorCode = error instanceof ApiError ? error.errors['second_factor']?.[0] : undefined
  if (errorCode === 'wrong') return t('secondfactor:wrong')
  if (errorCode === 'expired') return t('secondfactor:expired')
  return formatAuthError(error)
}

interface Props {
  /** Rejects with `ApiError` if the code is wrong. */
  onSubmit: (code: string) => Promise<void>
  /** Other buttons. They come after the submit button or, with `isAtDialogEnd`, before it. */
  children?: ReactNode
  /** True if the form is at the end of a dialog, where the buttons stay in view. */
  isAtDialogEnd?: boolean
}

/** Asks for a code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ onSubmit, children, isAtDialogEnd = false }: Props) {
  const { error: errorText, isSubmitting, submit } = useFormAction(formatSecondFactorError)
  const sendCode = async (form: HTMLFormElement) => {
    try {
      await onSubmit(String(new FormData(form).get('code')))
    } catch (error) {
      form.reset()
      form.querySelector('input')?.focus()
      throw error
    }
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void submit(() => sendCode(form))
  }
  const submitButton = (
    <Button variant="primary" type="submit" aria-disabled={isSubmitting} className="min-h-12">
      {t('common:next')}
    </Button>
  )
  return (
    <form onSubmit={submitForm} className={isAtDialogEnd ? 'contents' : 'flex flex-col gap-5'}>
      <p className="text-muted">{t('secondfactor:hint')}</p>
      <Field
        label={t('secondfactor:code')}
        name="code"
        data-first
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
        required
        dir="ltr"
        error={errorText}
      />
      {isAtDialogEnd ? (
        <DialogActions>
          {children}
          {submitButton}
        </DialogActions>
      ) : (
        <>
          {submitButton}
          {children}
        </>
      )}
    </form>
  )
}
