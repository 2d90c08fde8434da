import { navigate } from 'astro:transitions/client'
import { type FormEvent, useEffect, useState } from 'react'
import { t } from '../lib/i18n/t.ts'
import { afterLogin } from '../lib/stores/gate.ts'
import { login } from '../lib/stores/session.ts'
import { Button } from '../ui/Button.tsx'
import { Field, PasswordField } from '../ui/Field.tsx'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { failureText } from './auth/failure-text.ts'
import { Page } from './Page.tsx'

export default function Login() {
  return (
    <Page>
      <AuthFrame title={t('auth:welcome')} hint={t('auth:welcomeHint')}>
        <LoginForm />
      </AuthFrame>
    </Page>
  )
}

function LoginForm() {
  const [busy, setBusy] = useState(false)
  const [errorText, setErrorText] = useState<string | null>(null)
  const [hydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const targetAddress = afterLogin()
    setBusy(true)
    setErrorText(null)
    try {
      await login({ email: String(form.get('email')), password: String(form.get('password')) })
      await navigate(targetAddress, { history: 'replace' })
    } catch (error) {
      setErrorText(failureText(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5" data-ready={hydrated || undefined}>
      <Field label={t('auth:email')} name="email" type="email" autoComplete="username" required dir="ltr" />
      <PasswordField
        label={t('auth:password')}
        name="password"
        autoComplete="current-password"
        required
        dir="ltr"
        showLabel={t('auth:showPassword')}
        hideLabel={t('auth:hidePassword')}
      />
      {errorText && (
        <p role="alert" className="rounded-md border border-danger px-4 py-3 text-danger">
          {errorText}
        </p>
      )}
      <Button look="primary" type="submit" disabled={busy} className="min-h-12">
        {t('auth:signIn')}
      </Button>
    </form>
  )
}
