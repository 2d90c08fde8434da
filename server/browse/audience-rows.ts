/**
 * Collects the rows (one per title) that an audience with limits may see. Each rule of the audience takes one pass over
 * the columns.
 */
import {
  isGuideWithinLimits,
  listAgeRatingsUpTo,
  PACKED_GUIDE_VALUE_COUNT,
} from '../../src/lib/rules/maturity.ts'
import { type BrowseColumns, SAFE_FOR_KIDS_FLAG } from './columns.ts'
import { RowSet } from './row-set.ts'
import type { BrowseAudienceRule } from './types.ts'

/**
 * Returns the rows that every rule allows, even if their titles are unpublished, blocked or deleted. Throws RangeError
 * when `rules` is empty.
 */
export function collectAudienceRows(columns: BrowseColumns, rules: readonly BrowseAudienceRule[]): RowSet {
  const [firstRule, ...otherRules] = rules
  if (!firstRule) throw new RangeError('an audience without rules restricts nothing')
  const rows = collectRowsOfRule(columns, firstRule)
  for (const rule of otherRules) rows.intersect(collectRowsOfRule(columns, rule))
  return rows
}

function collectRowsOfRule(columns: BrowseColumns, rule: BrowseAudienceRule): RowSet {
  const { rowCount, flags, ageRatings, guides } = columns
  const rows = new RowSet(rowCount)
  const requiredFlags = rule.kids ? SAFE_FOR_KIDS_FLAG : 0
  const ageTable = createAgeTable(columns, rule.maxAge)
  const guideTable = createGuideTable(rule.guideLimits, rule.acceptsUnknownGuide)
  for (let row = 0; row < rowCount; row++) {
    const isWithinLimits =
      ((flags[row] as number) & requiredFlags) === requiredFlags &&
      ageTable[ageRatings[row] as number] === 1 &&
      guideTable[guides[row] as number] === 1
    if (isWithinLimits) rows.add(row)
  }
  for (const id of rule.allowedIds) {
    const row = columns.findRow(id)
    if (row !== undefined) rows.add(row)
  }
  for (const id of rule.deniedIds) {
    const row = columns.findRow(id)
    if (row !== undefined) rows.remove(row)
  }
  return rows
}

/**
 * Returns an array whose index is the code of an age rating. The value is 1 for an age rating within the limit, else 0.
 * Titles without an age rating have code 0, which is allowed only when `maxAge` is null.
 */
function createAgeTable({ ageRatingCodes }: BrowseColumns, maxAge: number | null): Uint8Array {
  const isAllowedByAgeCode = new Uint8Array(65_536)
  if (maxAge === null) return isAllowedByAgeCode.fill(1)
  for (const ageRating of listAgeRatingsUpTo(maxAge)) {
    const ageCode = ageRatingCodes.findCode(ageRating)
    if (ageCode !== undefined) isAllowedByAgeCode[ageCode] = 1
  }
  return isAllowedByAgeCode
}

/**
 * Returns an array whose index is a packed parental guide. The value is 1 for a guide within the limits, else 0. Unless
 * `acceptsUnknown` is true, an unknown severity exceeds every limit.
 */
export function createGuideTable(guideLimits: number, acceptsUnknown: boolean): Uint8Array {
  const isAllowedByGuide = new Uint8Array(PACKED_GUIDE_VALUE_COUNT)
  if (guideLimits === 0) return isAllowedByGuide.fill(1)
  for (let guide = 0; guide < PACKED_GUIDE_VALUE_COUNT; guide++)
    if (isGuideWithinLimits(guide, guideLimits, acceptsUnknown)) isAllowedByGuide[guide] = 1
  return isAllowedByGuide
}
