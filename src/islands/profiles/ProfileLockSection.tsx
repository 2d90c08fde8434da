import { useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { formatClock } from '../../lib/i18n/format.ts'
import type { TranslationKey } from '../../lib/i18n/keys.ts'
import { t } from '../../lib/i18n/t.ts'
import { changeProfilePin, lockProfile, removeProfileLock } from '../../lib/stores/profile-changes.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { PinInput } from '../../ui/PinInput.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { useCountdown } from './PinDialog.tsx'

type LockFormMode = 'closed' | 'set' | 'change' | 'remove'

/** Sets, changes and removes the PIN of a profile. */
export function ProfileLockSection({ profile }: { profile: Profile }) {
  const [mode, setMode] = useState<LockFormMode>('closed')
  const [currentPin, setCurrentPin] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [unconfirmedPin, setUnconfirmedPin] = useState<string | null>(null)
  const [waitSeconds, setWaitSeconds] = useCountdown()
  const close = () => {
    setMode('closed')
    setCurrentPin(null)
    setError(null)
    setUnconfirmedPin(null)
  }
  const submitPin = async (pin: string, password?: string) => {
    setError(null)
    const id = profile.profile_id
    try {
      const proof = password === undefined ? {} : { password }
      if (mode === 'set') await lockProfile(id, { pin, ...proof })
      else if (mode === 'remove') await removeProfileLock(id, { pin, ...proof })
      else await changeProfilePin(id, { current_pin: currentPin ?? '', new_pin: pin, ...proof })
      showToast('profiles:updated')
      close()
    } catch (failure) {
      const apiError = failure instanceof ApiError ? failure : null
      if (password !== undefined) throw failure
      if (apiError?.errors['password']) return setUnconfirmedPin(pin)
      if (apiError?.retryAfter) setWaitSeconds(apiError.retryAfter)
      setCurrentPin(null)
      setError(
        t(
          apiError?.type === 'validation_error'
            ? 'profiles:pinDigits'
            : apiError?.type === 'invalid_pin'
              ? 'profiles:invalidPin'
              : mode === 'remove'
                ? 'profiles:removeLockFailed'
                : 'profiles:updateFailed',
        ),
      )
    }
  }
  const handlePin = (pin: string) => {
    if (mode === 'change' && currentPin === null) setCurrentPin(pin)
    else void submitPin(pin)
  }
  const label: TranslationKey =
    mode === 'set' || currentPin !== null ? 'profiles:newPin' : 'profiles:currentPin'
  return (
    <section aria-label={t('profiles:lock')} className="flex flex-col gap-3 border-t border-line pt-5">
      <h3 className="font-semibold">{t('profiles:lock')}</h3>
      <p className="text-sm text-muted">{t('profiles:lockHint')}</p>
      {unconfirmedPin !== null ? (
        <PasswordForm onSubmit={(password) => submitPin(unconfirmedPin, password)} />
      ) : mode === 'closed' ? (
        <div className="flex flex-wrap gap-3">
          {!profile.locked && <Button onClick={() => setMode('set')}>{t('profiles:setPin')}</Button>}
          {profile.locked && <Button onClick={() => setMode('change')}>{t('profiles:changePin')}</Button>}
          {profile.locked && <Button onClick={() => setMode('remove')}>{t('profiles:removePin')}</Button>}
        </div>
      ) : (
        <>
          <p className="text-center text-sm font-medium">{t(label)}</p>
          <PinInput
            key={label}
            label={t(label)}
            digitLabel={(number) => t('profiles:pinDigit', { number })}
            eraseLabel={t('common:delete')}
            error={error}
            disabled={waitSeconds > 0}
            onComplete={handlePin}
          />
          <p role="alert" className="numbers min-h-6 text-center text-danger">
            {waitSeconds > 0
              ? `${error ?? ''} · ${t('profiles:wait', { time: formatClock(waitSeconds) })}`
              : error}
          </p>
          <Button variant="quiet" onClick={close}>
            {t('common:cancel')}
          </Button>
        </>
      )}
    </section>
  )
}
