/** Processes of one database must have the same keys, or each would sign out whom another signed in. */
import type { Deps } from '../deps.ts'
import { fingerprintOf } from '../providers/keys.ts'
import { putSetting, settings } from '../queries/setting.ts'

const KEY = 'keys_fingerprint'

/** On PostgreSQL, which several machines may share. Throws in plain words when this process has other keys than the rest. */
export async function requireSameKeys({ database, keys, now }: Deps): Promise<void> {
  if (database.kind === 'sqlite') return
  const mine = fingerprintOf(keys)
  const found = (await settings(database.primary)).find((row) => row.key === KEY)
  if (!found) {
    await putSetting(database.primary, {
      key: KEY,
      value: JSON.stringify(mine),
      updated_at: now(),
      updated_by: null,
    })
  } else if (JSON.parse(found.value) !== mine) {
    throw new Error(
      `The keys here are not those that this database was used with. Give every process the same KEYS_SECRET, or the same keys.json in DATA_DIR. To go on with these (everybody is signed out, PINs are set anew): delete the row ${KEY} of the table setting.`,
    )
  }
}
