import type { Setting } from '../../lib/contract/admin.ts'
import { t } from '../../lib/i18n/t.ts'
import { reasonOf } from '../../lib/stores/admin/act.ts'
import { $settings } from '../../lib/stores/admin/settings.ts'
import { Head, Part } from './kit/Head.tsx'
import { Failed } from './kit/Table.tsx'
import { useAnswer } from './kit/use-answer.ts'
import { SettingRow } from './system/SettingRow.tsx'

const GROUPS = ['people', 'catalogue', 'backup', 'operation'] as const

export default function Settings() {
  const { data, error, retry } = useAnswer($settings)
  return (
    <div className="flex flex-col gap-10">
      <Head title={t('dashboard:section_settings')} hint={t('dashboardsystem:settingsHint')} />
      {error && <Failed reason={t(reasonOf(error))} onRetry={retry} />}
      {!data && !error && <div role="status" aria-label={t('common:loading')} className="skeleton h-96" />}
      {GROUPS.map((group) => {
        const groupSettings = data?.results.filter((setting) => setting.group === group) ?? []
        return (
          groupSettings.length > 0 && <SettingsGroup key={group} group={group} settings={groupSettings} />
        )
      })}
    </div>
  )
}

function SettingsGroup({ group, settings }: { group: Setting['group']; settings: readonly Setting[] }) {
  return (
    <Part title={t(`dashboardsystem:group_${group}`)}>
      <ul className="divide-y divide-line border-y border-line">
        {settings.map((setting) => (
          <li key={setting.key}>
            <SettingRow setting={setting} />
          </li>
        ))}
      </ul>
    </Part>
  )
}
