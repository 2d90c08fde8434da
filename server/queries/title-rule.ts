/** Titles that a profile may always or never see, regardless of its limits (table `title_rule`). */
import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type TitleRuleRow = Selectable<DatabaseSchema['title_rule']>

/** Returns the rules of a profile that have not expired, latest first. */
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

/** Returns the rules of several profiles for one title. */
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

export async function countTitleRules(db: Db, profileId: string): Promise<number> {
  const { count } = await db
    .selectFrom('title_rule')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('profile_id', '=', profileId)
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

/** Records that the rules of a profile have changed, so that no process uses cached rules. */
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

/** Deletes rules that have expired. */
export async function deleteExpiredTitleRules(db: Db, nowMs: number): Promise<void> {
  const expiredRuleQuery = db.selectFrom('title_rule').select('profile_id').where('expires_at', '<=', nowMs)
  for (const { profile_id } of await expiredRuleQuery.distinct().execute())
    await updateAudienceVersion(db, profile_id, nowMs)
  await db.deleteFrom('title_rule').where('expires_at', '<=', nowMs).execute()
}
