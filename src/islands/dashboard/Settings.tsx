import { lazy, Suspense } from 'react'
import type { Setting } from '../../lib/contract/admin.ts'
import { t } from '../../lib/i18n/t.ts'
import { getErrorMessageKey } from '../../lib/stores/admin/run-action.ts'
import { $settings, testConnection } from '../../lib/stores/admin/settings.ts'
import { SectionHeader, Subsection } from './kit/SectionHeader.tsx'
import { LoadError } from './kit/TableStates.tsx'
import { useStoreQuery } from './kit/use-store-query.ts'
import { ConnectionTest } from './system/ConnectionTest.tsx'
import { IdentityProviders } from './system/IdentityProviders.tsx'
import { Resolvers } from './system/Resolvers.tsx'
import { SettingRow } from './system/SettingRow.tsx'

const MediaServers = lazy(() =>
  import('./system/MediaServers.tsx').then((module) => ({ default: module.MediaServers })),
)
const SETTING_GROUPS = ['people', 'catalogue', 'playback', 'mail', 'backup', 'operation'] as const
/** The service that can be tested with the settings of a group. */
const TESTABLE_SERVICES_BY_GROUP: Partial<Record<Setting['group'], 'mail' | 'tmdb'>> = {
  catalogue: 'tmdb',
  mail: 'mail',
}

export default function Settings() {
  const { data: settingsReply, error, retry } = useStoreQuery($settings)
  return (
    <div className="flex flex-col gap-10">
      <SectionHeader title={t('dashboard:section_settings')} hint={t('dashboardsystem:settingsHint')} />
      {error && <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />}
      {!settingsReply && !error && (
        <div role="status" aria-label={t('common:loading')} className="skeleton h-96" />
      )}
      {SETTING_GROUPS.map((group) => {
        const groupSettings = settingsReply?.results.filter((setting) => setting.group === group) ?? []
        return (
          groupSettings.length > 0 && <SettingsGroup key={group} group={group} settings={groupSettings} />
        )
      })}
      <IdentityProviders />
      <Suspense fallback={<div role="status" aria-label={t('common:loading')} className="skeleton h-40" />}>
        <MediaServers />
      </Suspense>
      <Resolvers />
    </div>
  )
}

function SettingsGroup({ group, settings }: { group: Setting['group']; settings: readonly Setting[] }) {
  const testableService = TESTABLE_SERVICES_BY_GROUP[group]
  return (
    <Subsection title={t(`dashboardsystem:group_${group}`)}>
      <ul className="divide-y divide-line border-y border-line">
        {settings.map((setting) => (
          <li key={setting.key}>
            <SettingRow setting={setting} />
          </li>
        ))}
      </ul>
      {testableService && (
        <ConnectionTest
          label={t(testableService === 'mail' ? 'dashboardsystem:testMail' : 'dashboardsystem:testTmdb')}
          testService={() => testConnection(testableService)}
        />
      )}
    </Subsection>
  )
}
