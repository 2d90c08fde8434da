import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { IssuedDeviceCode } from '../../lib/contract/device-sign-in.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { FALLBACK_LOCALE } from '../../lib/i18n/locales.ts'
import { t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { startApprovedSession, waitForApproval } from '../../lib/stores/device-sign-in.ts'
import { Button } from '../../ui/Button.tsx'
import { formatAuthError } from './format-auth-error.ts'

const QrCode = lazy(() => import('../../ui/QrCode.tsx'))

/**
 * Shows a code with which a phone signs in this device. Starts the session when the phone has approved the
 * code.
 */
export default function DeviceSignIn({ onSwitchToPassword }: { onSwitchToPassword: () => void }) {
  const [deviceCode, setDeviceCode] = useState<IssuedDeviceCode | null>(null)
  const [endMessage, setEndMessage] = useState<string | null>(null)
  const [attemptCount, setAttemptCount] = useState(0)
  const newCodeButtonRef = useRef<HTMLButtonElement>(null)
  const passwordButtonRef = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when `attemptCount` changes
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setDeviceCode(null)
    setEndMessage(null)
    waitForApproval({ onCodeIssued: setDeviceCode, signal })
      .then(async (outcome) => {
        if (outcome === 'denied') setEndMessage(t('auth:codeDenied'))
        else if (outcome === 'expired') setEndMessage(t('auth:codeExpired'))
        else await startApprovedSession(outcome)
      })
      .catch((error: unknown) => {
        if (!signal.aborted) setEndMessage(formatAuthError(error))
      })
    return () => controller.abort()
  }, [attemptCount])
  useEffect(() => {
    const buttonToFocusRef = endMessage === null ? passwordButtonRef : newCodeButtonRef
    buttonToFocusRef.current?.focus()
  }, [endMessage])
  return (
    <div className="flex flex-col gap-6">
      {endMessage === null ? (
        <CodeInstructions deviceCode={deviceCode} />
      ) : (
        <p role="alert" className="rounded-md border border-danger px-4 py-3 text-danger">
          {endMessage}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {endMessage !== null && (
          <Button ref={newCodeButtonRef} variant="primary" onClick={() => setAttemptCount(attemptCount + 1)}>
            {t('auth:newCode')}
          </Button>
        )}
        <Button ref={passwordButtonRef} onClick={onSwitchToPassword}>
          {t('auth:usePassword')}
        </Button>
      </div>
    </div>
  )
}

/**
 * Returns the address that the user opens on the phone. It has the host of this page, because the phone most likely
 * reaches the server under the same host.
 */
const getLinkAddress = () => location.host + href('link', FALLBACK_LOCALE)

function CodeInstructions({ deviceCode }: { deviceCode: IssuedDeviceCode | null }) {
  const url =
    location.origin +
    href('link', FALLBACK_LOCALE, { query: { code: deviceCode?.user_code.replace('-', '') } })
  return (
    <div className="flex flex-col items-center gap-8 md:flex-row md:items-start">
      <div className="size-56 shrink-0">
        {deviceCode ? (
          <Suspense fallback={<div className="skeleton size-56" />}>
            <QrCode text={url} label={t('auth:qrLabel')} />
          </Suspense>
        ) : (
          <div className="skeleton size-56" />
        )}
      </div>
      <ol className="flex list-decimal flex-col gap-4 ps-5">
        <li>{t('auth:scanStep', { address: isolateBidi(getLinkAddress()) })}</li>
        <li>
          {t('auth:compareStep')}
          <output
            dir="ltr"
            aria-label={t('auth:deviceCode')}
            className="mt-2 block min-h-[1.2em] w-fit text-2xl font-bold tracking-widest text-accent"
          >
            {deviceCode?.user_code}
          </output>
        </li>
        <li>{t('auth:confirmStep')}</li>
        <li className="list-none text-sm text-muted">{t('auth:codeLife')}</li>
      </ol>
    </div>
  )
}
