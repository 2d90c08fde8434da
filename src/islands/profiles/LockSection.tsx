import { useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { formatClock } from '../../lib/i18n/format.ts'
import type { Key } from '../../lib/i18n/keys.ts'
import { t } from '../../lib/i18n/t.ts'
import { lockProfile, removeLock, updateLock } from '../../lib/stores/profile.ts'
import { toast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { PinPad } from '../../ui/PinPad.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { useCountdown } from './PinDialog.tsx'

type Mode = 'closed' | 'set' | 'change' | 'remove'

/** Sets, changes and removes a profile's PIN. */
export function LockSection({ profile }: { profile: Profile }) {
  const [mode, setMode] = useState<Mode>('closed')
  const [current, setCurrent] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [proof, setProof] = useState<string | null>(null)
  const [wait, setWait] = useCountdown()
  const close = () => {
    setMode('closed')
    setCurrent(null)
    setError(null)
    setProof(null)
  }
  const send = async (pin: string, password?: string) => {
    setError(null)
    const id = profile.profile_id
    try {
      if (mode === 'set') await lockProfile(id, password === undefined ? { pin } : { pin, password })
      else if (mode === 'remove') await removeLock(id, { pin })
      else await updateLock(id, { current_pin: current ?? '', new_pin: pin })
      toast('profiles:updated')
      close()
    } catch (failure) {
      const known = failure instanceof ApiError ? failure : null
      if (password !== undefined) throw failure
      if (known?.errors['password']) return setProof(pin)
      if (known?.retryAfter) setWait(known.retryAfter)
      setCurrent(null)
      setError(
        t(
          known?.type === 'validation_error'
            ? 'profiles:pinDigits'
            : known?.type === 'invalid_pin'
              ? 'profiles:invalidPin'
              : mode === 'remove'
                ? 'profiles:removeLockFailed'
                : 'profiles:updateFailed',
        ),
      )
    }
  }
  const complete = (pin: string) => {
    if (mode === 'change' && current === null) setCurrent(pin)
    else void send(pin)
  }
  const label: Key = mode === 'set' || current !== null ? 'profiles:newPin' : 'profiles:currentPin'
  return (
    <section aria-label={t('profiles:lock')} className="flex flex-col gap-3 border-t border-line pt-5">
      <h3 className="font-semibold">{t('profiles:lock')}</h3>
      <p className="text-sm text-muted">{t('profiles:lockHint')}</p>
      {proof !== null ? (
        <PasswordForm onSubmit={(password) => send(proof, password)} />
      ) : mode === 'closed' ? (
        <div className="flex flex-wrap gap-3">
          {!profile.locked && <Button onClick={() => setMode('set')}>{t('profiles:setPin')}</Button>}
          {profile.locked && <Button onClick={() => setMode('change')}>{t('profiles:changePin')}</Button>}
          {profile.locked && <Button onClick={() => setMode('remove')}>{t('profiles:removePin')}</Button>}
        </div>
      ) : (
        <>
          <p className="text-center text-sm font-medium">{t(label)}</p>
          <PinPad
            key={label}
            label={t(label)}
            digitLabel={(number) => t('profiles:pinDigit', { number })}
            eraseLabel={t('common:delete')}
            error={error}
            disabled={wait > 0}
            onComplete={complete}
          />
          <p role="alert" className="numbers min-h-6 text-center text-danger">
            {wait > 0 ? `${error ?? ''} · ${t('profiles:wait', { time: formatClock(wait) })}` : error}
          </p>
          <Button look="quiet" onClick={close}>
            {t('common:cancel')}
          </Button>
        </>
      )}
    </section>
  )
}
