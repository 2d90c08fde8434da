import { useStore } from '@nanostores/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../lib/client/errors.ts'
import type { RequestingDevice } from '../lib/contract/device-sign-in.ts'
import { isolateBidi } from '../lib/i18n/isolate-bidi.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { formatUserCode, parseUserCode } from '../lib/rules/user-code.ts'
import { decideDeviceSignIn, loadRequestingDevice } from '../lib/stores/device-sign-in.ts'
import { $profile } from '../lib/stores/profile.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { StepFocus } from '../ui/StepFocus.tsx'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { formatAuthError } from './auth/format-auth-error.ts'
import { GuardedPage } from './GuardedPage.tsx'
import { DeviceConfirmation, type DeviceLinkDecision } from './link/DeviceConfirmation.tsx'
import { observePage } from './observe-page.ts'
import { PasswordForm } from './profiles/PasswordForm.tsx'

interface DeviceConfirmationStep {
  kind: 'confirm'
  userCode: string
  device: RequestingDevice
  password: string | undefined
}
type DeviceLinkStep =
  | { kind: 'enter'; initialCode: string }
  | DeviceConfirmationStep
  | { kind: 'password'; retry: (password: string) => Promise<void> }
  /**
   * `accountEmail` is the email address of the account to which the device was signed in; null when the sign-in was
   * denied.
   */
  | { kind: 'done'; accountEmail: string | null }

/**
 * Signs in a device that shows a code, such as a television. The QR code on the device opens this page with the user
 * code of the device.
 */
export default function LinkPage() {
  return (
    <GuardedPage>
      <DeviceLink />
    </GuardedPage>
  )
}

/**
 * State and actions of the page. If the server needs the account password for an action, the page asks for the
 * password.
 */
function useDeviceLink() {
  const [step, setStep] = useState<DeviceLinkStep>(() => ({
    kind: 'enter',
    initialCode: new URLSearchParams(location.search).get('code') ?? '',
  }))
  const lastCodeRef = useRef('')
  const [errorText, setErrorText] = useState<string | null>(null)
  const actionCountRef = useRef(0)
  const showCodeError = (error: unknown) => {
    setStep({ kind: 'enter', initialCode: lastCodeRef.current })
    const isCodeUnusable = error instanceof ApiError && error.errors['user_code']
    setErrorText(isCodeUnusable ? t('link:unusable') : formatAuthError(error))
  }
  /** The password form displays the error of a wrong password. The code form displays all other errors. */
  const rethrowPasswordError = (error: unknown) => {
    if (error instanceof ApiError && error.errors['password']) throw error
    showCodeError(error)
  }
  /**
   * Runs the action and shows the step that it returns. If the server needs the account password, shows the password
   * form, which runs the action again. Ignores a late result after the user has started another action.
   */
  const runWithProof = async (action: (password?: string) => Promise<DeviceLinkStep>) => {
    actionCountRef.current += 1
    const actionNumber = actionCountRef.current
    const isLatestAction = () => actionNumber === actionCountRef.current
    setErrorText(null)
    try {
      const nextStep = await action()
      if (isLatestAction()) setStep(nextStep)
    } catch (error) {
      if (!isLatestAction()) return
      if (error instanceof ApiError && error.errors['password'])
        setStep({
          kind: 'password',
          retry: (password) => action(password).then(setStep).catch(rethrowPasswordError),
        })
      else showCodeError(error)
    }
  }
  const lookUpDevice = async (enteredCode: string) => {
    lastCodeRef.current = enteredCode
    const userCode = parseUserCode(enteredCode)
    if (!userCode) return setErrorText(t('link:unusable'))
    await runWithProof(async (password) => {
      const device = await loadRequestingDevice(userCode, password)
      return { kind: 'confirm', userCode, device, password }
    })
  }
  const answerLinkRequest = (
    { userCode, device, password }: DeviceConfirmationStep,
    choice: DeviceLinkDecision,
  ) =>
    runWithProof(async (typedPassword) => {
      const isOnPage = observePage()
      await decideDeviceSignIn({ userCode, ...choice, password: typedPassword ?? password })
      // Removes the used code from the URL, so that a reload does not look it up again.
      if (isOnPage()) history.replaceState(history.state, '', location.pathname)
      return { kind: 'done', accountEmail: choice.isApproved ? device.account_email : null }
    })
  return {
    step,
    errorText,
    lookUpDevice,
    answerLinkRequest,
    restartDeviceLink: () => setStep({ kind: 'enter', initialCode: '' }),
  }
}

