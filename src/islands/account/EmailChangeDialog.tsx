import { type FormEvent, useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { requestEmailChange } from '../../lib/stores/email-change.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field, PasswordField } from '../../ui/Field.tsx'
import { StepFocus } from '../../ui/StepFocus.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { formatAuthError } from '../auth/format-auth-error.ts'

/**
 * Dialog to change the email address. If email is configured, the server sends a confirmation link to the new address.
 * Otherwise, the dialog says that no email will arrive.
 */
export default function EmailChangeDialog({ onClose }: { onClose: () => void }) {
  const [requestedChange, setRequestedChange] = useState<{ email: string; isByMail: boolean } | null>(null)
  return (
    <Dialog title={t('security:emailChange')} closeLabel={t('common:close')} onClose={onClose}>
      <StepFocus step={requestedChange ? 'requested' : 'form'} />
      {requestedChange ? (
        <>
          <p role="status">
            {requestedChange.isByMail
              ? t('security:emailSent', { email: isolateBidi(requestedChange.email) })
              : t('security:emailNoMail')}
          </p>
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              {t('common:done')}
            </Button>
          </DialogActions>
        </>
      ) : (
        <NewEmailForm onRequested={(email, isByMail) => setRequestedChange({ email, isByMail })} />
      )}
    </Dialog>
  )
}

function NewEmailForm({ onRequested }: { onRequested: (email: string, isByMail: boolean) => void }) {
  const { error: errors, isSubmitting, submit } = useFormAction(describeErrors)
  const submitEmailChange = async (form: FormData) => {
    const email = String(form.get('email')).trim()
    onRequested(email, await requestEmailChange(email, String(form.get('password'))))
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void submit(() => submitEmailChange(form))
  }
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5">
      <p className="text-muted">{t('security:emailChangeText')}</p>
      <Field
        label={t('security:emailNew')}
        name="email"
        type="email"
        autoComplete="email"
        required
        dir="ltr"
        data-first
        error={errors?.email}
      />
      <PasswordField
        label={t('account:currentPassword')}
        name="password"
        autoComplete="current-password"
        required
        dir="ltr"
        error={errors?.password}
        showPasswordLabel={t('auth:showPassword')}
        hidePasswordLabel={t('auth:hidePassword')}
      />
      {errors?.form && (
        <p role="alert" className="text-danger">
          {errors.form}
        </p>
      )}
      <DialogActions>
        <Button variant="primary" type="submit" aria-disabled={isSubmitting}>
          {t('common:next')}
        </Button>
      </DialogActions>
    </form>
  )
}

function describeErrors(error: unknown): { email?: string; password?: string; form?: string } {
  const fieldErrors = error instanceof ApiError ? error.errors : {}
  if (fieldErrors['password']) return { password: t('auth:incorrect') }
  if (fieldErrors['new_email'])
    return {
      email: t(fieldErrors['new_email'].includes('same') ? 'security:emailSame' : 'auth:emailInvalid'),
    }
  return { form: formatAuthError(error) }
}
