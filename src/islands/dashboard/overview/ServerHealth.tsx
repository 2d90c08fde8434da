import type { DashboardOverview } from '../../../lib/contract/admin-overview.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { formatBytes, formatDurationSeconds } from '../kit/formatters.ts'
import { Subsection } from '../kit/SectionHeader.tsx'
import { StatusBadge } from '../kit/StatusBadge.tsx'

const SERVICES = ['mail', 'cloudflare', 'redis', 'tmdb', 'metrics'] as const
const DATABASE_NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** Facts about the server, such as version and memory use, and for each service whether it is on. */
export function ServerHealth({ overview: { health, audit } }: { overview: DashboardOverview }) {
  const factRows: [string, string][] = [
    [t('dashboard:version'), health.version],
    [t('dashboard:database'), DATABASE_NAMES[health.database]],
    [t('dashboard:uptime'), formatDurationSeconds(health.uptime_seconds)],
    [t('dashboard:memory'), formatBytes(health.memory_bytes)],
    [
      t('dashboard:delay'),
      formatNumber(health.event_loop_ms, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 }),
    ],
    [
      t('dashboard:auditLog'),
      audit.events === null
        ? t('dashboard:auditChecking')
        : t('dashboard:auditEvents', { count: audit.events }),
    ],
  ]
  return (
    <Subsection title={t('dashboard:health')}>
      <dl className="divide-y divide-line text-sm">
        {factRows.map(([label, value]) => (
          <div key={label} className="flex items-center justify-between gap-4 py-2.5">
            <dt className="text-muted">{label}</dt>
            <dd className="numbers text-end">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
        <div className="flex flex-wrap items-center justify-between gap-4 py-2.5">
          <dt className="text-muted">{t('dashboard:services')}</dt>
          <dd className="flex flex-wrap gap-2">
            {SERVICES.map((service) => (
              <StatusBadge key={service} tone={health[service] ? 'good' : 'off'}>
                {t(`dashboard:service_${service}`)}
                <span className="sr-only">{t(health[service] ? 'dashboard:isOn' : 'dashboard:isOff')}</span>
              </StatusBadge>
            ))}
          </dd>
        </div>
      </dl>
    </Subsection>
  )
}
