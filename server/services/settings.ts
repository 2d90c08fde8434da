/** Settings that an administrator changes while the product runs: each has its group, its kind and its normal value. */
import type { Setting } from '../../src/lib/contract/admin.ts'
import { INTERFACE_LANGUAGES, LANGUAGES, MEDIA_QUALITIES } from '../../src/lib/rules/limits.ts'
import type { Db } from '../db/open.ts'
import { invalid, Problem } from '../problem.ts'
import { putSetting, setting, settings } from '../queries/setting.ts'
import { audit } from './audit.ts'
import type { RequestContext } from './context.ts'

type Choice = { kind: 'choice'; choices: readonly string[]; normal: string }
type Whole = { kind: 'whole'; min: number; max: number; unit: Setting['unit']; normal: number }
type Flag = { kind: 'flag'; normal: boolean }
type Described = (Choice | Whole | Flag) & { group: Setting['group'] }

const KEYS = {
  default_language: { group: 'people', kind: 'choice', choices: INTERFACE_LANGUAGES, normal: 'en' },
  default_title_language: { group: 'people', kind: 'choice', choices: LANGUAGES, normal: 'en' },
  default_media_quality: { group: 'people', kind: 'choice', choices: MEDIA_QUALITIES, normal: 'auto' },
  invitation_days: { group: 'people', kind: 'whole', min: 1, max: 30, unit: 'days', normal: 7 },
  undo_seconds: { group: 'catalogue', kind: 'whole', min: 30, max: 600, unit: 'seconds', normal: 600 },
  /** 0 turns the schedule off. */
  backup_every_hours: { group: 'backup', kind: 'whole', min: 0, max: 720, unit: 'hours', normal: 24 },
  backup_keep: { group: 'backup', kind: 'whole', min: 1, max: 100, unit: 'count', normal: 7 },
  slow_query_ms: {
    group: 'operation',
    kind: 'whole',
    min: 1,
    max: 60_000,
    unit: 'milliseconds',
    normal: 200,
  },
  audit_days: { group: 'operation', kind: 'whole', min: 30, max: 3_650, unit: 'days', normal: 400 },
} as const satisfies Record<string, Described>
type SettingKey = keyof typeof KEYS
/** Of a choice, one of its choices; else a number or a flag. */
type ValueOf<D> = D extends { choices: readonly (infer C)[] }
  ? C
  : D extends { kind: 'whole' }
    ? number
    : boolean

/** What fits, or undefined. Forms carry text only, so a number may come as one. */
function fitting(described: Described, value: unknown): string | number | boolean | undefined {
  if (described.kind === 'choice') return described.choices.find((one) => one === value)
  if (described.kind === 'flag') return typeof value === 'boolean' ? value : undefined
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof given !== 'number' || !Number.isInteger(given)) return undefined
  return given >= described.min && given <= described.max ? given : undefined
}

function settingOf(key: SettingKey, row: { value: string; updated_at: number } | undefined): Setting {
  const described: Described = KEYS[key]
  const whole = described.kind === 'whole' ? described : null
  return {
    key,
    value: valueIn(described, row),
    updated_at: row ? new Date(row.updated_at).toISOString() : null,
    group: described.group,
    kind: described.kind,
    default: described.normal,
    choices: described.kind === 'choice' ? [...described.choices] : null,
    min: whole?.min ?? null,
    max: whole?.max ?? null,
    unit: whole?.unit ?? null,
  }
}

/** A stored value that no longer fits (an older version wrote it) counts as not set. */
function valueIn(described: Described, row: { value: string } | undefined): string | number | boolean {
  return (row && fitting(described, JSON.parse(row.value))) ?? described.normal
}

export async function all({ deps }: Pick<RequestContext, 'deps'>): Promise<Setting[]> {
  const rows = new Map((await settings(deps.database.primary)).map((row) => [row.key, row]))
  return (Object.keys(KEYS) as SettingKey[]).map((key) => settingOf(key, rows.get(key)))
}

export async function one(context: Pick<RequestContext, 'deps'>, key: string): Promise<Setting> {
  const found = (await all(context)).find((known) => known.key === key)
  if (!found) throw new Problem('not_found')
  return found
}

export async function set(
  { deps, caller, request }: RequestContext,
  key: string,
  value: unknown,
): Promise<Setting> {
  if (!Object.hasOwn(KEYS, key)) throw invalid('key', 'unknown_setting')
  const given = fitting(KEYS[key as SettingKey], value)
  if (given === undefined) throw invalid('value', 'does_not_fit')
  const now = deps.now()
  const text = JSON.stringify(given)
  await deps.database.primary.transaction().execute(async (trx) => {
    await putSetting(trx, {
      key,
      value: text,
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
  if (key === 'slow_query_ms' && deps.database.watch) deps.database.watch.slowMs = Number(given)
  return settingOf(key as SettingKey, { value: text, updated_at: now })
}

/** The value in force, typed by its key. */
export async function settingValue<K extends SettingKey>(db: Db, key: K): Promise<ValueOf<(typeof KEYS)[K]>> {
  const row = await setting(db, key)
  return valueIn(KEYS[key], row) as ValueOf<(typeof KEYS)[K]>
}
