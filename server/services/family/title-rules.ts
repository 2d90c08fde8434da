/** Titles that a profile may always or never see, regardless of its limits. */
import type { TitleRule } from '../../../src/lib/contract/family.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem } from '../../core/problem.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import {
  countOtherTitleRules,
  deleteTitleRule,
  selectRulesOfTitle,
  selectTitleRules,
  updateAudienceVersion,
  upsertTitleRule,
} from '../../queries/title-rule.ts'
import { loadAudience, loadProfilesAudience } from '../auth/audience.ts'
import { getTitleLanguage, type ProfileCaller, type Viewer } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { findVisibleTitle, parseId } from '../catalogue/titles.ts'
import type { ProfileContext, RequestContext, TitleRef, ViewerContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordProfileAuditEvent } from '../profiles/profiles.ts'

/**
 * Maximum number of title rules of a profile. Every request of the profile compares titles with these rules.
 */
const MAX_TITLE_RULES = 500

/**
 * Returns the caller with the audience of the acting profile and its group. The audience of the profile in the path is
 * ignored, because a parent can also set rules for titles outside that audience.
 */
async function loadViewerWithOwnAudience({ deps, caller }: ProfileContext): Promise<Viewer> {
  return { ...caller, audience: await loadAudience(deps, caller) }
}

export async function listTitleRules(context: ProfileContext) {
  const { deps } = context
  const viewer = await loadViewerWithOwnAudience(context)
  const rows = await selectTitleRules(deps.database.primary, context.caller.profile.profile_id, deps.now())
  const titles = await selectTitlesByIds(
    deps.database.reader,
    viewer.audience,
    rows.map((row) => row.title_id),
  )
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(viewer))
  return {
    results: rows.flatMap((row) => {
      const card = cardsById.get(row.title_id)
      return card
        ? [
            {
              rule: row.rule,
              media: card,
              created_at: toIsoTime(row.created_at),
              expires_at: toIsoTimeOrNull(row.expires_at),
            },
          ]
        : []
    }),
  }
}

/**
 * Stores the rule of a title, or removes it if `rule` is null. A rule without `expiresAt` does not expire.
 * Throws 404 for a title that the caller may not see, and 422 for too many rules or an expiry in the past.
 */
export async function changeTitleRule(
  context: RequestContext<ProfileCaller>,
  { type, mediaId }: TitleRef,
  rule: TitleRule | null,
  expiresAt?: string,
): Promise<{ rule: TitleRule | null }> {
  const { deps, caller } = context
  const { profile_id: profileId } = caller.profile
  const viewer = await loadViewerWithOwnAudience(context)
  const { title_id: titleId } = await findVisibleTitle(deps, viewer, type, { id: parseId(mediaId) })
  const expiresAtMs = expiresAt === undefined ? null : Date.parse(expiresAt)
  if (expiresAtMs !== null && expiresAtMs <= deps.now()) throw createFieldProblem('expires_at', 'past')
  await deps.database.primary.transaction().execute(async (trx) => {
    if (rule === null) await deleteTitleRule(trx, profileId, titleId)
    else {
      const otherRulesFilter = { profileId, excludedTitleId: titleId, nowMs: deps.now() }
      if ((await countOtherTitleRules(trx, otherRulesFilter)) >= MAX_TITLE_RULES)
        throw createFieldProblem('rule', 'too_many')
      await upsertTitleRule(trx, {
        profile_id: profileId,
        title_id: titleId,
        rule,
        created_at: deps.now(),
        expires_at: expiresAtMs,
      })
    }
    await updateAudienceVersion(trx, profileId, deps.now())
    await recordProfileAuditEvent(trx, context, 'profile_title_rule', profileId)
  })
  publishSharedEvent({ deps, caller }, 'profiles')
  return { rule }
}

/**
 * Returns for every profile of the account its rule for the title, and whether the profile may see the title. Throws
 * 404 when the caller may not see the title.
 */
export async function listRulesOfTitle({ deps, caller }: ViewerContext, mediaId: string) {
  const { title_id: titleId } = await findVisibleTitle(deps, caller, null, { id: parseId(mediaId) })
  const profileIds = caller.profiles.map((profile) => profile.profile_id)
  const rows = await selectRulesOfTitle(deps.database.primary, profileIds, titleId, deps.now())
  const rulesByProfileId = new Map(rows.map((row) => [row.profile_id, row.rule]))
  return {
    results: await Promise.all(
      caller.profiles.map(async (profile) => {
        const audience = await loadProfilesAudience(deps, [profile])
        const visibleTitles = await selectTitlesByIds(deps.database.primary, audience, [titleId])
        return {
          profile_id: profile.profile_id,
          rule: rulesByProfileId.get(profile.profile_id) ?? null,
          visible: visibleTitles.length > 0,
        }
      }),
    ),
  }
}
