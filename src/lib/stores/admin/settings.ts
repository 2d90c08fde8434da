import { computed } from 'nanostores'
import { call } from '../../client/call.ts'
import type { Setting } from '../../contract/admin.ts'
import * as admin from '../../contract/admin.ts'
import { read, refetch } from '../query.ts'
import { act } from './act.ts'
import { $view } from './view.ts'

export const $settings = read(
  admin.listSettings,
  computed($view, ({ section }) => (section === 'settings' || section === 'backups' ? {} : null)),
)

export function saveSetting(setting: Setting, value: Setting['value']): Promise<void> {
  const save = async (newValue: Setting['value']) => {
    await call(admin.putSetting, { body: { key: setting.key, value: newValue } })
    refetch(admin.listSettings)
  }
  return act('dashboardsystem:saved', () => save(value), {
    undo: () => void act('dashboard:undone', () => save(setting.value)),
  })
}
