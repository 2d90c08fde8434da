import { useStore } from '@nanostores/react'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '../lib/client/errors.ts'
import { t } from '../lib/i18n/t.ts'
import { formatPairingCode, parsePairingCode } from '../lib/rules/remote-commands.ts'
import { $phonePairing, claimTelevision, resumePhonePairing } from '../lib/stores/remote-phone.ts'
import { Button } from '../ui/Button.tsx'
import { PendingAnimation } from '../ui/EmptyState.tsx'
import { Field } from '../ui/Field.tsx'
import { useFormAction } from '../ui/use-form-action.ts'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { RemoteControl } from './remote/RemoteControl.tsx'

/**
 * Makes this phone the remote control of a television. The QR code on the television opens this page with the pairing
 * code.
 */
export default function RemotePage() {
  return (
    <GuardedPage>
      <Remote />
    </GuardedPage>
  )
}

function Remote() {
  const pairing = useStore($phonePairing)
  const [isStarting, setIsStarting] = useState(true)
  const { error: errorText, setError: setErrorText, isSubmitting, submit } = useFormAction(formatPairingError)
  const [initialCode] = useState(() => new URLSearchParams(location.search).get('code') ?? '')
  const claimTelevisionCode = async (enteredCode: string) => {
    const pairingCode = parsePairingCode(enteredCode)
    if (!pairingCode) return setErrorText(t('remote:unusable'))
    await submit(() => claimTelevision(pairingCode))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the code in the URL at page load
  useEffect(() => {
    const startPairing = async () => {
      if (initialCode) await claimTelevisionCode(initialCode)
      else await resumePhonePairing()
      // Removes the used code from the URL, so that a reload does not use it again.
      history.replaceState(history.state, '', location.pathname)
      setIsStarting(false)
    }
    void startPairing()
  }, [])
  if (isStarting) return <PendingAnimation label={t('common:loading')} />
  if (pairing.status === 'paired') return <RemoteControl deviceName={pairing.deviceName} />
  return (
    <AuthFrame title={t('remote:title')} hint={t('remote:hint')}>
      {pairing.status === 'ended' && (
        <p role="alert" className="text-accent">
          {t(pairing.reason === 'locked-profile' ? 'remote:lockedProfile' : 'remote:ended')}
        </p>
      )}
      <PairingCodeForm
        initialCode={initialCode}
        errorText={errorText}
        isSubmitting={isSubmitting}
        onSubmit={(enteredCode) => void claimTelevisionCode(enteredCode)}
      />
    </AuthFrame>
  )
}

function formatPairingError(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors:generic')
  if (error.type === 'network_error') return t('errors:network')
  if (error.type === 'rate_limited') return t('remote:tooMany')
  return error.status === 404 ? t('remote:unusable') : t('errors:generic')
}

interface PairingCodeFormProps {
  initialCode: string
  errorText: string | null
  isSubmitting: boolean
  onSubmit: (enteredCode: string) => void
}

function PairingCodeForm({ initialCode, errorText, isSubmitting, onSubmit }: PairingCodeFormProps) {
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(String(new FormData(event.currentTarget).get('code')))
  }
  const pairingCode = parsePairingCode(initialCode)
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5">
      <Field
        label={t('remote:code')}
        name="code"
        defaultValue={pairingCode ? formatPairingCode(pairingCode) : ''}
        dir="ltr"
        required
        maxLength={12}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={errorText}
        className="text-lg font-bold tracking-widest"
      />
      <Button variant="primary" type="submit" aria-disabled={isSubmitting} className="min-h-12">
        {t('remote:connect')}
      </Button>
    </form>
  )
}
