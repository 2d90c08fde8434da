import { useEffect, useState } from 'react'
import { ApiError } from '../lib/client/errors.ts'
import { isolateBidi } from '../lib/i18n/isolate-bidi.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { EMAIL_TOKEN_KEY } from '../lib/storage-keys.ts'
import { completeEmailLink, type EmailLink, loadEmailLink } from '../lib/stores/email-change.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { PendingAnimation } from '../ui/EmptyState.tsx'
import { StepFocus } from '../ui/StepFocus.tsx'
import { useFormAction } from '../ui/use-form-action.ts'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { formatAuthError } from './auth/format-auth-error.ts'
import { moveLinkTokenToStorage } from './auth/link-token.ts'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'

type EmailStep =
  | { kind: 'pending' }
  | { kind: 'open'; token: string; link: EmailLink }
  | { kind: 'done'; link: EmailLink }
  | { kind: 'unusable' }
  | { kind: 'failed'; error: ApiError }

const isUnusableLinkError = (error: unknown) =>
  error instanceof ApiError && error.errors['token'] !== undefined

/**
 * Confirms or cancels a change of the email address, if the page was opened with the confirmation or
 * cancellation link.
 */
export default function EmailPage() {
  return (
    <GuardedPage>
      <EmailLinkSteps />
    </GuardedPage>
  )
}

function EmailLinkSteps() {
  const [step, setStep] = useState<EmailStep>({ kind: 'pending' })
  useEffect(() => {
    const token = moveLinkTokenToStorage(EMAIL_TOKEN_KEY)
    if (!token) {
      setStep({ kind: 'unusable' })
      return
    }
    loadEmailLink(token)
      .then((link) => setStep({ kind: 'open', token, link }))
      .catch((error: ApiError) =>
        setStep(isUnusableLinkError(error) ? { kind: 'unusable' } : { kind: 'failed', error }),
      )
  }, [])
  const finishWithStep = (nextStep: EmailStep) => {
    sessionStorage.removeItem(EMAIL_TOKEN_KEY)
    setStep(nextStep)
  }
  if (step.kind === 'pending') return <PendingAnimation label={t('common:loading')} />
  if (step.kind === 'failed') return <ErrorView error={step.error} />
  if (step.kind === 'unusable')
    return (
      <AuthFrame title={t('emailchange:unusable')} hint={t('emailchange:unusableHint')}>
        <a className={getButtonClass('primary')} href={href('account', getCurrentLocale())}>
          {t('emailchange:openAccount')}
        </a>
      </AuthFrame>
    )
  return (
    <AuthFrame title={t('emailchange:title')}>
      <StepFocus step={step.kind} />
      {step.kind === 'open' ? (
        <EmailLinkConfirmation
          token={step.token}
          link={step.link}
          onDone={() => finishWithStep({ kind: 'done', link: step.link })}
          onLinkUnusable={() => finishWithStep({ kind: 'unusable' })}
        />
      ) : (
        <EmailLinkResult link={step.link} />
      )}
    </AuthFrame>
  )
}

interface EmailConfirmationProps {
  token: string
  link: EmailLink
  onDone: () => void
  onLinkUnusable: () => void
}

/**
 * Asks for a click to confirm. Opening the link alone changes nothing, because mail servers open links too.
 */
function EmailLinkConfirmation({ token, link, onDone, onLinkUnusable }: EmailConfirmationProps) {
  const { error: errorText, isSubmitting, submit } = useFormAction(formatAuthError)
  const isCancellation = link.kind === 'cancel'
  const confirmEmailLink = async () => {
    try {
      await completeEmailLink(token)
      onDone()
    } catch (error) {
      if (!isUnusableLinkError(error)) throw error
      onLinkUnusable()
    }
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="wrap-anywhere">
        {t(isCancellation ? 'emailchange:cancelText' : 'emailchange:confirmText', {
          email: isolateBidi(link.email),
        })}
      </p>
      {errorText && (
        <p role="alert" className="text-danger">
          {errorText}
        </p>
      )}
      <Button
        variant="primary"
        aria-disabled={isSubmitting}
        className="min-h-12"
        onClick={() => void submit(confirmEmailLink)}
      >
        {t(isCancellation ? 'emailchange:cancel' : 'emailchange:confirm')}
      </Button>
    </div>
  )
}

function EmailLinkResult({ link: { kind, email } }: { link: EmailLink }) {
  const isCancellation = kind === 'cancel'
  return (
    <div className="flex flex-col gap-5">
      <p role="status" className="wrap-anywhere">
        {t(isCancellation ? 'emailchange:cancelled' : 'emailchange:confirmed', { email: isolateBidi(email) })}
      </p>
      <a
        className={getButtonClass('primary')}
        href={href(isCancellation ? 'reset' : 'account', getCurrentLocale())}
      >
        {t(isCancellation ? 'emailchange:newPassword' : 'emailchange:openAccount')}
      </a>
    </div>
  )
}
