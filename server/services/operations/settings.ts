/** Settings that an administrator changes at runtime. Each has a group, a kind and a default. */

import type { Setting } from '../../../src/lib/contract/admin.ts'
import { parseDecimal } from '../../../src/lib/contract/common-schemas.ts'
import { FALLBACK_LOCALE, LOCALES } from '../../../src/lib/i18n/locales.ts'
import { MEDIA_QUALITIES } from '../../../src/lib/rules/limits.ts'
import { TITLE_LANGUAGES } from '../../../src/lib/rules/title-options.ts'
import { toIsoTime } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { ENCODER_CHOICES } from '../../providers/ffmpeg/encoders.ts'
import { selectSetting, selectSettings, upsertSetting } from '../../queries/setting.ts'
import type { RequestContext } from '../context.ts'
import { recordCallerAction } from './audit.ts'

type ChoiceSetting = { kind: 'choice'; choices: readonly string[]; defaultValue: string }
type IntegerSetting = { kind: 'whole'; min: number; max: number; unit: Setting['unit']; defaultValue: number }
type FlagSetting = { kind: 'flag'; defaultValue: boolean }
type SettingDefinition = (ChoiceSetting | IntegerSetting | FlagSetting) & { group: Setting['group'] }

export const SETTINGS = {
  default_language: { group: 'people', kind: 'choice', choices: LOCALES, defaultValue: FALLBACK_LOCALE },
  default_title_language: {
    group: 'people',
    kind: 'choice',
    choices: TITLE_LANGUAGES,
    defaultValue: FALLBACK_LOCALE,
  },
  default_media_quality: { group: 'people', kind: 'choice', choices: MEDIA_QUALITIES, defaultValue: 'auto' },
  invitation_days: { group: 'people', kind: 'whole', min: 1, max: 30, unit: 'days', defaultValue: 7 },
  undo_seconds: { group: 'catalogue', kind: 'whole', min: 30, max: 600, unit: 'seconds', defaultValue: 600 },
  artwork_cache_megabytes: {
    group: 'catalogue',
    kind: 'whole',
    min: 50,
    max: 1_000_000,
    unit: 'megabytes',
    defaultValue: 2_000,
  },
  /** 0 disables scheduled backups. */
  backup_every_hours: { group: 'backup', kind: 'whole', min: 0, max: 720, unit: 'hours', defaultValue: 24 },
  backup_keep: { group: 'backup', kind: 'whole', min: 1, max: 100, unit: 'count', defaultValue: 7 },
  slow_query_ms: {
    group: 'operation',
    kind: 'whole',
    min: 1,
    max: 60_000,
    unit: 'milliseconds',
    defaultValue: 200,
  },
  /** 0 chooses by the number of processor cores. */
  conversion_limit: { group: 'playback', kind: 'whole', min: 0, max: 64, unit: 'count', defaultValue: 0 },
  conversion_max_quality: {
    group: 'playback',
    kind: 'choice',
    choices: ['480p', '720p', '1080p', '1440p', '2160p'],
    defaultValue: '1080p',
  },
  conversion_disk_megabytes: {
    group: 'playback',
    kind: 'whole',
    min: 200,
    max: 1_000_000,
    unit: 'megabytes',
    defaultValue: 4_000,
  },
  conversion_encoder: { group: 'playback', kind: 'choice', choices: ENCODER_CHOICES, defaultValue: 'auto' },
  audit_days: { group: 'operation', kind: 'whole', min: 30, max: 3_650, unit: 'days', defaultValue: 400 },
} as const satisfies Record<string, SettingDefinition>
type SettingKey = keyof typeof SETTINGS
/** Value type of a setting: one of its choices, a number or a boolean. */
type SettingValue<D> = D extends { choices: readonly (infer C)[] }
  ? C
  : D extends { kind: 'whole' }
    ? number
    : boolean

/** Returns the validated value; undefined when it is invalid. Numbers may arrive as text, because HTML forms submit text. */
function validateValue(definition: SettingDefinition, value: unknown): string | number | boolean | undefined {
  if (definition.kind === 'choice') return definition.choices.find((choice) => choice === value)
  if (definition.kind === 'flag') return typeof value === 'boolean' ? value : undefined
  const number = typeof value === 'string' ? parseDecimal(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined
  return number >= definition.min && number <= definition.max ? number : undefined
}

function toSetting(key: SettingKey, row: { value: string; updated_at: number } | undefined): Setting {
  const definition: SettingDefinition = SETTINGS[key]
  const integer = definition.kind === 'whole' ? definition : null
  return {
    key,
    value: getCurrentValue(definition, row),
    updated_at: row ? toIsoTime(row.updated_at) : null,
    group: definition.group,
    kind: definition.kind,
    default: definition.defaultValue,
    choices: definition.kind === 'choice' ? [...definition.choices] : null,
    min: integer?.min ?? null,
    max: integer?.max ?? null,
    unit: integer?.unit ?? null,
  }
}

/** Returns the current value. A stored value that is no longer valid, because an older version wrote it, is ignored. */
function getCurrentValue(
  definition: SettingDefinition,
  row: { value: string } | undefined,
): string | number | boolean {
  return (row && validateValue(definition, JSON.parse(row.value))) ?? definition.defaultValue
}

export async function listSettings({ deps }: Pick<RequestContext, 'deps'>): Promise<Setting[]> {
  const rows = new Map((await selectSettings(deps.database.primary)).map((row) => [row.key, row]))
  return (Object.keys(SETTINGS) as SettingKey[]).map((key) => toSetting(key, rows.get(key)))
}

export async function loadSetting(context: Pick<RequestContext, 'deps'>, key: string): Promise<Setting> {
  const matchingSetting = (await listSettings(context)).find((setting) => setting.key === key)
  if (!matchingSetting) throw new Problem('not_found')
  return matchingSetting
}

export async function changeSetting(context: RequestContext, key: string, value: unknown): Promise<Setting> {
  const { deps, caller } = context
  if (!Object.hasOwn(SETTINGS, key)) throw createFieldProblem('key', 'unknown_setting')
  const validValue = validateValue(SETTINGS[key as SettingKey], value)
  if (validValue === undefined) throw createFieldProblem('value', 'does_not_fit')
  const nowMs = deps.now()
  const text = JSON.stringify(validValue)
  await deps.database.primary.transaction().execute(async (trx) => {
    await upsertSetting(trx, {
      key,
      value: text,
      updated_at: nowMs,
      updated_by: caller.account.account_id,
    })
    await recordCallerAction(trx, context, { action: 'setting_change', target: key })
  })
  if (key === 'slow_query_ms' && deps.database.slowQueries)
    deps.database.slowQueries.thresholdMs = Number(validValue)
  return toSetting(key as SettingKey, { value: text, updated_at: nowMs })
}

/** Loads the current value of a setting, with the type that belongs to its key. */
export async function loadSettingValue<K extends SettingKey>(
  db: Db,
  key: K,
): Promise<SettingValue<(typeof SETTINGS)[K]>> {
  const row = await selectSetting(db, key)
  return getCurrentValue(SETTINGS[key], row) as SettingValue<(typeof SETTINGS)[K]>
}
