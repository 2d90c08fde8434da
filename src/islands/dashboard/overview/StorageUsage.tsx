import type { DashboardOverview } from '../../../lib/contract/admin-overview.ts'
import { getCurrentDirection, t } from '../../../lib/i18n/t.ts'
import { formatBytes, formatPercent } from '../kit/formatters.ts'
import { Subsection } from '../kit/SectionHeader.tsx'

const STORAGE_KINDS = [
  ['database', 'fill-accent'],
  ['search_index', 'fill-ink'],
  ['images', 'fill-muted'],
  ['backups', 'fill-good'],
] as const

/** Disk usage by kind of data, and free disk space. */
export function StorageUsage({ storage }: { storage: DashboardOverview['storage'] }) {
  const storageUsages = STORAGE_KINDS.map(([name, fillClass]) => ({
    name,
    fillClass,
    bytes: storage[name] ?? 0,
  }))
  const totalBytes = storageUsages.reduce((sum, { bytes }) => sum + bytes, 0)
  let offsetPercent = 0
  const segments = storageUsages.map((storageUsage) => {
    const widthPercent = totalBytes > 0 ? (storageUsage.bytes / totalBytes) * 100 : 0
    const xPercent = getCurrentDirection() === 'rtl' ? 100 - offsetPercent - widthPercent : offsetPercent
    offsetPercent += widthPercent
    return { ...storageUsage, widthPercent, xPercent }
  })
  const { disk_free, disk_total } = storage
  return (
    <Subsection
      title={t('dashboard:storage')}
      action={<span className="numbers text-sm text-muted">{formatBytes(totalBytes)}</span>}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 100 2"
        preserveAspectRatio="none"
        className="h-2 w-full overflow-hidden rounded-full bg-line"
      >
        {segments.map(({ name, fillClass, xPercent, widthPercent }) => (
          <rect key={name} x={xPercent} y="0" width={widthPercent} height="2" className={fillClass} />
        ))}
      </svg>
      <dl className="divide-y divide-line text-sm">
        {storageUsages.map(({ name, fillClass, bytes }) => (
          <div key={name} className="flex items-center justify-between gap-4 py-2.5">
            <dt className="flex items-center gap-3 text-muted">
              <svg aria-hidden="true" viewBox="0 0 2 2" className={`size-3 ${fillClass}`}>
                <circle cx="1" cy="1" r="1" />
              </svg>
              {t(`dashboard:storage_${name}`)}
            </dt>
            <dd className="numbers">{storage[name] === null ? '—' : formatBytes(bytes)}</dd>
          </div>
        ))}
        {disk_free !== null && disk_total !== null && (
          <div className="flex items-center justify-between gap-4 py-2.5">
            <dt className="text-muted">{t('dashboard:diskFree')}</dt>
            <dd className="numbers">
              {formatBytes(disk_free)} ({formatPercent(disk_free / disk_total)})
            </dd>
          </div>
        )}
      </dl>
    </Subsection>
  )
}
