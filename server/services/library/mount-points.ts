/**
 * Stores which mount points the media folder contains. A server that starts while a disk is not mounted therefore keeps
 * the library files of that disk. The mount points are one row of the table `setting`.
 */
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import type { Library } from '../../providers/library/library.ts'
import { selectSetting, upsertSetting } from '../../queries/setting.ts'
import type { Deps } from '../deps.ts'

/**
 * Key of the row in the table `setting`. The key is not in setting-definitions.ts, because only the server writes the
 * row, and no user can change it.
 */
const MOUNT_POINTS_KEY = 'library_mount_points'

/** Gives the library the mount points of earlier runs. Does nothing if none are stored yet. */
export async function loadMountPoints({ database }: Deps, library: Library): Promise<void> {
  const row = await selectSetting(database.primary, MOUNT_POINTS_KEY)
  if (row) library.setKnownMountPoints(new Map(JSON.parse(row.value) as [string, number][]))
}

/** Stores the mount points of the library if they have changed. */
export async function storeMountPoints({ database, now }: Deps, library: Library): Promise<void> {
  const mountPointsJson = JSON.stringify([...library.listMountPoints()])
  if ((await selectSetting(database.primary, MOUNT_POINTS_KEY))?.value === mountPointsJson) return
  const row = { key: MOUNT_POINTS_KEY, value: mountPointsJson, updated_at: now(), updated_by: null }
  await runOptionalWrite(() => upsertSetting(database.primary, row))
}
