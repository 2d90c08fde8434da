import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '../lib/client/errors.ts'
import { isolateBidi } from '../lib/i18n/isolate-bidi.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { RESET_TOKEN_KEY } from '../lib/storage-keys.ts'
import {
  loadPasswordReset,
  type PasswordResetAccount,
  requestPasswordReset,
  setNewPassword,
} from '../lib/stores/password-reset.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { PendingAnimation } from '../ui/EmptyState.tsx'
import { Field } from '../ui/Field.tsx'
import { StepFocus } from '../ui/StepFocus.tsx'
import { Switch } from '../ui/Switch.tsx'
import { useFormAction } from '../ui/use-form-action.ts'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { formatAuthError } from './auth/format-auth-error.ts'
import { moveLinkTokenToStorage } from './auth/link-token.ts'
import { NewPasswordField } from './auth/NewPasswordField.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'

type ResetStep =
  | { kind: 'pending' }
  | { kind: 'request' }
  | { kind: 'requested'; email: string; isByMail: boolean }
  | { kind: 'choose'; token: string; account: PasswordResetAccount }
  | { kind: 'saved' }
  | { kind: 'unusable' }
  | { kind: 'failed'; error: ApiError }

const isUnusableTokenError = (error: unknown) =>
  error instanceof ApiError && error.errors['token'] !== undefined

/** Requests a password reset link, or sets the new password if the page was opened with such a link. */
export default function ResetPage() {
  return (
    <GuardedPage>
      <PasswordReset />
    </GuardedPage>
  )
}

function PasswordReset() {
  const [step, setStep] = useState<ResetStep>({ kind: 'pending' })
  useEffect(() => {
    const token = moveLinkTokenToStorage(RESET_TOKEN_KEY)
    if (!token) {
      setStep({ kind: 'request' })
      return
    }
    loadPasswordReset(token)
      .then((account) => setStep({ kind: 'choose', token, account }))
      .catch((error: ApiError) =>
        setStep(isUnusableTokenError(error) ? { kind: 'unusable' } : { kind: 'failed', error }),
      )
  }, [])
  /** Shows that the password was saved or that the link is invalid, and deletes the token of the link. */
  const finishLink = (kind: 'saved' | 'unusable') => {
    sessionStorage.removeItem(RESET_TOKEN_KEY)
    setStep({ kind })
  }
  const requestNewLink = () => {
    sessionStorage.removeItem(RESET_TOKEN_KEY)
    setStep({ kind: 'request' })
  }
  if (step.kind === 'pending') return <PendingAnimation label={t('common:loading')} />
  if (step.kind === 'failed') return <ErrorView error={step.error} />
  return (
    <AuthFrame title={t('reset:title')} hint={getStepHint(step)}>
      <StepFocus step={step.kind} />
      {step.kind === 'request' && (
        <ResetRequestForm
          onRequested={(email, isByMail) => setStep({ kind: 'requested', email, isByMail })}
        />
      )}
      {step.kind === 'requested' && <ResetRequestResult email={step.email} isByMail={step.isByMail} />}
      {step.kind === 'choose' && (
        <NewPasswordForm
          token={step.token}
          account={step.account}
          onSaved={() => finishLink('saved')}
          onLinkUnusable={() => finishLink('unusable')}
        />
      )}
      {step.kind === 'saved' && <ResetResult title={t('reset:saved')} hint={t('reset:savedHint')} />}
      {step.kind === 'unusable' && (
        <ResetResult title={t('reset:unusable')} hint={t('reset:unusableHint')}>
          <Button variant="primary" onClick={requestNewLink}>
            {t('reset:again')}
          </Button>
        </ResetResult>
      )}
    </AuthFrame>
  )
}

function getStepHint({ kind }: ResetStep): string | null {
  if (kind === 'request') return t('reset:hint')
  return kind === 'choose' ? t('reset:chooseHint') : null
}

