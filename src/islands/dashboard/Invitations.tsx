import { useState } from 'react'
import { MailPlus, Plus } from '../../icons/index.ts'
import type { Invitation } from '../../lib/contract/invitations.ts'
import { formatLocalDate, formatStandaloneTime } from '../../lib/i18n/format-instant.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { LOCALE_NAMES } from '../../lib/i18n/locales.ts'
import { t } from '../../lib/i18n/t.ts'
import { $invitations, revokeInvitation } from '../../lib/stores/admin/invitations.ts'
import { ActionButton } from './kit/ActionButton.tsx'
import { ConfirmDialog } from './kit/ConfirmDialog.tsx'
import { DataTable } from './kit/DataTable.tsx'
import { formatTimeUntil } from './kit/formatters.ts'
import { RelativeTime } from './kit/RelativeTime.tsx'
import { SectionHeader } from './kit/SectionHeader.tsx'
import { type BadgeTone, StatusBadge } from './kit/StatusBadge.tsx'
import { EmptyTableState } from './kit/TableStates.tsx'
import type { DataTableColumn } from './kit/table-columns.ts'
import { useStoreQuery } from './kit/use-store-query.ts'
import { InviteDialog } from './people/InviteDialog.tsx'

const TONES_BY_STATE: Record<Invitation['state'], BadgeTone> = {
  open: 'busy',
  used: 'good',
  expired: 'off',
  revoked: 'off',
}

export default function Invitations() {
  const invitationsQuery = useStoreQuery($invitations)
  const [isInviting, setIsInviting] = useState(false)
  const [invitationToRevoke, setInvitationToRevoke] = useState<Invitation | null>(null)
  const inviteButton = (
    <ActionButton variant="primary" icon={<Plus aria-hidden size={16} />} onClick={() => setIsInviting(true)}>
      {t('dashboardpeople:invite')}
    </ActionButton>
  )
  return (
    <div className="flex flex-col gap-6">
      <SectionHeader
        title={t('dashboard:section_invitations')}
        hint={t('dashboardpeople:invitationsHint')}
        action={inviteButton}
      />
      <DataTable
        label={t('dashboard:section_invitations')}
        query={invitationsQuery}
        getKey={(invitation) => invitation.invitation_id}
        columns={createColumns(setInvitationToRevoke)}
        emptyState={
          <EmptyTableState
            icon={<MailPlus />}
            title={t('dashboardpeople:noInvitations')}
            hint={t('dashboardpeople:noInvitationsHint')}
          />
        }
      />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
      {invitationToRevoke && (
        <ConfirmDialog
          title={t('dashboardpeople:revokeTitle')}
          confirmLabel={t('dashboardpeople:revoke')}
          onConfirm={() => revokeInvitation(invitationToRevoke.invitation_id)}
          onClose={() => setInvitationToRevoke(null)}
        >
          <p>
            {t('dashboardpeople:revokeText', {
              name: isolateBidi(invitationToRevoke.email ?? t('dashboardpeople:anybody')),
            })}
          </p>
          <p>{t('dashboard:cannotUndo')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function createColumns(onRevoke: (invitation: Invitation) => void): DataTableColumn<Invitation>[] {
  return [
    {
      key: 'for',
      label: t('dashboardpeople:for'),
      fillsWidth: true,
      renderCell: (invitation) => (
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
      minBreakpoint: 'md',
      renderCell: (invitation) => t(`dashboardpeople:role_${invitation.role}`),
    },
    {
      key: 'language',
      label: t('dashboardpeople:language'),
      minBreakpoint: 'lg',
      renderCell: (invitation) => (
        <span className="text-muted">{invitation.language ? LOCALE_NAMES[invitation.language] : '—'}</span>
      ),
    },
    {
      key: 'made',
      label: t('dashboardpeople:made'),
      minBreakpoint: 'xl',
      renderCell: (invitation) => (
        <span className="text-muted">
          <RelativeTime instant={invitation.created_at} />
        </span>
      ),
    },
    {
      key: 'expires',
      label: t('dashboardpeople:expires'),
      minBreakpoint: 'md',
      renderCell: (invitation) => (
        <span className="text-muted">{formatStandaloneTime(formatExpiry(invitation))}</span>
      ),
    },
    {
      key: 'state',
      label: t('dashboardpeople:state'),
      minBreakpoint: 'md',
      renderCell: (invitation) => (
        <StatusBadge tone={TONES_BY_STATE[invitation.state]}>
          {t(`dashboardpeople:state_${invitation.state}`)}
        </StatusBadge>
      ),
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      hasHiddenLabel: true,
      isEndAligned: true,
      renderCell: (invitation) =>
        invitation.state === 'open' && (
          <ActionButton
            variant="quiet"
            aria-label={t('dashboardpeople:revokeNamed', {
              name: isolateBidi(invitation.email ?? t('dashboardpeople:anybody')),
            })}
            onClick={() => onRevoke(invitation)}
          >
            {t('dashboardpeople:revoke')}
          </ActionButton>
        ),
    },
  ]
}

const formatExpiry = (invitation: Invitation) =>
  invitation.state === 'open'
    ? formatTimeUntil(invitation.expires_at)
    : formatLocalDate(invitation.expires_at)
