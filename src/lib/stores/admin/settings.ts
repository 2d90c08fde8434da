import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { Setting } from '../../contract/admin.ts'
import * as admin from '../../contract/admin.ts'
import { createReadStore, refetch } from '../query.ts'
import { $dashboardView } from './dashboard-view.ts'
import { runAdminAction } from './run-action.ts'

export const $settings = createReadStore(
  admin.listSettings,
  computed($dashboardView, ({ section }) => (section === 'settings' || section === 'backups' ? {} : null)),
)

export function saveSetting(setting: Setting, value: Setting['value']): Promise<void> {
  const save = async (newValue: Setting['value']) => {
    await callApi(admin.putSetting, { body: { key: setting.key, value: newValue } })
    refetch(admin.listSettings)
  }
  // A secret has no Undo, because its previous value is not known here.
  const undo = () => void runAdminAction('dashboard:undone', () => save(setting.value))
  return runAdminAction('dashboardsystem:saved', () => save(value), setting.kind === 'secret' ? {} : { undo })
}

/** Tests a service with the current settings. Throws `ApiError`. */
export const testConnection = (service: 'mail' | 'tmdb') =>
  callApi(admin.testConnection, { params: { service } })
