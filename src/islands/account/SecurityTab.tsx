import { useStore } from '@nanostores/react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import type { SecurityActivity } from '../../lib/contract/account.ts'
import { formatRelativeTime } from '../../lib/i18n/format-instant.ts'
import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import {
  $securityActivities,
  $securityActivityPage,
  changePassword,
  deleteAccount,
} from '../../lib/stores/account.ts'
import { $apiKeys } from '../../lib/stores/api-keys.ts'
import { $identities } from '../../lib/stores/identities.ts'
import { $passkeys } from '../../lib/stores/passkeys.ts'
import { $pendingWrites } from '../../lib/stores/pending-writes.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { clearAllProgress, findPendingRemoval, undoProgressRemoval } from '../../lib/stores/progress.ts'
import { $secondFactor } from '../../lib/stores/second-factor.ts'
import { $user } from '../../lib/stores/session.ts'
import { showFailure, showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, PasswordField } from '../../ui/Field.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { NewPasswordField } from '../auth/NewPasswordField.tsx'
import { ConfirmActions } from '../ConfirmActions.tsx'
import { formatDeviceName } from '../format-device-name.ts'
import { PasswordForm } from '../profiles/PasswordForm.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'
import { useSettledCount } from '../use-settled-count.ts'
import { ApiKeySection } from './ApiKeySection.tsx'
import { IdentitySection } from './IdentitySection.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import { SecondFactorSection } from './SecondFactorSection.tsx'

/** Stores with the data of the sections below `PasswordSection`, in the order of the sections (`useSettledCount`). */
const SECTION_READ_STORES = [$passkeys, $secondFactor, $identities, $apiKeys, $securityActivities]

/** Sections that protect the account: password, passkeys, second factor, identities, API keys and activities. */
export default function SecurityTab() {
  const settledReadCount = useSettledCount(SECTION_READ_STORES)
  return (
    <div className="flex flex-col gap-12">
      <PasswordSection />
      <PasskeySection />
      {settledReadCount > 0 && <SecondFactorSection />}
      {settledReadCount > 1 && <IdentitySection />}
      {settledReadCount > 2 && <ApiKeySection />}
      {settledReadCount > 3 && <ActivitySection />}
      {settledReadCount > 4 && <DangerZone />}
    </div>
  )
}

function PasswordSection() {
  const [password, setPassword] = useState('')
  const [shouldSignOutOthers, setShouldSignOutOthers] = useState(true)
  const {
    error: errorText,
    isSubmitting,
    submit,
  } = useFormAction((failure) => {
    showToast('account:passwordFailed', { kind: 'bad' })
    return failure instanceof ApiError && failure.errors['password'] ? t('auth:incorrect') : null
  })
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const currentPassword = String(new FormData(form).get('current'))
    void submit(async () => {
      await changePassword({
        current_password: currentPassword,
        new_password: password,
        sign_out_others: shouldSignOutOthers,
      })
      form.reset()
      setPassword('')
    })
  }
  return (
    <form onSubmit={submitForm} className="flex max-w-md flex-col gap-5">
      <h2 className="text-lg font-bold">{t('account:changePassword')}</h2>
      <PasswordField
        label={t('account:currentPassword')}
        name="current"
        autoComplete="current-password"
        required
        dir="ltr"
        error={errorText}
        showPasswordLabel={t('auth:showPassword')}
        hidePasswordLabel={t('auth:hidePassword')}
      />
      <NewPasswordField label={t('account:newPassword')} value={password} onChange={setPassword} />
      <Switch
        label={t('account:signOutOthers')}
        checked={shouldSignOutOthers}
        onChange={setShouldSignOutOthers}
      />
      <Button variant="primary" type="submit" aria-disabled={isSubmitting}>
        {t('common:save')}
      </Button>
    </form>
  )
}

/** Returns the text of an activity. If the action failed or was denied, the text states this outcome. */
function formatActivity({ action, outcome }: SecurityActivity): string {
  const text = translateDynamicKey(`activity:${action}`, action)
  return outcome === 'ok' ? text : translateDynamicKey(`activity:${action}_${outcome}`, text)
}

