import type { AccountSummary } from '../../../lib/contract/admin-users.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import {
  deleteUser,
  resetSecondFactor,
  setUserBlocked,
  signOutAllDevices,
} from '../../../lib/stores/admin/users.ts'
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx'
import { PasswordResetDialog } from './PasswordResetDialog.tsx'
import { UserDevices } from './UserDevices.tsx'
import { UserEmailDialog } from './UserEmailDialog.tsx'

export interface UserAction {
  kind: 'devices' | 'email' | 'resetPassword' | 'resetSecondFactor' | 'signOut' | 'block' | 'delete'
  account: AccountSummary
}

/**
 * Dialog for an action on an account: the list of its devices, its email address, a password reset link, or a
 * confirmation that states the consequences.
 */
export function UserActionDialog({
  action: { kind, account },
  onClose,
}: {
  action: UserAction
  onClose: () => void
}) {
  if (kind === 'devices') return <UserDevices account={account} onClose={onClose} />
  if (kind === 'email') return <UserEmailDialog account={account} onClose={onClose} />
  if (kind === 'resetPassword') return <PasswordResetDialog account={account} onClose={onClose} />
  const name = isolateBidi(account.email)
  if (kind === 'signOut') {
    return (
      <ConfirmDialog
        title={t('dashboardpeople:signOutTitle', { name })}
        confirmLabel={t('dashboardpeople:signOutEverywhere')}
        onConfirm={() => signOutAllDevices(account)}
        onClose={onClose}
      >
        <p>{t('dashboardpeople:signOutText', { count: account.devices })}</p>
      </ConfirmDialog>
    )
  }
  if (kind === 'resetSecondFactor') {
    return (
      <ConfirmDialog
        title={t('dashboardpeople:resetSecondFactorTitle', { name })}
        confirmLabel={t('dashboardpeople:resetSecondFactor')}
        onConfirm={() => resetSecondFactor(account)}
        onClose={onClose}
      >
        <p>{t('dashboardpeople:resetSecondFactorText')}</p>
      </ConfirmDialog>
    )
  }
  if (kind === 'block') {
    return (
      <ConfirmDialog
        title={t('dashboardpeople:blockTitle', { name })}
        confirmLabel={t('dashboardpeople:block')}
        onConfirm={() => setUserBlocked(account, true)}
        onClose={onClose}
      >
        <p>{t('dashboardpeople:blockText')}</p>
        <p>{t('dashboardpeople:signOutText', { count: account.devices })}</p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title={t('dashboardpeople:deleteTitle', { name })}
      confirmLabel={t('dashboardpeople:delete')}
      onConfirm={() => deleteUser(account)}
      onClose={onClose}
    >
      <p>{t('dashboardpeople:deleteText', { count: account.profiles })}</p>
      <p>{t('dashboard:cannotUndo')}</p>
    </ConfirmDialog>
  )
}
