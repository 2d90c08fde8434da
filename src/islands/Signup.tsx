import { navigate } from 'astro:transitions/client'
import { TicketX } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { call } from '../lib/client/call.ts'
import { ApiError } from '../lib/client/errors.ts'
import { validateInvitation } from '../lib/contract/invitations.ts'
import { currentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { passwordErrors } from '../lib/rules/password.ts'
import { register } from '../lib/stores/session.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Pending, State } from '../ui/State.tsx'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { failureText } from './auth/failure-text.ts'
import { NewPassword } from './auth/NewPassword.tsx'
import { ErrorView } from './ErrorView.tsx'

type InvitationState =
  | { status: 'pending' }
  | { status: 'open'; token: string; email: string | null }
  | { status: 'failed'; error: ApiError }

/** The invitation is validated before the page shows (Spec §2). */
export default function Signup() {
  const [invitation, setInvitation] = useState<InvitationState>({ status: 'pending' })
  useEffect(() => {
    const token = new URLSearchParams(location.search).get('token') ?? ''
    call(validateInvitation, { bearer: token || 'none' })
      .then(({ email }) => setInvitation({ status: 'open', token, email }))
      .catch((error: ApiError) => setInvitation({ status: 'failed', error }))
  }, [])
  if (invitation.status === 'pending') return <Pending label={t('common:loading')} />
  if (invitation.status === 'failed') {
    if (invitation.error.status !== 401) return <ErrorView error={invitation.error} />
    return (
      <State
        level={1}
        icon={<TicketX />}
        title={t('auth:invitationBad')}
        hint={t('auth:invitationBadHint')}
        action={
          <a className={buttonLook('primary')} href={href('login', currentLocale())}>
            {t('auth:signIn')}
          </a>
        }
      />
    )
  }
  return (
    <AuthFrame title={t('auth:createAccount')} hint={t('auth:invitedHint')}>
      <SignupForm token={invitation.token} email={invitation.email} />
    </AuthFrame>
  )
}

const EMAIL_ERROR_KEYS: Record<string, 'auth:emailTaken' | 'auth:notInvited'> = {
  taken: 'auth:emailTaken',
  not_invited: 'auth:notInvited',
}

function SignupForm({ token, email }: { token: string; email: string | null }) {
  const [busy, setBusy] = useState(false)
  const [password, setPassword] = useState('')
  const [formErrors, setFormErrors] = useState<{ email?: string; form?: string }>({})
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typedEmail = String(new FormData(event.currentTarget).get('email'))
    if (passwordErrors(password).length > 0) return
    setBusy(true)
    setFormErrors({})
    try {
      await register(token, { email: typedEmail, password })
      await navigate(href('onboarding', currentLocale()), { history: 'replace' })
    } catch (error) {
      const code = error instanceof ApiError ? error.errors['email']?.[0] : undefined
      setFormErrors(
        code ? { email: t(EMAIL_ERROR_KEYS[code] ?? 'auth:emailInvalid') } : { form: failureText(error) },
      )
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={t('auth:email')}
        name="email"
        type="email"
        autoComplete="username"
        required
        dir="ltr"
        defaultValue={email ?? ''}
        readOnly={email !== null}
        error={formErrors.email}
      />
      <NewPassword label={t('auth:password')} value={password} onChange={setPassword} />
      {formErrors.form && (
        <p role="alert" className="text-danger">
          {formErrors.form}
        </p>
      )}
      <Button
        look="primary"
        type="submit"
        disabled={busy || passwordErrors(password).length > 0}
        className="min-h-12"
      >
        {t('auth:signUp')}
      </Button>
    </form>
  )
}
