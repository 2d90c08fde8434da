import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import type { TotpSetup as TotpSetupData } from '../../lib/contract/second-factor.ts'
import { t } from '../../lib/i18n/t.ts'
import { confirmTotpSetup, startTotpSetup } from '../../lib/stores/second-factor.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field } from '../../ui/Field.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { formatAuthError } from '../auth/format-auth-error.ts'
import { PasswordForm } from '../profiles/PasswordForm.tsx'

const QrCode = lazy(() => import('../../ui/QrCode.tsx'))

function formatSetupError(error: unknown): string {
  if (error instanceof ApiError && error.errors['code']) return t('security:totpWrong')
  if (error instanceof ApiError && error.errors['setup']) return t('security:totpExpired')
  return formatAuthError(error)
}

/** Sets up an authenticator app: asks for the password, shows the QR code, then asks for the first code. */
export function TotpSetup({ onConfirmed }: { onConfirmed: (recoveryCodes: string[]) => void }) {
  const [setup, setSetup] = useState<TotpSetupData | null>(null)
  if (setup) return <TotpConfirmation setup={setup} onConfirmed={onConfirmed} />
  return <PasswordForm onSubmit={async (password) => setSetup(await startTotpSetup(password))} />
}

interface TotpConfirmationProps {
  setup: TotpSetupData
  onConfirmed: (recoveryCodes: string[]) => void
}

function TotpConfirmation({ setup, onConfirmed }: TotpConfirmationProps) {
  const { error: errorText, isSubmitting, submit } = useFormAction(formatSetupError)
  const [shouldSignOutOthers, setShouldSignOutOthers] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  /* Focuses the code field, because the password field that had the focus no longer exists. */
  useEffect(() => formRef.current?.querySelector<HTMLElement>('[name=code]')?.focus(), [])
  const confirmCode = async (code: string) => {
    const recoveryCodes = await confirmTotpSetup({ code, shouldSignOutOthers })
    showToast('security:totpEnabled')
    onConfirmed(recoveryCodes)
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    void submit(() => confirmCode(code))
  }
  return (
    <form ref={formRef} onSubmit={submitForm} className="flex flex-col gap-4">
      <p className="text-muted">{t('security:totpScan')}</p>
      {/* The QR code and the form are side by side, so that the whole dialog fits on a television. */}
      <div className="flex flex-col gap-6 md:flex-row md:items-center">
        <Suspense fallback={<div className="skeleton mx-auto size-56" />}>
          <QrCode text={setup.uri} label={t('security:totpQr')} />
        </Suspense>
        <div className="flex grow flex-col gap-4">
          <Field
            label={t('security:totpKey')}
            readOnly
            dir="ltr"
            value={setup.secret}
            className="font-mono text-sm"
            onFocus={(event) => event.target.select()}
          />
          <Field
            label={t('security:totpConfirm')}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={8}
            required
            dir="ltr"
            error={errorText}
          />
        </div>
      </div>
      <Switch
        label={t('account:signOutOthers')}
        checked={shouldSignOutOthers}
        onChange={setShouldSignOutOthers}
      />
      <DialogActions>
        <Button variant="primary" type="submit" aria-disabled={isSubmitting}>
          {t('common:next')}
        </Button>
      </DialogActions>
    </form>
  )
}
