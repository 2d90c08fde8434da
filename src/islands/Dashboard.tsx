import { useStore } from '@nanostores/react'
import { type FormEvent, useState } from 'react'
import { formatAgo, formatDate } from '../lib/i18n/format.ts'
import { t } from '../lib/i18n/t.ts'
import { $invitations, $users, $usersPage, invite, revokeInvitation } from '../lib/stores/admin.ts'
import { toast } from '../lib/stores/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Page } from './Page.tsx'

export default function Dashboard() {
  return (
    <Page>
      <div className="edge mx-auto flex max-w-5xl flex-col gap-12 pt-6 pb-24">
        <h1 className="text-2xl font-black">{t('dashboard:title')}</h1>
        <Invitations />
        <Users />
      </div>
    </Page>
  )
}

function Invitations() {
  const { data } = useStore($invitations)
  const [url, setUrl] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    try {
      setUrl(await invite(String(new FormData(event.currentTarget).get('email')).trim()))
    } catch {
      toast('mylist:failed', { kind: 'bad' })
    }
  }
  return (
    <section aria-label={t('dashboard:invitations')} className="flex flex-col gap-4">
      <h2 className="text-lg font-bold">{t('dashboard:invitations')}</h2>
      <form onSubmit={submit} className="flex max-w-xl flex-wrap items-end gap-3">
        <div className="grow">
          <Field label={t('auth:email')} name="email" type="email" dir="ltr" />
        </div>
        <Button look="primary" type="submit" className="min-h-12">
          {t('dashboard:invite')}
        </Button>
      </form>
      {url && (
        <div className="flex max-w-xl flex-wrap items-center gap-3 rounded-md border border-accent p-4">
          <code dir="ltr" className="min-w-0 grow text-sm break-all">
            {url}
          </code>
          <Button
            onClick={() => void navigator.clipboard?.writeText(url).then(() => toast('dashboard:copied'))}
          >
            {t('dashboard:copyLink')}
          </Button>
        </div>
      )}
      <ul className="divide-y divide-line">
        {data?.results.map((one) => (
          <li key={one.invitation_id} className="flex flex-wrap items-center justify-between gap-4 py-3">
            <bdi>{one.email ?? '—'}</bdi>
            <span className="text-sm text-muted">
              {t(`dashboard:state_${one.state}`)} · <bdi>{formatDate(one.expires_at)}</bdi>
            </span>
            {one.state === 'open' && (
              <Button onClick={() => void revokeInvitation(one.invitation_id)}>
                {t('dashboard:revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Users() {
  const { data } = useStore($users)
  const page = useStore($usersPage)
  return (
    <section aria-label={t('dashboard:users')} className="flex flex-col gap-4">
      <h2 className="text-lg font-bold">{t('dashboard:users')}</h2>
      <ul className="divide-y divide-line">
        {data?.results.map((user) => (
          <li key={user.user_id} className="flex flex-wrap items-center justify-between gap-4 py-3">
            <bdi className="font-medium">{user.email}</bdi>
            <span className="text-sm text-muted">
              {t(`dashboard:role_${user.role}`)} {user.last_active && `· ${formatAgo(user.last_active)}`}
            </span>
          </li>
        ))}
      </ul>
      {(data?.total_pages ?? 1) > 1 && (
        <div className="flex gap-3">
          <Button disabled={page <= 1} onClick={() => $usersPage.set(page - 1)}>
            {t('common:previous')}
          </Button>
          <Button disabled={page >= (data?.total_pages ?? 1)} onClick={() => $usersPage.set(page + 1)}>
            {t('common:next')}
          </Button>
        </div>
      )}
    </section>
  )
}