function FormError({ errorText }: { errorText: string | null }) {
  if (errorText === null) return null
  return (
    <p role="alert" className="rounded-md border border-danger px-4 py-3 text-danger">
      {errorText}
    </p>
  )
}

function ResetRequestForm({ onRequested }: { onRequested: (email: string, isByMail: boolean) => void }) {
  const { error: errorText, isSubmitting, submit } = useFormAction(formatAuthError)
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    void submit(async () => onRequested(email, await requestPasswordReset(email)))
  }
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5">
      <Field label={t('auth:email')} name="email" type="email" autoComplete="username" required dir="ltr" />
      <FormError errorText={errorText} />
      <Button variant="primary" type="submit" aria-disabled={isSubmitting} className="min-h-12">
        {t('reset:send')}
      </Button>
      <SignInLink variant="quiet" />
    </form>
  )
}

function ResetRequestResult({ email, isByMail }: { email: string; isByMail: boolean }) {
  return isByMail ? (
    <ResetResult title={t('reset:sent')} hint={t('reset:sentHint', { email: isolateBidi(email) })} />
  ) : (
    <ResetResult title={t('reset:noMail')} hint={t('reset:noMailHint')} />
  )
}

function NewPasswordForm({
  token,
  account: { email, other_access: otherAccess },
  onSaved,
  onLinkUnusable,
}: {
  token: string
  account: PasswordResetAccount
  onSaved: () => void
  onLinkUnusable: () => void
}) {
  const [password, setPassword] = useState('')
  const [shouldRemoveAccess, setShouldRemoveAccess] = useState(false)
  const otherAccessTexts = listOtherAccess(otherAccess)
  const { error: errorText, isSubmitting, submit } = useFormAction(formatAuthError)
  const savePassword = async () => {
    try {
      await setNewPassword(token, password, { shouldRemoveAccess })
      onSaved()
    } catch (error) {
      if (!isUnusableTokenError(error)) throw error
      onLinkUnusable()
    }
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void submit(savePassword)
  }
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5">
      {/* This field tells password managers for which account they store the new password. */}
      <Field
        label={t('auth:email')}
        name="email"
        autoComplete="username"
        readOnly
        dir="ltr"
        defaultValue={email}
      />
      <NewPasswordField label={t('auth:password')} value={password} onChange={setPassword} />
      {otherAccessTexts.length > 0 && (
        <Switch
          label={t('reset:removeAccess')}
          hint={
            <>
              {t('reset:removeAccessHint')}
              {otherAccessTexts.map((text) => (
                <span key={text} className="block">
                  {text}
                </span>
              ))}
            </>
          }
          checked={shouldRemoveAccess}
          onChange={setShouldRemoveAccess}
        />
      )}
      <FormError errorText={errorText} />
      <Button variant="primary" type="submit" aria-disabled={isSubmitting} className="min-h-12">
        {t('reset:save')}
      </Button>
    </form>
  )
}

/**
 * Returns a text for each kind of access that the account has without its password: passkeys, identities and calendar
 * addresses.
 */
function listOtherAccess({
  passkeys,
  identities,
  calendar_addresses: calendars,
}: PasswordResetAccount['other_access']): string[] {
  return [
    ...(passkeys > 0 ? [t('reset:passkeys', { count: passkeys })] : []),
    ...(identities > 0 ? [t('reset:identities', { count: identities })] : []),
    ...(calendars > 0 ? [t('reset:calendars', { count: calendars })] : []),
  ]
}

function ResetResult({ title, hint, children }: { title: string; hint: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-5">
      <div role="status">
        <h2 className="text-lg font-bold">{title}</h2>
        <p className="mt-1 text-muted">{hint}</p>
      </div>
      {children}
      <SignInLink variant={children ? 'quiet' : 'primary'} />
    </div>
  )
}

function SignInLink({ variant }: { variant: 'primary' | 'quiet' }) {
  return (
    <a className={getButtonClass(variant)} href={href('login', getCurrentLocale())}>
      {t('auth:signIn')}
    </a>
  )
}
