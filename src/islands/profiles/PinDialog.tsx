import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { formatClock } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { removeLock, unlockProfile } from '../../lib/stores/profile.ts'
import { toast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PinPad } from '../../ui/PinPad.tsx'
import { PasswordForm } from './PasswordForm.tsx'

interface Props {
  profile: Profile
  onClose: () => void
  onOpen: () => void
}

/** Counts down the seconds a throttled PIN has to wait. */
export function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}

/** PIN entry of a locked profile; a forgotten PIN is removed with the account password. */
export function PinDialog({ profile, onClose, onOpen }: Props) {
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [wait, setWait] = useCountdown()
  const [forgot, setForgot] = useState(false)
  const enter = async (pin: string) => {
    setBusy(true)
    setError(null)
    try {
      await unlockProfile(profile.profile_id, pin)
      onOpen()
    } catch (failure) {
      const known = failure instanceof ApiError ? failure : null
      if (known?.retryAfter) setWait(known.retryAfter)
      if (known?.status === 0) setError(t('profiles:offlineLocked'))
      else setError(t(known?.type === 'invalid_pin' ? 'profiles:invalidPin' : 'profiles:unlockFailed'))
    } finally {
      setBusy(false)
    }
  }
  const free = async (password: string) => {
    await removeLock(profile.profile_id, { password })
    toast('profiles:updated')
    onOpen()
  }
  return (
    <Dialog
      title={t('profiles:enterPin', { name: profile.name })}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      {forgot ? (
        <PasswordForm onSubmit={free} />
      ) : (
        <>
          <PinPad
            label={t('profiles:pin')}
            digitLabel={(number) => t('profiles:pinDigit', { number })}
            eraseLabel={t('common:delete')}
            error={error}
            disabled={busy || wait > 0}
            onComplete={(pin) => void enter(pin)}
          />
          <p role="alert" className="numbers min-h-6 text-center text-danger">
            {wait > 0 ? `${error ?? ''} · ${t('profiles:wait', { time: formatClock(wait) })}` : error}
          </p>
          <Button look="quiet" onClick={() => setForgot(true)}>
            {t('profiles:forgotPin')}
          </Button>
        </>
      )}
    </Dialog>
  )
}
