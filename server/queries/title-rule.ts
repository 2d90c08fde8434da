/** Titles that a parent always or never shows to a profile, regardless of its limits (table `title_rule`). */
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type TitleRuleRow = Selectable<DatabaseSchema['title_rule']>

/** Returns the unexpired rules of a profile, latest first. */
export async function selectTitleRules(db: Db, profileId: string, nowMs: number): Promise<TitleRuleRow[]> {
  return db
    .selectFrom('title_rule')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .orderBy('created_at', 'desc')
    .orderBy('title_id', 'desc')
    .execute()
}

/** Returns the unexpired rules of several profiles for one title. */
export async function selectRulesOfTitle(
  db: Db,
  profileIds: readonly string[],
  titleId: number,
  nowMs: number,
): Promise<TitleRuleRow[]> {
  if (profileIds.length === 0) return []
  return db
    .selectFrom('title_rule')
    .selectAll()
    .where('profile_id', 'in', profileIds)
    .where('title_id', '=', titleId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .execute()
}

/** Returns the profiles that have a rule for a title, in a fixed order. */
export async function selectProfileIdsWithRule(db: Db, titleId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('title_rule')
    .select('profile_id')
    .where('title_id', '=', titleId)
    .orderBy('profile_id')
    .execute()
  return rows.map((row) => row.profile_id)
}

/** Returns the number of unexpired rules of a profile, without the rule for the title `excludedTitleId`. */
export async function countOtherTitleRules(
  db: Db,
  { profileId, excludedTitleId, nowMs }: { profileId: string; excludedTitleId: number; nowMs: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('title_rule')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('profile_id', '=', profileId)
    .where('title_id', '!=', excludedTitleId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Stores the rule of a title and replaces an earlier rule. Call `updateAudienceVersion` in the same transaction. */
export async function upsertTitleRule(db: Db, row: TitleRuleRow): Promise<void> {
  const { rule, created_at, expires_at } = row
  await db
    .insertInto('title_rule')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'title_id']).doUpdateSet({ rule, created_at, expires_at }),
    )
    .execute()
}

/** Deletes the rule of a title. Call `updateAudienceVersion` in the same transaction. */
export async function deleteTitleRule(db: Db, profileId: string, titleId: number): Promise<void> {
  await db
    .deleteFrom('title_rule')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .execute()
}

/**
 * Identifies the rule that the answer to a watch request has stored. A rule that a parent has stored in another way is
 * not found, because its `created_at` or its `expires_at` differs.
 */
export interface WatchRequestRule {
  profileId: string
  titleId: number
  answeredAtMs: number
  expiresAtMs: number | null
}

/**
 * Changes the expiry time of the rule that the answer to a watch request has stored. Returns false when the rule no
 * longer exists, or was replaced. Call `updateAudienceVersion` in the same transaction.
 */
export async function updateRequestRuleExpiry(
  db: Db,
  requestRule: WatchRequestRule,
  expiresAtMs: number,
): Promise<boolean> {
  const updateResult = await db
    .updateTable('title_rule')
    .set({ expires_at: expiresAtMs })
    .where(buildRequestRuleCondition(requestRule))
    .executeTakeFirst()
  return updateResult.numUpdatedRows > 0n
}

/**
 * Deletes the rule that the answer to a watch request has stored. Returns false when the rule no longer exists, or was
 * replaced. Call `updateAudienceVersion` in the same transaction.
 */
export async function deleteRequestRule(db: Db, requestRule: WatchRequestRule): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('title_rule')
    .where(buildRequestRuleCondition(requestRule))
    .executeTakeFirst()
  return deleteResult.numDeletedRows > 0n
}

const buildRequestRuleCondition =
  ({ profileId, titleId, answeredAtMs, expiresAtMs }: WatchRequestRule) =>
  (eb: ExpressionBuilder<DatabaseSchema, 'title_rule'>) =>
    eb.and([
      eb('profile_id', '=', profileId),
      eb('title_id', '=', titleId),
      eb('rule', '=', 'allow'),
      eb('created_at', '=', answeredAtMs),
      expiresAtMs === null ? eb('expires_at', 'is', null) : eb('expires_at', '=', expiresAtMs),
    ])

/**
 * Increments the audience version of a profile, so that all processes reload its cached rules. Also updates its number
 * of denied titles.
 */
export async function updateAudienceVersion(db: Db, profileId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('profile')
    .set((eb) => ({
      audience_version: eb('audience_version', '+', 1),
      denied_title_count: eb
        .selectFrom('title_rule')
        .select((ruleBuilder) => ruleBuilder.fn.countAll<number>().as('count'))
        .whereRef('title_rule.profile_id', '=', 'profile.profile_id')
        .where('title_rule.rule', '=', 'deny')
        .where((ruleBuilder) =>
          ruleBuilder.or([ruleBuilder('expires_at', 'is', null), ruleBuilder('expires_at', '>', nowMs)]),
        ),
    }))
    .where('profile_id', '=', profileId)
    .execute()
}

/** Deletes the rules that have expired, and updates the audience versions of their profiles. */
export async function deleteExpiredTitleRules(db: Db, nowMs: number): Promise<void> {
  const expiredRuleQuery = db.selectFrom('title_rule').select('profile_id').where('expires_at', '<=', nowMs)
  for (const { profile_id } of await expiredRuleQuery.distinct().execute())
    await updateAudienceVersion(db, profile_id, nowMs)
  await db.deleteFrom('title_rule').where('expires_at', '<=', nowMs).execute()
}
