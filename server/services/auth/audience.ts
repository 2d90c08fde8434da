/**
 * The audience of a caller: which titles its acting profile, or the group that watches, may see (security.md, decision
 * 5).
 */
import type { RequestInfo } from '../../core/request-info.ts'
import type { ActiveLogin } from '../../queries/caller.ts'
import type { AudienceProfile } from '../../queries/profile.ts'
import { selectTitleRules, type TitleRuleRow } from '../../queries/title-rule.ts'
import { Audience, type AudienceRule, KIDS_RULE } from '../../queries/title-scope.ts'
import type { Deps } from '../deps.ts'
import { resolveActingProfile } from './acting-profile.ts'
import type { Caller, Viewer } from './caller.ts'

/** Maximum number of profiles whose title rules are cached. */
const MAX_CACHED_PROFILES = 2_000
const NO_TITLE_RULES: readonly TitleRuleRow[] = []
const rulesCachesByDatabase = new WeakMap<
  Deps['database'],
  Map<string, { version: number; rows: TitleRuleRow[] }>
>()

/**
 * Returns the viewer of a login: the acting profile and its audience.
 * @throws Problem with status 403 when the request names a locked profile or a profile of another account.
 */
export async function resolveViewer(login: ActiveLogin, request: RequestInfo, deps: Deps): Promise<Viewer> {
  const caller = await resolveActingProfile(login, {}, request, deps)
  return { ...caller, audience: await loadAudience(deps, caller) }
}

/**
 * Returns the audience of the acting profile and of the group that watches with it. Without an acting profile,
 * the audience depends on the profiles that the device can enter. If one of these profiles is unrestricted, the
 * audience is unrestricted. Otherwise the audience has the kids rule and the audience rules of all these profiles.
 */
export async function loadAudience(
  deps: Deps,
  { acting: actingProfile, group: groupProfiles, profiles }: Pick<Caller, 'acting' | 'group' | 'profiles'>,
): Promise<Audience> {
  if (actingProfile) return loadProfilesAudience(deps, [actingProfile, ...groupProfiles])
  const enterableProfiles = profiles.filter((profile) => profile.enterable)
  const audiences = await Promise.all(
    enterableProfiles.map((profile) => loadProfilesAudience(deps, [profile])),
  )
  if (audiences.some((audience) => !audience.isRestricted)) return Audience.unrestricted
  return Audience.ofRules([KIDS_RULE, ...audiences.flatMap((audience) => audience.rules)])
}

/** Returns the audience that may see only the titles that all of these profiles may see. */
export async function loadProfilesAudience(
  deps: Pick<Deps, 'database' | 'now'>,
  profiles: readonly AudienceProfile[],
): Promise<Audience> {
  const rules = await Promise.all(profiles.map((profile) => loadAudienceRule(deps, profile)))
  return Audience.ofRules(rules)
}

async function loadAudienceRule(
  deps: Pick<Deps, 'database' | 'now'>,
  profile: AudienceProfile,
): Promise<AudienceRule> {
  const titleRules = profile.audience_version === 0 ? NO_TITLE_RULES : await loadTitleRules(deps, profile)
  const listTitleIds = (ruleKind: TitleRuleRow['rule']) =>
    titleRules.flatMap(({ rule, title_id }) => (rule === ruleKind ? [title_id] : []))
  return {
    kids: profile.kids === 1,
    maxAge: profile.max_age,
    guideLimits: profile.guide_limits,
    acceptsUnknownGuide: profile.accepts_unknown_guide === 1,
    allowedIds: listTitleIds('allow'),
    deniedIds: listTitleIds('deny'),
  }
}

/** Returns the unexpired title rules of a profile. They are cached until the audience version changes. */
async function loadTitleRules(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { profile_id: profileId, audience_version: version }: AudienceProfile,
): Promise<TitleRuleRow[]> {
  const nowMs = now()
  const rulesByProfileId =
    rulesCachesByDatabase.get(database) ?? new Map<string, { version: number; rows: TitleRuleRow[] }>()
  rulesCachesByDatabase.set(database, rulesByProfileId)
  const cachedRules = rulesByProfileId.get(profileId)
  const rows =
    cachedRules?.version === version
      ? cachedRules.rows
      : await selectTitleRules(database.primary, profileId, nowMs)
  if (rows !== cachedRules?.rows) {
    if (rulesByProfileId.size >= MAX_CACHED_PROFILES) rulesByProfileId.clear()
    rulesByProfileId.set(profileId, { version, rows })
  }
  return rows.filter((row) => row.expires_at === null || row.expires_at > nowMs)
}
