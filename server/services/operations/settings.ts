/** Lists and changes the settings of setting-definitions.ts. */

import type { Setting } from '../../../src/lib/contract/admin.ts'
import { toIsoTime } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { deleteSetting, selectSetting, selectSettings, upsertSetting } from '../../queries/setting.ts'
import { requireProviderIdentity } from '../auth/password-sign-in.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from './audit.ts'
import { SETTING_DEFINITIONS, type SettingDefinition, type SettingKey } from './setting-definitions.ts'
import {
  encodeSettingValue,
  getCurrentSettingValue,
  type SettingValue,
  validateSettingValue,
} from './setting-values.ts'
import { applyStoredConfiguration, findSettingVariable, readConfigValue } from './stored-configuration.ts'

export { SETTING_DEFINITIONS } from './setting-definitions.ts'

/** Type of the value of a setting: one of its choices, a number, a text or a boolean. */
type ValueOfSetting<D> = D extends { choices: readonly (infer C)[] }
  ? C
  : D extends { kind: 'integer' }
    ? number
    : D extends { kind: 'text' }
      ? string
      : boolean
/**
 * Keys that `loadSettingValue` accepts. Secrets are excluded, because they are read only as part of the
 * configuration.
 */
type NonSecretSettingKey = {
  [K in SettingKey]: (typeof SETTING_DEFINITIONS)[K] extends { kind: 'secret' } ? never : K
}[SettingKey]

type SettingRow = { value: string; updated_at: number }
type SettingRowsByKey = ReadonlyMap<string, SettingRow>

/** Returns the key of the stored secret that a change of the setting removes; null if no secret is stored. */
function findClearedSecret(
  { keys }: Deps,
  { clearedSecretKey }: SettingDefinition,
  rowsByKey: SettingRowsByKey,
): string | null {
  if (clearedSecretKey === undefined) return null
  const secret = getCurrentSettingValue(
    SETTING_DEFINITIONS[clearedSecretKey as SettingKey],
    rowsByKey.get(clearedSecretKey),
    keys,
  )
  return secret === '' ? null : clearedSecretKey
}

function toSetting(deps: Deps, key: SettingKey, rowsByKey: SettingRowsByKey): Setting {
  const { config, keys } = deps
  const row = rowsByKey.get(key)
  const definition: SettingDefinition = SETTING_DEFINITIONS[key]
  const integerDefinition = definition.kind === 'integer' ? definition : null
  const variable = findSettingVariable(config, definition)
  const isSetByEnvironment = variable !== null && variable === definition.variable
  const currentValue = isSetByEnvironment
    ? (readConfigValue(config, key) ?? definition.defaultValue)
    : getCurrentSettingValue(definition, row, keys)
  const isSecret = definition.kind === 'secret'
  return {
    key,
    value: isSecret ? '' : currentValue,
    is_set: currentValue !== '',
    updated_at: row ? toIsoTime(row.updated_at) : null,
    group: definition.group,
    kind: definition.kind,
    default: definition.defaultValue,
    choices: definition.kind === 'choice' ? [...definition.choices] : null,
    min: integerDefinition?.min ?? null,
    max: integerDefinition?.max ?? null,
    unit: integerDefinition?.unit ?? null,
    variable,
    clears: findClearedSecret(deps, definition, rowsByKey),
  }
}

export async function listSettings({ deps }: Pick<RequestContext, 'deps'>): Promise<Setting[]> {
  const rowsByKey = new Map((await selectSettings(deps.database.primary)).map((row) => [row.key, row]))
  return (Object.keys(SETTING_DEFINITIONS) as SettingKey[]).map((key) => toSetting(deps, key, rowsByKey))
}

export async function loadSetting(
  context: Pick<RequestContext, 'deps'>,
  settingKey: string,
): Promise<Setting> {
  const matchingSetting = (await listSettings(context)).find((setting) => setting.key === settingKey)
  if (!matchingSetting) throw new Problem('not_found')
  return matchingSetting
}

/**
 * Changes a setting. If the setting is the address of a server and the address changes, also deletes the secret for
 * this server (`clearedSecretKey`). Throws 422 for an unknown key or an invalid value. Throws 409 when an environment
 * variable prevents the change, or when an administrator whose account is not linked to an identity provider turns off
 * sign-in with passwords.
 */
export async function changeSetting(
  context: RequestContext,
  settingKey: string,
  value: unknown,
): Promise<Setting> {
  const { deps, caller } = context
  if (!Object.hasOwn(SETTING_DEFINITIONS, settingKey)) throw createFieldProblem('key', 'unknown_setting')
  const definition: SettingDefinition = SETTING_DEFINITIONS[settingKey as SettingKey]
  const validValue = validateSettingValue(definition, value)
  if (validValue === undefined) throw createFieldProblem('value', 'does_not_fit')
  if (findSettingVariable(deps.config, definition) !== null)
    throw new Problem('conflict', { errors: { setting: ['set_by_variable'] } })
  if (settingKey === 'password_sign_in' && validValue === false)
    await requireProviderIdentity(deps, caller.account)
  const encodedValue = encodeSettingValue(deps.keys, definition, validValue)
  await deps.database.primary.transaction().execute(async (trx) => {
    const isSecretKept =
      definition.clearedSecretKey === undefined ||
      isSameAddress(getCurrentSettingValue(definition, await selectSetting(trx, settingKey)), validValue)
    await upsertSetting(trx, {
      key: settingKey,
      value: encodedValue,
      updated_at: deps.now(),
      updated_by: caller.account.account_id,
    })
    if (definition.clearedSecretKey && !isSecretKept) await deleteSetting(trx, definition.clearedSecretKey)
    await recordCallerAction(trx, context, { action: 'setting_change', target: settingKey })
  })
  if (settingKey === 'slow_query_ms' && deps.database.slowQueries)
    deps.database.slowQueries.thresholdMs = Number(validValue)
  await applyStoredConfiguration(deps)
  deps.bus.publish('settings', { key: settingKey })
  return loadSetting(context, settingKey)
}

/** True when two addresses of a server are equal apart from trailing slashes. */
function isSameAddress(address: SettingValue, otherAddress: SettingValue): boolean {
  const normaliseAddress = (value: SettingValue) => String(value).replace(/\/+$/, '')
  return normaliseAddress(address) === normaliseAddress(otherAddress)
}

/** Loads the current value of a setting. The type of the result depends on `key`. */
export async function loadSettingValue<K extends NonSecretSettingKey>(
  db: Db,
  key: K,
): Promise<ValueOfSetting<(typeof SETTING_DEFINITIONS)[K]>> {
  const row = await selectSetting(db, key)
  return getCurrentSettingValue(SETTING_DEFINITIONS[key], row) as ValueOfSetting<
    (typeof SETTING_DEFINITIONS)[K]
  >
}
