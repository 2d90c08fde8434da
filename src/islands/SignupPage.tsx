import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { callApi } from '../lib/client/call.ts'
import { ApiError } from '../lib/client/errors.ts'
import { navigate } from '../lib/client-navigation.ts'
import { listSignInMethods } from '../lib/contract/identities.ts'
import { validateInvitation } from '../lib/contract/invitations.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { INVITATION_TOKEN_KEY } from '../lib/storage-keys.ts'
import { signUp } from '../lib/stores/sign-up.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { PendingAnimation } from '../ui/EmptyState.tsx'
import { Field } from '../ui/Field.tsx'
import { useFormAction } from '../ui/use-form-action.ts'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { formatAuthError } from './auth/format-auth-error.ts'
import { moveLinkTokenToStorage } from './auth/link-token.ts'
import { NewPasswordField } from './auth/NewPasswordField.tsx'
import { PASSWORD_ONLY_METHODS, type SignInMethods } from './auth/password-only-methods.ts'
import { ErrorView } from './ErrorView.tsx'

const ProviderButtons = lazy(() => import('./identity/ProviderButtons.tsx'))

type InvitationState =
  | { status: 'pending' }
  | { status: 'open'; token: string; email: string | null }
  | { status: 'failed'; error: ApiError }

/** Validates the invitation, then shows the sign-up form. */
export default function SignupPage() {
  const [invitation, setInvitation] = useState<InvitationState>({ status: 'pending' })
  useEffect(() => {
    const token = moveLinkTokenToStorage(INVITATION_TOKEN_KEY)
    callApi(validateInvitation, { bearer: token || 'none' })
      .then(({ email }) => setInvitation({ status: 'open', token, email }))
      .catch((error: ApiError) => setInvitation({ status: 'failed', error }))
  }, [])
  if (invitation.status === 'pending') return <PendingAnimation label={t('common:loading')} />
  if (invitation.status === 'failed') {
    if (invitation.error.status !== 401) return <ErrorView error={invitation.error} />
    return (
      <AuthFrame title={t('auth:invitationBad')} hint={t('auth:invitationBadHint')}>
        <a className={getButtonClass('primary')} href={href('login', getCurrentLocale())}>
          {t('auth:signIn')}
        </a>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={t('auth:createAccount')} hint={t('auth:invitedHint')}>
      <SignupForm
        token={invitation.token}
        email={invitation.email}
        onInvitationRejected={(error) => setInvitation({ status: 'failed', error })}
      />
    </AuthFrame>
  )
}

const EMAIL_ERROR_KEYS: Record<string, 'auth:emailTaken' | 'auth:notInvited'> = {
  taken: 'auth:emailTaken',
  not_invited: 'auth:notInvited',
}

/** Returns the error text, either for the email field or for the whole form. */
function describeSignUpError(error: unknown): { email?: string; form?: string } {
  const emailErrorCode = error instanceof ApiError ? error.errors['email']?.[0] : undefined
  return emailErrorCode
    ? { email: t(EMAIL_ERROR_KEYS[emailErrorCode] ?? 'auth:emailInvalid') }
    : { form: formatAuthError(error) }
}

interface SignupFormProps {
  token: string
  email: string | null
  /** Called when the invitation was used, revoked or has expired since the page was opened. */
  onInvitationRejected: (error: ApiError) => void
}

function SignupForm({ token, email, onInvitationRejected }: SignupFormProps) {
  const {
    error: formErrors,
    setError: setFormErrors,
    isSubmitting,
    submit,
  } = useFormAction(describeSignUpError)
  const [password, setPassword] = useState('')
  const [signInMethods, setSignInMethods] = useState<SignInMethods | null>(null)
  useEffect(() => {
    callApi(listSignInMethods).then(setSignInMethods, () => setSignInMethods(PASSWORD_ONLY_METHODS))
  }, [])
  if (!signInMethods) return <PendingAnimation label={t('common:loading')} />
  const createAccount = async (typedEmail: string) => {
    try {
      await signUp(token, { email: typedEmail, password })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      onInvitationRejected(error)
      return
    }
    sessionStorage.removeItem(INVITATION_TOKEN_KEY)
    await navigate(href('onboarding', getCurrentLocale()), { history: 'replace' })
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typedEmail = String(new FormData(event.currentTarget).get('email'))
    void submit(() => createAccount(typedEmail))
  }
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5">
      {signInMethods.password && (
        <>
          <Field
            label={t('auth:email')}
            name="email"
            type="email"
            autoComplete="username"
            required
            dir="ltr"
            defaultValue={email ?? ''}
            readOnly={email !== null}
            error={formErrors?.email}
          />
          <NewPasswordField label={t('auth:password')} value={password} onChange={setPassword} />
        </>
      )}
      {formErrors?.form && (
        <p role="alert" className="text-danger">
          {formErrors.form}
        </p>
      )}
      {signInMethods.password && (
        <Button variant="primary" type="submit" aria-disabled={isSubmitting} className="min-h-12">
          {t('auth:signUp')}
        </Button>
      )}
      {signInMethods.providers.length > 0 && (
        <Suspense fallback={<div className="min-h-11" />}>
          <ProviderButtons
            providers={signInMethods.providers}
            invitation={token}
            onError={(errorText) => setFormErrors(errorText === null ? {} : { form: errorText })}
          />
        </Suspense>
      )}
    </form>
  )
}
