import { MailPlus, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Invitation } from '../../lib/contract/invitations.ts'
import { formatAgo, formatDate } from '../../lib/i18n/format.ts'
import { isolate } from '../../lib/i18n/isolate.ts'
import { LOCALE_NAMES } from '../../lib/i18n/locales.ts'
import { t } from '../../lib/i18n/t.ts'
import { $invitations, revokeInvitation } from '../../lib/stores/admin/invitations.ts'
import { Action } from './kit/Action.tsx'
import { Badge, type Tone } from './kit/Badge.tsx'
import { Confirm } from './kit/Confirm.tsx'
import { formatUntil } from './kit/figures.ts'
import { Head } from './kit/Head.tsx'
import { Blank, type Column, Table } from './kit/Table.tsx'
import { useAnswer } from './kit/use-answer.ts'
import { InviteDialog } from './people/InviteDialog.tsx'

const TONES: Record<Invitation['state'], Tone> = {
  open: 'busy',
  used: 'good',
  expired: 'off',
  revoked: 'off',
}

export default function Invitations() {
  const answer = useAnswer($invitations)
  const [inviting, setInviting] = useState(false)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const invite = (
    <Action look="primary" icon={<Plus aria-hidden size={16} />} onClick={() => setInviting(true)}>
      {t('dashboardpeople:invite')}
    </Action>
  )
  return (
    <div className="flex flex-col gap-6">
      <Head
        title={t('dashboard:section_invitations')}
        hint={t('dashboardpeople:invitationsHint')}
        action={invite}
      />
      <Table
        label={t('dashboard:section_invitations')}
        answer={answer}
        keyOf={(one) => one.invitation_id}
        columns={columns(setRevoking)}
        empty={
          <Blank
            icon={<MailPlus />}
            title={t('dashboardpeople:noInvitations')}
            hint={t('dashboardpeople:noInvitationsHint')}
          />
        }
      />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {revoking && (
        <Confirm
          title={t('dashboardpeople:revokeTitle')}
          does={t('dashboardpeople:revoke')}
          onConfirm={() => revokeInvitation(revoking.invitation_id)}
          onClose={() => setRevoking(null)}
        >
          <p>
            {t('dashboardpeople:revokeText', {
              name: isolate(revoking.email ?? t('dashboardpeople:anybody')),
            })}
          </p>
          <p>{t('dashboard:cannotUndo')}</p>
        </Confirm>
      )}
    </div>
  )
}

function columns(onRevoke: (one: Invitation) => void): Column<Invitation>[] {
  return [
    {
      key: 'for',
      label: t('dashboardpeople:for'),
      wide: true,
      cell: (one) => (
        <div className="min-w-0">
          {one.email ? (
            <bdi className="block truncate font-medium">{one.email}</bdi>
          ) : (
            <span className="block truncate text-muted">{t('dashboardpeople:anybody')}</span>
          )}
          <span className="block truncate text-xs text-muted md:hidden">
            {t(`dashboardpeople:state_${one.state}`)} · {when(one)}
          </span>
        </div>
      ),
    },
    {
      key: 'role',
      label: t('dashboardpeople:role'),
      from: 'md',
      cell: (one) => t(`dashboardpeople:role_${one.role}`),
    },
    {
      key: 'language',
      label: t('dashboardpeople:language'),
      from: 'lg',
      cell: (one) => <span className="text-muted">{one.language ? LOCALE_NAMES[one.language] : '—'}</span>,
    },
    {
      key: 'made',
      label: t('dashboardpeople:made'),
      from: 'xl',
      cell: (one) => <span className="text-muted">{formatAgo(one.created_at)}</span>,
    },
    {
      key: 'expires',
      label: t('dashboardpeople:expires'),
      from: 'md',
      cell: (one) => <span className="text-muted">{when(one)}</span>,
    },
    {
      key: 'state',
      label: t('dashboardpeople:state'),
      from: 'md',
      cell: (one) => <Badge tone={TONES[one.state]}>{t(`dashboardpeople:state_${one.state}`)}</Badge>,
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      bare: true,
      end: true,
      cell: (one) =>
        one.state === 'open' && (
          <Action
            look="quiet"
            aria-label={t('dashboardpeople:revokeNamed', {
              name: isolate(one.email ?? t('dashboardpeople:anybody')),
            })}
            onClick={() => onRevoke(one)}
          >
            {t('dashboardpeople:revoke')}
          </Action>
        ),
    },
  ]
}

const when = (one: Invitation) =>
  one.state === 'open' ? formatUntil(one.expires_at) : formatDate(one.expires_at)
