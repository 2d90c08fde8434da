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
  const invitationsQuery = useAnswer($invitations)
  const [isInviting, setIsInviting] = useState(false)
  const [invitationToRevoke, setInvitationToRevoke] = useState<Invitation | null>(null)
  const inviteButton = (
    <Action look="primary" icon={<Plus aria-hidden size={16} />} onClick={() => setIsInviting(true)}>
      {t('dashboardpeople:invite')}
    </Action>
  )
  return (
    <div className="flex flex-col gap-6">
      <Head
        title={t('dashboard:section_invitations')}
        hint={t('dashboardpeople:invitationsHint')}
        action={inviteButton}
      />
      <Table
        label={t('dashboard:section_invitations')}
        answer={invitationsQuery}
        keyOf={(invitation) => invitation.invitation_id}
        columns={createColumns(setInvitationToRevoke)}
        empty={
          <Blank
            icon={<MailPlus />}
            title={t('dashboardpeople:noInvitations')}
            hint={t('dashboardpeople:noInvitationsHint')}
          />
        }
      />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
      {invitationToRevoke && (
        <Confirm
          title={t('dashboardpeople:revokeTitle')}
          does={t('dashboardpeople:revoke')}
          onConfirm={() => revokeInvitation(invitationToRevoke.invitation_id)}
          onClose={() => setInvitationToRevoke(null)}
        >
          <p>
            {t('dashboardpeople:revokeText', {
              name: isolate(invitationToRevoke.email ?? t('dashboardpeople:anybody')),
            })}
          </p>
          <p>{t('dashboard:cannotUndo')}</p>
        </Confirm>
      )}
    </div>
  )
}

function createColumns(onRevoke: (invitation: Invitation) => void): Column<Invitation>[] {
  return [
    {
      key: 'for',
      label: t('dashboardpeople:for'),
      wide: true,
      cell: (invitation) => (
        <div className="min-w-0">
          {invitation.email ? (
            <bdi className="block truncate font-medium">{invitation.email}</bdi>
          ) : (
            <span className="block truncate text-muted">{t('dashboardpeople:anybody')}</span>
          )}
          <span className="block truncate text-xs text-muted md:hidden">
            {t(`dashboardpeople:state_${invitation.state}`)} · {formatExpiry(invitation)}
          </span>
        </div>
      ),
    },
    {
      key: 'role',
      label: t('dashboardpeople:role'),
      from: 'md',
      cell: (invitation) => t(`dashboardpeople:role_${invitation.role}`),
    },
    {
      key: 'language',
      label: t('dashboardpeople:language'),
      from: 'lg',
      cell: (invitation) => (
        <span className="text-muted">{invitation.language ? LOCALE_NAMES[invitation.language] : '—'}</span>
      ),
    },
    {
      key: 'made',
      label: t('dashboardpeople:made'),
      from: 'xl',
      cell: (invitation) => <span className="text-muted">{formatAgo(invitation.created_at)}</span>,
    },
    {
      key: 'expires',
      label: t('dashboardpeople:expires'),
      from: 'md',
      cell: (invitation) => <span className="text-muted">{formatExpiry(invitation)}</span>,
    },
    {
      key: 'state',
      label: t('dashboardpeople:state'),
      from: 'md',
      cell: (invitation) => (
        <Badge tone={TONES[invitation.state]}>{t(`dashboardpeople:state_${invitation.state}`)}</Badge>
      ),
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      bare: true,
      end: true,
      cell: (invitation) =>
        invitation.state === 'open' && (
          <Action
            look="quiet"
            aria-label={t('dashboardpeople:revokeNamed', {
              name: isolate(invitation.email ?? t('dashboardpeople:anybody')),
            })}
            onClick={() => onRevoke(invitation)}
          >
            {t('dashboardpeople:revoke')}
          </Action>
        ),
    },
  ]
}

const formatExpiry = (invitation: Invitation) =>
  invitation.state === 'open' ? formatUntil(invitation.expires_at) : formatDate(invitation.expires_at)
