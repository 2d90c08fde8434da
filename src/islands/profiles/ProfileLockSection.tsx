import { type Ref, useId, useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import type { TranslationKey } from '../../lib/i18n/keys.ts'
import { t } from '../../lib/i18n/t.ts'
import { changeProfilePin, removeProfilePin, setProfilePin } from '../../lib/stores/profile-changes.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { PinInput, type RejectIncompletePin } from '../../ui/PinInput.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { PinMessage, useCountdown } from './PinMessage.tsx'

type LockFormMode = 'closed' | 'set' | 'change' | 'remove'

interface Props {
  profile: Profile
  rejectIncompletePinRef?: Ref<RejectIncompletePin>
}

/** Sets, changes and removes the PIN of a profile. */
export function ProfileLockSection({ profile, rejectIncompletePinRef }: Props) {
  const [formMode, setFormMode] = useState<LockFormMode>('closed')
  const [currentPin, setCurrentPin] = useState<string | null>(null)
  const [errorText, setErrorText] = useState<string | null>(null)
  const [unconfirmedPin, setUnconfirmedPin] = useState<string | null>(null)
  const [isSubmitting, runAction] = useAction()
  const messageId = useId()
  const [countdown, startCountdown] = useCountdown()
  const closeForm = () => {
    setFormMode('closed')
    setCurrentPin(null)
    setErrorText(null)
    setUnconfirmedPin(null)
  }
  const submitPin = async (pin: string, password?: string) => {
    setErrorText(null)
    const id = profile.profile_id
    try {
      const proof = password === undefined ? {} : { password }
      if (formMode === 'set') await setProfilePin(id, { pin, ...proof })
      else if (formMode === 'remove') await removeProfilePin(id, { pin, ...proof })
      else await changeProfilePin(id, { current_pin: currentPin ?? '', new_pin: pin, ...proof })
      showToast('profiles:updated')
      closeForm()
    } catch (failure) {
      const apiError = failure instanceof ApiError ? failure : null
      if (password !== undefined) throw failure
      if (apiError?.errors['password']) return setUnconfirmedPin(pin)
      if (apiError?.retryAfterSeconds) startCountdown(apiError.retryAfterSeconds)
      setCurrentPin(null)
      setErrorText(
        t(
          apiError?.type === 'validation_error'
            ? 'profiles:pinDigits'
            : apiError?.type === 'invalid_pin'
              ? 'profiles:invalidPin'
              : formMode === 'remove'
                ? 'profiles:removeLockFailed'
                : 'profiles:updateFailed',
        ),
      )
    }
  }
  const acceptEnteredPin = (pin: string) => {
    if (formMode === 'change' && currentPin === null) setCurrentPin(pin)
    else void runAction(() => submitPin(pin))
  }
  const labelKey: TranslationKey =
    formMode === 'set' || currentPin !== null ? 'profiles:newPin' : 'profiles:currentPin'
  return (
    <section aria-label={t('profiles:lock')} className="flex flex-col gap-3 border-t border-line pt-5">
      <h3 className="font-semibold">{t('profiles:lock')}</h3>
      <p className="text-sm text-muted">{t('profiles:lockHint')}</p>
      {unconfirmedPin !== null ? (
        <PasswordForm isAtDialogEnd={false} onSubmit={(password) => submitPin(unconfirmedPin, password)} />
      ) : formMode === 'closed' ? (
        <div className="flex flex-wrap gap-3">
          {!profile.locked && <Button onClick={() => setFormMode('set')}>{t('profiles:setPin')}</Button>}
          {profile.locked && <Button onClick={() => setFormMode('change')}>{t('profiles:changePin')}</Button>}
          {profile.locked && <Button onClick={() => setFormMode('remove')}>{t('profiles:removePin')}</Button>}
        </div>
      ) : (
        <>
          <p className="text-center text-sm font-medium">{t(labelKey)}</p>
          <PinInput
            ref={rejectIncompletePinRef ?? null}
            key={labelKey}
            label={t(labelKey)}
            getDigitLabel={(digitNumber) => t('profiles:pinDigit', { number: digitNumber })}
            eraseLabel={t('common:delete')}
            error={errorText}
            messageId={messageId}
            isDisabled={isSubmitting || countdown.secondsLeft > 0}
            onComplete={acceptEnteredPin}
            onIncomplete={() => setErrorText(t('profiles:pinDigits'))}
          />
          <PinMessage id={messageId} errorText={errorText} countdown={countdown} />
          <Button variant="quiet" onClick={closeForm}>
            {t('common:cancel')}
          </Button>
        </>
      )}
    </section>
  )
}