function ActivitySection() {
  const { data: activitiesReply } = useStore($securityActivities)
  const pageNumber = useStore($securityActivityPage)
  const pageCount = activitiesReply?.total_pages ?? 1
  return (
    <section aria-label={t('account:activities')} className="flex flex-col gap-3">
      <h2 className="text-lg font-bold">{t('account:activities')}</h2>
      <SectionPlaceholder $read={$securityActivities}>
        <div role="status" aria-label={t('common:loading')} className="skeleton h-40" />
      </SectionPlaceholder>
      {activitiesReply?.results.length === 0 && <p className="text-muted">{t('account:noActivities')}</p>}
      <ul className="divide-y divide-line">
        {activitiesReply?.results.map((activity) => (
          <li key={activity.id} className="flex flex-wrap items-baseline justify-between gap-x-6 py-3">
            <span className={activity.outcome === 'ok' ? '' : 'text-danger'}>{formatActivity(activity)}</span>
            <span className="text-sm text-muted">
              {activity.device_name && (
                <>
                  <bdi>{formatDeviceName(activity.device_name)}</bdi> ·{' '}
                </>
              )}
              {formatRelativeTime(activity.at)}
            </span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3" hidden={pageNumber <= 1 && pageCount <= 1}>
        <Button aria-disabled={pageNumber <= 1} onClick={() => $securityActivityPage.set(pageNumber - 1)}>
          {t('common:previous')}
        </Button>
        <Button
          aria-disabled={pageNumber >= pageCount}
          onClick={() => $securityActivityPage.set(pageNumber + 1)}
        >
          {t('common:next')}
        </Button>
      </div>
    </section>
  )
}

function DangerZone() {
  const [activeDialog, setActiveDialog] = useState<'history' | 'account' | null>(null)
  const pendingRemoval = findPendingRemoval(useStore($pendingWrites), 'clear')
  return (
    <section
      aria-label={t('account:danger')}
      className="flex flex-col gap-4 rounded-lg border border-danger p-6"
    >
      <h2 className="text-lg font-bold text-danger">{t('account:danger')}</h2>
      <div className="flex flex-wrap gap-3">
        {pendingRemoval ? (
          <Button onClick={() => void undoProgressRemoval(pendingRemoval)}>
            {t('common:pair', { name: t('common:undo'), value: t('account:clearHistory') })}
          </Button>
        ) : (
          <Button onClick={() => setActiveDialog('history')}>{t('account:clearHistory')}</Button>
        )}
        <Button variant="danger" onClick={() => setActiveDialog('account')}>
          {t('account:deleteAccount')}
        </Button>
      </div>
      {activeDialog === 'history' && <ClearHistoryDialog onClose={() => setActiveDialog(null)} />}
      {activeDialog === 'account' && <DeleteAccountDialog onClose={() => setActiveDialog(null)} />}
    </section>
  )
}

function ClearHistoryDialog({ onClose }: { onClose: () => void }) {
  const profile = useStore($profile)
  const clearHistory = () => clearAllProgress().then(onClose, showFailure)
  return (
    <Dialog
      title={`${t('account:clearHistory')} · ${t('account:forProfile', { name: profile?.name ?? '' })}`}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <p className="text-muted">{t('account:clearHistoryText')}</p>
      <ConfirmActions label={t('account:clearHistory')} onConfirm={clearHistory} onCancel={onClose} />
    </Dialog>
  )
}

function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const user = useStore($user)
  const [typedEmail, setTypedEmail] = useState('')
  const isEmailConfirmed = typedEmail.trim().toLowerCase() === user?.email
  return (
    <Dialog title={t('account:deleteAccount')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('account:deleteAccountText')}</p>
      <Field
        label={t('account:email')}
        value={typedEmail}
        dir="ltr"
        autoComplete="off"
        onChange={(event) => setTypedEmail(event.target.value)}
      />
      {isEmailConfirmed && (
        <PasswordForm
          submitLabel={t('account:deleteAccount')}
          submitVariant="danger"
          onSubmit={deleteAccount}
        />
      )}
    </Dialog>
  )
}
