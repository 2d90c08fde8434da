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
        <Form />
      </AuthFrame>
    </Page>
  )
}

function Form() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const target = afterLogin()
    setBusy(true)
    setFailure(null)
    try {
      await login({ email: String(form.get('email')), password: String(form.get('password')) })
      await navigate(target, { history: 'replace' })
    } catch (error) {
      setFailure(failureText(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5" data-ready={ready || undefined}>
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
      {failure && (
        <p role="alert" className="rounded-md border border-danger px-4 py-3 text-danger">
          {failure}
        </p>
      )}
      <Button look="primary" type="submit" disabled={busy} className="min-h-12">
        {t('auth:signIn')}
      </Button>
    </form>
  )
}
