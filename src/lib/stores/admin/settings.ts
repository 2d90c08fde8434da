import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { Setting } from '../../contract/admin.ts'
import * as admin from '../../contract/admin.ts'
import * as backups from '../../contract/admin-backups.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { writeOptimistically } from '../optimistic-writes.ts'
import { createReadStore, refetch } from '../query.ts'
import { $dashboardView } from './dashboard-view.ts'
import { runAdminAction, submitAdminForm } from './run-action.ts'

export const $settings = createReadStore(
  admin.listSettings,
  computed($dashboardView, ({ section }) => (section === 'settings' || section === 'backups' ? {} : null)),
)

/** Saves the value of a setting. Returns the key of a failure message, or null. */
export function saveSetting(setting: Setting, newValue: Setting['value']): Promise<TranslationKey | null> {
  const saveValue = async (savedValue: Setting['value']) => {
    // The server never returns a secret, so there is no value to display. The refetch shows whether a secret is set.
    const changedFields = setting.kind === 'secret' ? {} : { value: savedValue, is_set: savedValue !== '' }
    await writeOptimistically($settings, {
      applyChange: ({ results }) => ({
        results: results.map((listedSetting) =>
          listedSetting.key === setting.key ? { ...listedSetting, ...changedFields } : listedSetting,
        ),
      }),
      send: async () =>
        void (await callApi(admin.putSetting, { body: { key: setting.key, value: savedValue } })),
    })
    // The list of backups is refetched, because it contains the time of the next backup, which depends on a setting.
    refetch(admin.listSettings, backups.listBackups)
  }
  // Undo is not offered for a secret, because the server never returns its previous value. Undo is not offered for a
  // setting with `clears` either, because a change of that setting removes a secret.
  const undoChange = () => void runAdminAction('dashboard:undone', () => saveValue(setting.value))
  return submitAdminForm(
    'dashboardsystem:saved',
    () => saveValue(newValue),
    setting.kind === 'secret' || setting.clears !== null ? {} : { undo: undoChange },
  )
}

/** Lets the server test the mail service or TMDB with the current settings. Throws `ApiError`. */
export const testConnection = (service: 'mail' | 'tmdb') =>
  callApi(admin.testConnection, { params: { service } })
