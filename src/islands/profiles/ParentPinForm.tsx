import { useStore } from '@nanostores/react'
import { useId } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import { t } from '../../lib/i18n/t.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import { getFailureKey } from '../../lib/stores/toast.ts'
import { PinInput } from '../../ui/PinInput.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { PinMessage, useCountdown } from './PinMessage.tsx'

/**
 * Asks for the PIN with which a parent acts on the device of a child. It is the PIN of the main profile or, if the main
 * profile has none, the exit PIN.
 */
export function ParentPinForm({ onSubmit }: { onSubmit: (pin: string) => Promise<unknown> }) {
  const needsExitPin = useStore($profiles)?.some((profile) => profile.main && profile.needs_exit_pin) ?? false
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
    return t(apiError?.type === 'invalid_pin' ? 'profiles:invalidPin' : getFailureKey(failure))
  })
  return (
    <>
      <PinInput
        label={t(needsExitPin ? 'profiles:exitPin' : 'profiles:mainPin')}
        getDigitLabel={(digitNumber) => t('profiles:pinDigit', { number: digitNumber })}
        eraseLabel={t('common:delete')}
        error={errorText}
        messageId={messageId}
        isDisabled={isSubmitting || countdown.secondsLeft > 0}
        onComplete={(pin) => void submit(() => onSubmit(pin))}
        onIncomplete={() => setError(t('profiles:pinDigits'))}
      />
      <PinMessage id={messageId} errorText={errorText} countdown={countdown} />
    </>
  )
}
