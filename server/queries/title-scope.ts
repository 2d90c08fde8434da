/**
 * Base queries of the catalogue. Queries for a viewer start from `queryVisibleTitles`, so that they cannot skip the
 * visibility rules (architecture.md; security.md, decision 6).
 */
import { type RawBuilder, sql } from 'kysely'
import {
  GUIDE_KEYS,
  getGuideShift,
  getPackedLevel,
  listAgeRatingsUpTo,
} from '../../src/lib/rules/maturity.ts'
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'

/**
 * What a profile may see. Titles in `allowedIds` are visible regardless of the limits. Titles in `deniedIds` are never
 * visible.
 */
export interface AudienceRule {
  readonly kids: boolean
  /** Highest age rating in years; null without a limit. */
  readonly maxAge: number | null
  /** Limits of the parental guide, packed by rules/maturity.ts; 0 without limits. */
  readonly guideLimits: number
  readonly acceptsUnknownGuide: boolean
  readonly allowedIds: readonly number[]
  readonly deniedIds: readonly number[]
}

export const KIDS_RULE: AudienceRule = {
  kids: true,
  maxAge: null,
  guideLimits: 0,
  acceptsUnknownGuide: false,
  allowedIds: [],
  deniedIds: [],
}

const hasLimits = ({ kids, maxAge, guideLimits }: AudienceRule) =>
  kids || maxAge !== null || guideLimits !== 0

/**
 * The viewers for whom titles are selected. A title is visible when every rule allows it, so the audience of a group is
 * the intersection of the audiences of its members. Services get an audience from `services/auth/audience.ts`. The
 * constructor is private, so that every audience is created from rules (`ofRules`).
 */
export class Audience {
  /** Audience that sees all titles that are published and not blocked. */
  static readonly unrestricted = new Audience([])

  readonly rules: readonly AudienceRule[]
  /** Cache key of the audience. Audiences with the same rules have equal keys. */
  readonly key: string

  private constructor(rules: readonly AudienceRule[]) {
    this.rules = rules
    this.key = rules.length === 0 ? '' : JSON.stringify(rules)
  }

  /** Returns the audience that sees the titles allowed by all these rules. */
  static ofRules(rules: readonly AudienceRule[]): Audience {
    const effectiveRules = rules
      .filter((rule) => hasLimits(rule) || rule.deniedIds.length > 0)
      .map((rule) => ({
        ...rule,
        allowedIds: rule.allowedIds.toSorted((a, b) => a - b),
        deniedIds: rule.deniedIds.toSorted((a, b) => a - b),
      }))
    if (effectiveRules.length === 0) return Audience.unrestricted
    const rulesByKey = new Map(effectiveRules.map((rule) => [JSON.stringify(rule), rule]))
    return new Audience([...rulesByKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule))
  }

  get isRestricted(): boolean {
    return this.rules.length > 0
  }

  /** True when a kids profile, or a profile with an age limit or guide limits, watches alone or in a group. */
  get hasLimits(): boolean {
    return this.rules.some(hasLimits)
  }

  /** True when a kids profile watches, alone or in a group. */
  get isForKids(): boolean {
    return this.rules.some((rule) => rule.kids)
  }

  /** True when every visible title is safe for kids. */
  get isSafeForKids(): boolean {
    return this.rules.some((rule) => rule.kids && rule.allowedIds.length === 0)
  }

  /** True when the audience has no restriction, or only the kids rule. */
  get isKidsRuleOnly(): boolean {
    return this.rules.every(
      (rule) =>
        rule.kids &&
        rule.maxAge === null &&
        rule.guideLimits === 0 &&
        rule.allowedIds.length === 0 &&
        rule.deniedIds.length === 0,
    )
  }

  intersect(otherAudience: Audience): Audience {
    return Audience.ofRules([...this.rules, ...otherAudience.rules])
  }

  /**
   * Returns this audience without titles that are not safe for kids. The audience of a kids profile stays unchanged,
   * because a parent may have allowed other titles.
   */
  narrowToKids(): Audience {
    if (this.isForKids) return this
    return Audience.ofRules([...this.rules, KIDS_RULE])
  }
}

/** Titles that the audience may see: published, not blocked, and allowed by every rule of the audience. */
export function queryVisibleTitles(db: Db, audience: Audience) {
  let titleQuery = db.selectFrom('title').where('title.published', '=', 1).where('title.blocked', '=', 0)
  for (const rule of audience.rules)
    for (const condition of createRuleConditions(rule)) titleQuery = titleQuery.where(condition)
  return titleQuery
}

function createRuleConditions(rule: AudienceRule): RawBuilder<boolean>[] {
  const { allowedIds, deniedIds } = rule
  const joinIds = (ids: readonly number[]) => sql.join(padToPowerOfTwo([...ids]))
  const limitConditions = createLimitConditions(rule)
  const conditions: RawBuilder<boolean>[] = []
  if (allowedIds.length === 0) conditions.push(...limitConditions)
  else if (limitConditions.length > 0)
    conditions.push(
      sql<boolean>`(title.title_id in (${joinIds(allowedIds)}) or (${sql.join(limitConditions, sql` and `)}))`,
    )
  if (deniedIds.length > 0) conditions.push(sql<boolean>`title.title_id not in (${joinIds(deniedIds)})`)
  return conditions
}

function createLimitConditions({
  kids,
  maxAge,
  guideLimits,
  acceptsUnknownGuide,
}: AudienceRule): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  if (kids) conditions.push(sql<boolean>`title.safe_for_kids = 1`)
  if (maxAge !== null) conditions.push(sql<boolean>`title.rated in (${sql.join(listAgeRatingsUpTo(maxAge))})`)
  for (let index = 0; index < GUIDE_KEYS.length; index++) {
    const maxGuideLevel = getPackedLevel(guideLimits, index)
    if (maxGuideLevel === 0) continue
    const levelExpression = sql`((title.guide_levels >> ${sql.lit(getGuideShift(index))}) & 7)`
    conditions.push(
      sql<boolean>`${levelExpression} between ${sql.lit(acceptsUnknownGuide ? 0 : 1)} and ${sql.lit(maxGuideLevel)}`,
    )
  }
  return conditions
}

/**
 * Returns a subquery for `exists`. The subquery finds the title of a row of the surrounding query if the audience may
 * see this title. `titleIdColumn` is a column of the surrounding query, such as `notice.title_id`. The database looks
 * up one title by id for each row. With `in` and a subquery of all visible titles, the database would read the whole
 * catalogue.
 */
export function queryVisibleTitleOfRow(db: Db, audience: Audience, titleIdColumn: string) {
  return (
    queryVisibleTitles(db, audience)
      .select('title.title_id')
      .where(sql<boolean>`title.title_id = ${sql.ref(titleIdColumn)}`)
      // PostgreSQL turns `exists` into a join, which may read the whole catalogue, unless the query has an offset.
      .limit(1)
      .offset(0)
  )
}

/**
 * All titles that are not marked as deleted. Used without an audience: for administrators, internal indexes and library
 * matching.
 */
export function queryUndeletedTitles(db: Db) {
  return db.selectFrom('title').where('title.deleted_at', 'is', null)
}
