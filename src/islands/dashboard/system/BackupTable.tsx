import { Download, Trash2 } from 'lucide-react'
import type { Backup } from '../../../lib/contract/admin-backups.ts'
import { formatAgo } from '../../../lib/i18n/format.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { t } from '../../../lib/i18n/t.ts'
import { linkBackup } from '../../../lib/stores/admin/backups.ts'
import { formatBytes, formatMoment } from '../kit/figures.ts'
import { RowMenu } from '../kit/RowMenu.tsx'

/** The address works once, so it is asked for at the moment of the click. */
async function download(id: string): Promise<void> {
  const url = await linkBackup(id)
  if (url) location.assign(url)
}

export function BackupTable({
  backups,
  onDelete,
}: {
  backups: readonly Backup[]
  onDelete: (one: Backup) => void
}) {
  return (
    <table aria-label={t('dashboard:section_backups')} className="w-full border-collapse text-sm">
      <thead>
        <tr className="border-b border-line text-xs text-muted">
          <Th>{t('dashboardsystem:made')}</Th>
          <Th from="max-md:hidden">{t('dashboardsystem:why')}</Th>
          <Th from="max-lg:hidden">{t('dashboardsystem:holds')}</Th>
          <Th>{t('dashboardsystem:size')}</Th>
          <Th>
            <span className="sr-only">{t('dashboard:actions')}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {backups.map((one) => (
          <tr key={one.id} className="border-b border-line hover:bg-ink/4">
            <td className="h-15 w-full max-w-0 pe-3 py-2">
              <p className="font-medium">{formatAgo(one.created_at)}</p>
              <p className="truncate text-xs text-muted">
                <bdi dir="ltr" className="numbers">
                  {formatMoment(one.created_at)}
                </bdi>{' '}
                · <bdi>{one.file}</bdi>
              </p>
            </td>
            <td className="px-3 py-2 whitespace-nowrap max-md:hidden">
              {t(`dashboardsystem:reason_${one.reason}`)}
            </td>
            <td className="px-3 py-2 whitespace-nowrap text-muted max-lg:hidden">
              {one.counts
                ? [
                    t('dashboard:peopleCount', { count: one.counts.accounts }),
                    t('common:titles', { count: one.counts.titles }),
                  ].join(' · ')
                : '—'}
            </td>
            <td className="numbers px-3 py-2 whitespace-nowrap text-muted">{formatBytes(one.bytes)}</td>
            <td className="py-2 text-end">
              <RowMenu
                label={t('dashboard:actionsFor', { name: isolate(one.file) })}
                items={[
                  {
                    label: t('dashboardsystem:download'),
                    icon: <Download size={16} />,
                    onSelect: () => void download(one.id),
                  },
                  {
                    label: t('common:delete'),
                    icon: <Trash2 size={16} />,
                    danger: true,
                    onSelect: () => onDelete(one),
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

function Th({ children, from = '' }: { children: React.ReactNode; from?: string }) {
  return (
    <th
      scope="col"
      className={`px-3 py-2 text-start font-medium whitespace-nowrap first:ps-0 last:pe-0 ${from}`}
    >
      {children}
    </th>
  )
}
