import { useStore } from '@nanostores/react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import { formatAgo } from '../../lib/i18n/format.ts'
import { t, tData } from '../../lib/i18n/t.ts'
import { passwordErrors } from '../../lib/rules/password.ts'
import { $activities, $activityPage, changePassword, deleteAccount } from '../../lib/stores/account.ts'
import { clearAllHistory, removalIn, undoRemoval } from '../../lib/stores/history.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { $user } from '../../lib/stores/session.ts'
import { toast } from '../../lib/stores/toast.ts'
import { $waiting } from '../../lib/stores/waiting.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, PasswordField } from '../../ui/Field.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { NewPassword } from '../auth/NewPassword.tsx'
import { deviceName } from '../device-name.ts'
import { PasswordForm } from '../profiles/PasswordForm.tsx'

export function Security() {
  return (
    <div className="flex flex-col gap-12">
      <PasswordChange />
      <Activities />
      <DangerZone />
    </div>
  )
}

function PasswordChange() {
  const [password, setPassword] = useState('')
  const [others, setOthers] = useState(true)
  const [error, setError] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const current = String(new FormData(form).get('current'))
    setError(null)
    try {
      await changePassword({ current_password: current, new_password: password, sign_out_others: others })
      form.reset()
      setPassword('')
    } catch (failure) {
      if (failure instanceof ApiError && failure.errors['password']) setError(t('auth:incorrect'))
      toast('account:passwordFailed', { kind: 'bad' })
    }
  }
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-5">
      <h2 className="text-lg font-bold">{t('account:changePassword')}</h2>
      <PasswordField
        label={t('account:currentPassword')}
        name="current"
        autoComplete="current-password"
        required
        dir="ltr"
        error={error}
        showLabel={t('auth:showPassword')}
        hideLabel={t('auth:hidePassword')}
      />
      <NewPassword label={t('account:newPassword')} value={password} onChange={setPassword} />
      <Switch label={t('account:signOutOthers')} checked={others} onChange={setOthers} />
      <Button look="primary" type="submit" disabled={passwordErrors(password).length > 0}>
        {t('common:save')}
      </Button>
    </form>
  )
}

function Activities() {
  const { data } = useStore($activities)
  const page = useStore($activityPage)
  return (
    <section aria-label={t('account:activities')} className="flex flex-col gap-3">
      <h2 className="text-lg font-bold">{t('account:activities')}</h2>
      {data?.results.length === 0 && <p className="text-muted">{t('account:noActivities')}</p>}
      <ul className="divide-y divide-line">
        {data?.results.map((one) => (
          <li key={one.id} className="flex flex-wrap items-baseline justify-between gap-x-6 py-3">
            <span className={one.outcome === 'ok' ? '' : 'text-danger'}>
              {tData(`activity:${one.action}`, one.action)}
            </span>
            <span className="text-sm text-muted">
              <bdi>{one.device_name && deviceName(one.device_name)}</bdi> · {formatAgo(one.at)}
            </span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button disabled={page <= 1} onClick={() => $activityPage.set(page - 1)}>
          {t('common:previous')}
        </Button>
        <Button disabled={page >= (data?.total_pages ?? 1)} onClick={() => $activityPage.set(page + 1)}>
          {t('common:next')}
        </Button>
      </div>
    </section>
  )
}

function DangerZone() {
  const [asking, setAsking] = useState<'history' | 'account' | null>(null)
  const profile = useStore($profile)
  const removal = removalIn(useStore($waiting), 'clear')
  return (
    <section
      aria-label={t('account:danger')}
      className="flex flex-col gap-4 rounded-lg border border-danger p-6"
    >
      <h2 className="text-lg font-bold text-danger">{t('account:danger')}</h2>
      <div className="flex flex-wrap gap-3">
        {removal ? (
          <Button onClick={() => void undoRemoval(removal)}>
            {`${t('common:undo')}: ${t('account:clearHistory')}`}
          </Button>
        ) : (
          <Button onClick={() => setAsking('history')}>{t('account:clearHistory')}</Button>
        )}
        <Button look="danger" onClick={() => setAsking('account')}>
          {t('account:deleteAccount')}
        </Button>
      </div>
      {asking === 'history' && (
        <Dialog
          title={`${t('account:clearHistory')} · ${t('account:forProfile', { name: profile?.name ?? '' })}`}
          closeLabel={t('common:close')}
          onClose={() => setAsking(null)}
        >
          <p className="text-muted">{t('account:clearHistoryText')}</p>
          <Button
            look="danger"
            onClick={() =>
              void clearAllHistory().then(
                () => setAsking(null),
                () => toast('errors:failed', { kind: 'bad' }),
              )
            }
          >
            {t('account:clearHistory')}
          </Button>
        </Dialog>
      )}
      {asking === 'account' && <DeleteAccount onClose={() => setAsking(null)} />}
    </section>
  )
}

function DeleteAccount({ onClose }: { onClose: () => void }) {
  const user = useStore($user)
  const [typed, setTyped] = useState('')
  const sure = typed.trim().toLowerCase() === user?.email
  return (
    <Dialog title={t('account:deleteAccount')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('account:deleteAccountText')}</p>
      <Field
        label={t('account:email')}
        value={typed}
        dir="ltr"
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      {sure && <PasswordForm onSubmit={deleteAccount} />}
    </Dialog>
  )
}
