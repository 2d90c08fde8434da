/** Processes that share a database must have the same keys; otherwise they reject each other's tokens. */

import { fingerprintKeys } from '../../providers/keys.ts'
import { selectSettings, upsertSetting } from '../../queries/setting.ts'
import type { Deps } from '../deps.ts'

const FINGERPRINT_SETTING_KEY = 'keys_fingerprint'

/**
 * Throws when the keys of this process differ from the keys with which the database was used before. Only
 * PostgreSQL is checked, because several machines may share a PostgreSQL database.
 */
export async function requireSameKeys({ database, keys, now }: Deps): Promise<void> {
  if (database.kind === 'sqlite') return
  const fingerprint = fingerprintKeys(keys)
  const storedSetting = (await selectSettings(database.primary)).find(
    (row) => row.key === FINGERPRINT_SETTING_KEY,
  )
  if (!storedSetting) {
    await upsertSetting(database.primary, {
      key: FINGERPRINT_SETTING_KEY,
      value: JSON.stringify(fingerprint),
      updated_at: now(),
      updated_by: null,
    })
  } else if (JSON.parse(storedSetting.value) !== fingerprint) {
    throw new Error(
      `The keys of this process differ from those that this database was used with. Give every process the same KEYS_SECRET, or the same keys.json in DATA_DIR. To continue with the new keys (all users are signed out and all PINs must be set again), delete the row ${FINGERPRINT_SETTING_KEY} of the table setting.`,
    )
  }
}
