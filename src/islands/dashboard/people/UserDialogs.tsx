import type { Account } from '../../../lib/contract/auth.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { t } from '../../../lib/i18n/t.ts'
import { deleteUser, setBlocked, signOutEverywhere } from '../../../lib/stores/admin/users.ts'
import { Confirm } from '../kit/Confirm.tsx'
import { UserDevices } from './UserDevices.tsx'

export interface UserWish {
  kind: 'devices' | 'signOut' | 'block' | 'delete'
  account: Account
}

/** The dialog of an action on an account: its devices, or a confirmation that names the consequences. */
export function UserDialogs({
  action: { kind, account },
  onClose,
}: {
  action: UserWish
  onClose: () => void
}) {
  if (kind === 'devices') return <UserDevices account={account} onClose={onClose} />
  const name = isolate(account.email)
  if (kind === 'signOut') {
    return (
      <Confirm
        title={t('dashboardpeople:signOutTitle', { name })}
        does={t('dashboardpeople:signOutEverywhere')}
        onConfirm={() => signOutEverywhere(account)}
        onClose={onClose}
      >
        <p>{t('dashboardpeople:signOutText', { count: account.devices })}</p>
      </Confirm>
    )
  }
  if (kind === 'block') {
    return (
      <Confirm
        title={t('dashboardpeople:blockTitle', { name })}
        does={t('dashboardpeople:block')}
        onConfirm={() => setBlocked(account, true)}
        onClose={onClose}
      >
        <p>{t('dashboardpeople:blockText')}</p>
        <p>{t('dashboardpeople:signOutText', { count: account.devices })}</p>
      </Confirm>
    )
  }
  return (
    <Confirm
      title={t('dashboardpeople:deleteTitle', { name })}
      does={t('dashboardpeople:delete')}
      onConfirm={() => deleteUser(account)}
      onClose={onClose}
    >
      <p>{t('dashboardpeople:deleteText', { count: account.profiles })}</p>
      <p>{t('dashboard:cannotUndo')}</p>
    </Confirm>
  )
}
