import { useId, useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { t } from '../../lib/i18n/t.ts'
import { removeProfilePin, unlockProfile } from '../../lib/stores/profile-changes.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PinInput } from '../../ui/PinInput.tsx'
import { StepFocus } from '../../ui/StepFocus.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { PinMessage, useCountdown } from './PinMessage.tsx'

interface Props {
  profile: Profile
  onClose: () => void
  onUnlock: () => void
  /** Sends the PIN. The default is to unlock the profile on this device. */
  sendPin?: (pin: string) => Promise<unknown>
  /** Sends the account password. The default is to remove the forgotten PIN, or to unlock without the exit PIN. */
  sendPassword?: (password: string) => Promise<unknown>
}

async function bypassForgottenPin(profile: Profile, password: string): Promise<void> {
  if (profile.needs_exit_pin) return unlockProfile(profile.profile_id, { password })
  await removeProfilePin(profile.profile_id, { password })
  showToast('profiles:updated')
}

/**
 * PIN entry for a locked profile. With the account password, the user can remove a forgotten PIN of the profile. If the
 * exit PIN is needed, the password unlocks the profile instead.
 */
export function PinDialog({
  profile,
  onClose,
  onUnlock,
  sendPin = (pin) => unlockProfile(profile.profile_id, { pin }),
  sendPassword = (password) => bypassForgottenPin(profile, password),
}: Props) {
  const messageId = useId()
  const [countdown, startCountdown] = useCountdown()
  const {
    error: errorText,
    setError,
    isSubmitting,
    submit,
  } = useFormAction((failure) => {
    const apiError = failure instanceof ApiError ? failure : null
    if (apiError?.retryAfterSeconds) startCountdown(apiError.retryAfterSeconds)
    if (apiError?.status === 0) return t('profiles:offlineLocked')
    return t(apiError?.type === 'invalid_pin' ? 'profiles:invalidPin' : 'profiles:unlockFailed')
  })
  const [hasForgottenPin, setHasForgottenPin] = useState(false)
  const submitPin = async (pin: string) => {
    await sendPin(pin)
    onUnlock()
  }
  const submitPassword = async (password: string) => {
    await sendPassword(password)
    onUnlock()
  }
  return (
    <Dialog
      title={t(profile.needs_exit_pin ? 'profiles:enterExitPin' : 'profiles:enterPin', {
        name: profile.name,
      })}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <StepFocus step={hasForgottenPin ? 'password' : 'pin'} />
      {hasForgottenPin ? (
        <PasswordForm onSubmit={submitPassword} />
      ) : (
        <>
          <PinInput
            label={t('profiles:pin')}
            getDigitLabel={(digitNumber) => t('profiles:pinDigit', { number: digitNumber })}
            eraseLabel={t('common:delete')}
            error={errorText}
            messageId={messageId}
            isDisabled={isSubmitting || countdown.secondsLeft > 0}
            onComplete={(pin) => void submit(() => submitPin(pin))}
            onIncomplete={() => setError(t('profiles:pinDigits'))}
          />
          <PinMessage id={messageId} errorText={errorText} countdown={countdown} />
          <Button variant="quiet" onClick={() => setHasForgottenPin(true)}>
            {t('profiles:forgotPin')}
          </Button>
        </>
      )}
    </Dialog>
  )
}