function DeviceLink() {
  const { step, errorText, lookUpDevice, answerLinkRequest, restartDeviceLink } = useDeviceLink()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the code in the URL at page load
  useEffect(() => {
    if (step.kind === 'enter' && step.initialCode) void lookUpDevice(step.initialCode)
  }, [])
  return (
    <AuthFrame title={t('link:title')} hint={getStepHint(step)}>
      <StepFocus step={step.kind} />
      {step.kind === 'enter' && (
        <UserCodeForm
          initialCode={step.initialCode}
          errorText={errorText}
          onSubmit={(enteredCode) => void lookUpDevice(enteredCode)}
        />
      )}
      {step.kind === 'password' && <PasswordForm isAtDialogEnd={false} onSubmit={step.retry} />}
      {step.kind === 'confirm' && (
        <DeviceConfirmation
          code={formatUserCode(step.userCode)}
          device={step.device}
          onDecide={(choice) => answerLinkRequest(step, choice)}
        />
      )}
      {step.kind === 'done' && (
        <DeviceLinkResult accountEmail={step.accountEmail} onRestart={restartDeviceLink} />
      )}
    </AuthFrame>
  )
}

function getStepHint({ kind }: DeviceLinkStep): string | null {
  if (kind === 'done') return null
  return t(kind === 'confirm' ? 'link:confirmHint' : 'link:hint')
}

function UserCodeForm({
  initialCode,
  errorText,
  onSubmit,
}: {
  initialCode: string
  errorText: string | null
  onSubmit: (enteredCode: string) => void
}) {
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(String(new FormData(event.currentTarget).get('code')))
  }
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5">
      <Field
        label={t('link:code')}
        name="code"
        defaultValue={initialCode}
        dir="ltr"
        required
        maxLength={32}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        error={errorText}
        className="text-lg font-bold tracking-widest uppercase"
      />
      <Button variant="primary" type="submit" className="min-h-12">
        {t('common:next')}
      </Button>
    </form>
  )
}

function DeviceLinkResult({
  accountEmail,
  onRestart,
}: {
  accountEmail: string | null
  onRestart: () => void
}) {
  const isApproved = accountEmail !== null
  const actingProfile = useStore($profile)
  return (
    <div className="flex flex-col gap-5">
      <div role="status">
        <p className={`text-lg font-bold ${isApproved ? 'text-good' : ''}`}>
          {t(isApproved ? 'link:approved' : 'link:denied')}
        </p>
        {isApproved && (
          <p className="wrap-anywhere">
            {t('common:pair', { name: t('link:account'), value: isolateBidi(accountEmail) })}
          </p>
        )}
        <p className="text-muted">{t(isApproved ? 'link:approvedHint' : 'link:deniedHint')}</p>
      </div>
      <a className={getButtonClass('primary')} href={href('home', getCurrentLocale())}>
        {t('common:done')}
      </a>
      {isApproved && !actingProfile?.kids && (
        <a
          className={getButtonClass('plain')}
          href={href('account', getCurrentLocale(), { query: { tab: 'devices' } })}
        >
          {t('link:devices')}
        </a>
      )}
      <Button variant="quiet" onClick={onRestart}>
        {t('link:another')}
      </Button>
    </div>
  )
}
