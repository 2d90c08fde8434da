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
export default function DeviceSignIn({ onUsePassword }: { onUsePassword: () => void }) {
  const [code, setCode] = useState<IssuedDeviceCode | null>(null)
  const [endText, setEndText] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const newCodeRef = useRef<HTMLButtonElement>(null)
  const passwordRef = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every attempt requests a new code
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setCode(null)
    setEndText(null)
    waitForApproval({ onCode: setCode, signal })
      .then(async (end) => {
        if (end === 'denied') setEndText(t('auth:codeDenied'))
        else if (end === 'expired') setEndText(t('auth:codeExpired'))
        else await startApprovedSession(end)
      })
      .catch((error: unknown) => {
        if (!signal.aborted) setEndText(formatAuthError(error))
      })
    return () => controller.abort()
  }, [attempt])
  useEffect(() => {
    const nextButton = endText === null ? passwordRef : newCodeRef
    nextButton.current?.focus()
  }, [endText])
  return (
    <div className="flex flex-col gap-6">
      {endText === null ? (
        <CodeInstructions code={code} />
      ) : (
        <p role="alert" className="rounded-md border border-danger px-4 py-3 text-danger">
          {endText}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {endText !== null && (
          <Button ref={newCodeRef} variant="primary" onClick={() => setAttempt(attempt + 1)}>
            {t('auth:newCode')}
          </Button>
        )}
        <Button ref={passwordRef} onClick={onUsePassword}>
          {t('auth:usePassword')}
        </Button>
      </div>
    </div>
  )
}

/** Uses the host of this page, because the phone most likely reaches the server under the same host. */
const getLinkAddress = () => location.host + href('link', FALLBACK_LOCALE)

function CodeInstructions({ code }: { code: IssuedDeviceCode | null }) {
  const url =
    location.origin + href('link', FALLBACK_LOCALE, { query: { code: code?.user_code.replace('-', '') } })
  return (
    <div className="flex flex-col items-center gap-8 md:flex-row md:items-start">
      <div className="size-56 shrink-0">
        {code ? (
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
            {code?.user_code}
          </output>
        </li>
        <li>{t('auth:confirmStep')}</li>
        <li className="list-none text-sm text-muted">{t('auth:codeLife')}</li>
      </ol>
    </div>
  )
}
