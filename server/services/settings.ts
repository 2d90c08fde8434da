/** Settings that an administrator changes while the product runs; each key has its schema and its normal value. */
import * as z from 'zod/mini'
import { LANGUAGES, MEDIA_QUALITIES } from '../../src/lib/rules/limits.ts'
import type { Db } from '../db/open.ts'
import { invalid, Problem } from '../problem.ts'
import { putSetting, settings } from '../queries/setting.ts'
import { audit } from './audit.ts'
import type { By } from './profiles.ts'

const KEYS = {
  default_language: { schema: z.enum(['en', 'fr', 'ar']), normal: 'en' },
  default_title_language: { schema: z.enum(LANGUAGES), normal: 'en' },
  default_media_quality: { schema: z.enum(MEDIA_QUALITIES), normal: 'auto' },
  invitation_days: { schema: z.int().check(z.minimum(1), z.maximum(30)), normal: 7 },
} as const
type SettingKey = keyof typeof KEYS

interface Setting {
  key: string
  value: unknown
  updated_at: string | null
}

export async function all({ deps }: Pick<By, 'deps'>): Promise<Setting[]> {
  const rows = new Map((await settings(deps.database.primary)).map((row) => [row.key, row]))
  return Object.entries(KEYS).map(([key, { normal }]) => {
    const row = rows.get(key)
    return {
      key,
      value: row ? (JSON.parse(row.value) as unknown) : normal,
      updated_at: row ? new Date(row.updated_at).toISOString() : null,
    }
  })
}

export async function one(by: Pick<By, 'deps'>, key: string): Promise<Setting> {
  const found = (await all(by)).find((setting) => setting.key === key)
  if (!found) throw new Problem('not_found')
  return found
}

export async function set({ deps, caller, request }: By, key: string, value: unknown): Promise<Setting> {
  if (!Object.hasOwn(KEYS, key)) throw invalid('key', 'unknown_setting')
  const parsed = z.safeParse(KEYS[key as SettingKey].schema, value)
  if (!parsed.success) throw invalid('value', parsed.error.issues[0]?.code ?? 'invalid')
  const now = deps.now()
  await deps.database.primary.transaction().execute(async (trx) => {
    await putSetting(trx, {
      key,
      value: JSON.stringify(parsed.data),
      updated_at: now,
      updated_by: caller.account.account_id,
    })
    await audit(
      trx,
      { now, request },
      {
        action: 'setting_change',
        target: key,
        accountId: caller.account.account_id,
        sid: caller.login.sid,
      },
    )
  })
  return { key, value: parsed.data, updated_at: new Date(now).toISOString() }
}

/** The value in force, typed by its key. */
export async function settingValue<K extends SettingKey>(
  db: Db,
  key: K,
): Promise<z.infer<(typeof KEYS)[K]['schema']>> {
  const row = (await settings(db)).find((one) => one.key === key)
  const { schema, normal } = KEYS[key]
  return z.parse(schema, row ? JSON.parse(row.value) : normal) as z.infer<(typeof KEYS)[K]['schema']>
}
