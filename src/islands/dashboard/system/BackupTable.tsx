import { Download, Trash2 } from '../../../icons/index.ts'
import type { Backup } from '../../../lib/contract/admin-backups.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { createBackupDownloadUrl } from '../../../lib/stores/admin/backups.ts'
import { formatBytes, formatLocalDateTime } from '../kit/formatters.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { RowMenu } from '../kit/RowMenu.tsx'

/** Downloads a backup. The link is requested on click, because it is valid only once. */
async function downloadBackup(id: string): Promise<void> {
  const url = await createBackupDownloadUrl(id)
  if (url) location.assign(url)
}

export function BackupTable({
  backups,
  onDelete,
}: {
  backups: readonly Backup[]
  onDelete: (backup: Backup) => void
}) {
  return (
    <table aria-label={t('dashboard:section_backups')} className="w-full border-collapse text-sm">
      <thead>
        <tr className="border-b border-line text-xs text-muted">
          <HeaderCell>{t('dashboardsystem:made')}</HeaderCell>
          <HeaderCell breakpointClass="max-md:hidden">{t('dashboardsystem:why')}</HeaderCell>
          <HeaderCell breakpointClass="max-lg:hidden">{t('dashboardsystem:holds')}</HeaderCell>
          <HeaderCell>{t('dashboardsystem:size')}</HeaderCell>
          <HeaderCell>
            <span className="sr-only">{t('dashboard:actions')}</span>
          </HeaderCell>
        </tr>
      </thead>
      <tbody>
        {backups.map((backup) => (
          <tr key={backup.id} className="border-b border-line hover:bg-ink/4">
            <td className="h-15 w-full max-w-0 pe-3 py-2">
              <p className="font-medium">
                <RelativeTime instant={backup.created_at} />
              </p>
              <p className="truncate text-xs text-muted">
                <bdi dir="ltr" className="numbers">
                  {formatLocalDateTime(backup.created_at)}
                </bdi>{' '}
                · <bdi>{backup.file}</bdi>
              </p>
            </td>
            <td className="px-3 py-2 whitespace-nowrap max-md:hidden">
              {t(`dashboardsystem:reason_${backup.reason}`)}
            </td>
            <td className="px-3 py-2 whitespace-nowrap text-muted max-lg:hidden">
              {backup.counts
                ? [
                    t('dashboard:peopleCount', { count: backup.counts.accounts }),
                    t('common:titles', { count: backup.counts.titles }),
                  ].join(' · ')
                : '—'}
            </td>
            <td className="numbers px-3 py-2 whitespace-nowrap text-muted">{formatBytes(backup.bytes)}</td>
            <td className="py-2 text-end">
              <RowMenu
                label={t('dashboard:actionsFor', { name: isolateBidi(backup.file) })}
                items={[
                  {
                    label: t('dashboardsystem:download'),
                    icon: <Download size={16} />,
                    onSelect: () => void downloadBackup(backup.id),
                  },
                  {
                    label: t('common:delete'),
                    icon: <Trash2 size={16} />,
                    isDestructive: true,
                    onSelect: () => onDelete(backup),
                  },
                ]}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function HeaderCell({
  children,
  breakpointClass = '',
}: {
  children: React.ReactNode
  breakpointClass?: string
}) {
  return (
    <th
      scope="col"
      className={`px-3 py-2 text-start font-medium whitespace-nowrap first:ps-0 last:pe-0 ${breakpointClass}`}
    >
      {children}
    </th>
  )
}
