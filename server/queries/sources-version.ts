/** The version of the playable sources: all files of the media folder and all items of media servers. */
import type { Db } from '../db/database.ts'
import { selectSetting, upsertSetting } from './setting.ts'

const SOURCES_VERSION_SETTING_KEY = 'sources_version'

/** Returns a text that changes with every committed change of files or items; empty before the first change. */
export async function selectSourcesVersion(db: Db): Promise<string> {
  return (await selectSetting(db, SOURCES_VERSION_SETTING_KEY))?.value ?? ''
}

/**
 * Stores `version`, which must differ from all earlier versions. Call it in the transaction that changes files or
 * items.
 */
export async function updateSourcesVersion(db: Db, version: string, nowMs: number): Promise<void> {
  const value = JSON.stringify(version)
  await upsertSetting(db, { key: SOURCES_VERSION_SETTING_KEY, value, updated_at: nowMs, updated_by: null })
}
