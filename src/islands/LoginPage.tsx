import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { callApi } from '../lib/client/call.ts'
import { endedLogin } from '../lib/client/stored-session.ts'
import { listSignInMethods } from '../lib/contract/identities.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { getPathAfterSignIn } from '../lib/stores/path-after-sign-in.ts'
import { redirectTo } from '../lib/stores/route-guard.ts'
import { signIn } from '../lib/stores/sign-in.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { Field, PasswordField } from '../ui/Field.tsx'
import { isTelevision } from '../ui/is-television.ts'
import { useFormAction } from '../ui/use-form-action.ts'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { canUsePasskeys } from './auth/can-use-passkeys.ts'
import { formatAuthError } from './auth/format-auth-error.ts'
import { PASSWORD_ONLY_METHODS } from './auth/password-only-methods.ts'
import { GuardedPage } from './GuardedPage.tsx'

const DeviceSignIn = lazy(() => import('./auth/DeviceSignIn.tsx'))
const ProviderButtons = lazy(() => import('./identity/ProviderButtons.tsx'))
const ProviderReturn = lazy(() => import('./identity/ProviderReturn.tsx'))
const PasskeySignIn = lazy(() => import('./second-factor/PasskeySignIn.tsx'))
const SecondStep = lazy(() => import('./second-factor/SecondStep.tsx'))

export default function LoginPage() {
  return (
    <GuardedPage>
      <SignInChoice />
    </GuardedPage>
  )
}

function SignInChoice() {
  // A television first offers the sign-in with a code, because typing with a remote control is slow.
  const [isUsingCode, setIsUsingCode] = useState(isTelevision)
  /*
   * On a touch screen, no field gets the initial focus, because the on-screen keyboard would cover the page.
   */
  const [shouldFocusForm, setShouldFocusForm] = useState(() => !matchMedia('(pointer: coarse)').matches)
  const [signInToken, setSignInToken] = useState<string | null>(null)
  const [hasProviderResponse, setHasProviderResponse] = useState(() => location.hash.startsWith('#provider='))
  const [providerErrorText, setProviderErrorText] = useState<string | null>(null)
  const [hasLoginEnded] = useState(endedLogin.get)
  const switchToPassword = () => {
    setShouldFocusForm(true)
    setIsUsingCode(false)
    setSignInToken(null)
  }
  if (signInToken !== null)
    return (
      <AuthFrame title={t('secondfactor:title')}>
        <Suspense fallback={<div className="skeleton h-56" />}>
          <SecondStep signInToken={signInToken} onRestart={switchToPassword} />
        </Suspense>
      </AuthFrame>
    )
  if (hasProviderResponse)
    return (
      <AuthFrame title={t('auth:welcome')}>
        <Suspense fallback={<div className="skeleton h-56" />}>
          <ProviderReturn
            onSecondFactorNeeded={setSignInToken}
            onError={(errorText) => {
              setProviderErrorText(errorText)
              setIsUsingCode(false)
              setHasProviderResponse(false)
            }}
          />
        </Suspense>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('auth:welcome')}
      hint={t(isUsingCode ? 'auth:codeHint' : 'auth:welcomeHint')}
      width={isUsingCode ? 'wide' : 'narrow'}
    >
      {hasLoginEnded && (
        <p role="alert" className="rounded-md border border-accent px-4 py-3">
          {t('auth:signedOut')}
        </p>
      )}
      {isUsingCode ? (
        <Suspense fallback={<div className="skeleton h-56" />}>
          <DeviceSignIn onSwitchToPassword={switchToPassword} />
        </Suspense>
      ) : (
        <LoginForm
          shouldFocusForm={shouldFocusForm}
          initialErrorText={providerErrorText}
          onSwitchToCode={() => setIsUsingCode(true)}
          onSecondFactorNeeded={setSignInToken}
        />
      )}
    </AuthFrame>
  )
}

interface LoginFormProps {
  shouldFocusForm: boolean
  /** Message that explains why the sign-in with an identity provider failed; null if no such sign-in failed. */
  initialErrorText: string | null
  onSwitchToCode: () => void
  /** Called when the password is right and the account has a second factor. */
  onSecondFactorNeeded: (signInToken: string) => void
}

function LoginForm({
  shouldFocusForm,
  initialErrorText,
  onSwitchToCode,
  onSecondFactorNeeded,
}: LoginFormProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const {
    error: errorText,
    setError: setErrorText,
    isSubmitting,
    submit,
  } = useFormAction(formatAuthError, initialErrorText)
  const [signInMethods, setSignInMethods] = useState(PASSWORD_ONLY_METHODS)
  const [isHydrated, setIsHydrated] = useState(false)
  useEffect(() => {
    setIsHydrated(true)
    callApi(listSignInMethods).then(setSignInMethods, () => {})
  }, [])
  useEffect(() => {
    if (shouldFocusForm) formRef.current?.querySelector('input')?.focus()
  }, [shouldFocusForm])
  const signInWithForm = async (form: FormData) => {
    const targetPath = getPathAfterSignIn()
    const secondStep = await signIn({
      email: String(form.get('email')),
      password: String(form.get('password')),
    })
    if (secondStep) return onSecondFactorNeeded(secondStep.sign_in_token)
    /* The history state is passed on, because it contains the profile that opened this entry (history-entry.ts). */
    await redirectTo(targetPath, { history: 'replace', state: history.state })
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void submit(() => signInWithForm(form))
  }
  return (
    <form
      ref={formRef}
      onSubmit={submitForm}
      className="flex flex-col gap-5"
      data-ready={isHydrated || undefined}
    >
      {signInMethods.first_sign_in && (
        <p className="rounded-md border border-line bg-overlay px-4 py-3">{t('auth:firstSignIn')}</p>
      )}
      {signInMethods.password && <PasswordFields />}
      {errorText && (
        <p role="alert" className="rounded-md border border-danger px-4 py-3 text-danger">
          {errorText}
        </p>
      )}
      {signInMethods.password && (
        <Button variant="primary" type="submit" aria-disabled={isSubmitting} className="min-h-12">
          {t('auth:signIn')}
        </Button>
      )}
      {signInMethods.providers.length > 0 && (
        <Suspense fallback={<div className="min-h-11" />}>
          <ProviderButtons providers={signInMethods.providers} onError={setErrorText} />
        </Suspense>
      )}
      {isHydrated && canUsePasskeys() && (
        <Suspense fallback={<div className="min-h-11" />}>
          <PasskeySignIn onError={setErrorText} />
        </Suspense>
      )}
      <Button variant="quiet" onClick={onSwitchToCode}>
        {t('auth:useCode')}
      </Button>
      {signInMethods.password ? (
        <a className={getButtonClass('quiet')} href={href('reset', getCurrentLocale())}>
          {t('auth:forgotten')}
        </a>
      ) : (
        <Button variant="quiet" onClick={() => setSignInMethods({ ...signInMethods, password: true })}>
          {t('auth:usePassword')}
        </Button>
      )}
    </form>
  )
}

function PasswordFields() {
  return (
    <>
      <Field
        label={t('auth:email')}
        name="email"
        type="email"
        autoComplete="username webauthn"
        required
        dir="ltr"
      />
      <PasswordField
        label={t('auth:password')}
        name="password"
        autoComplete="current-password"
        required
        dir="ltr"
        showPasswordLabel={t('auth:showPassword')}
        hidePasswordLabel={t('auth:hidePassword')}
      />
    </>
  )
}
