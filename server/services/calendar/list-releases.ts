/** The calendar of a profile: releases of the titles that it follows. */
import { DAY_MS, toIsoDate } from '../../core/dates.ts'
import { createFieldProblem } from '../../core/problem.ts'
import { type ReleaseRow, selectNearestReleaseDates, selectReleases } from '../../queries/release.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import type { ProfileContext } from '../context.ts'
import type { Deps } from '../deps.ts'

const MAX_PERIOD_DAYS = 186
/**
 * Above this number of releases, the response omits the last day, unless it is the only day. The client requests the
 * omitted day separately.
 */
const MAX_RELEASES = 1_000

interface ReleasesQuery {
  from: string
  until: string
  type?: 'movie' | 'tv' | undefined
}

/**
 * Returns the releases of a period, and the nearest dates with releases before and after the period. When days of the
 * period are missing in the response, `next` is the first of these days (`omitIncompleteDay`). Throws 422 for a period
 * that is empty or longer than MAX_PERIOD_DAYS.
 */
export async function listReleases({ deps, caller }: ProfileContext, query: ReleasesQuery) {
  const dayCount = (Date.parse(query.until) - Date.parse(query.from)) / DAY_MS
  if (dayCount <= 0 || dayCount > MAX_PERIOD_DAYS) throw createFieldProblem('until', 'out_of_range')
  const { primary } = deps.database
  const filters = { ...query, profileId: caller.profile.profile_id }
  const [rows, nearestDates] = await Promise.all([
    selectReleases(primary, caller.audience, { ...filters, limit: MAX_RELEASES + 1 }),
    selectNearestReleaseDates(primary, caller.audience, filters),
  ])
  const { listedRows, nextDate } = omitIncompleteDay(rows, query.until)
  const cards = await loadReleaseCards(deps, caller.audience, listedRows, getTitleLanguage(caller))
  return {
    releases: listedRows.map((row) => ({
      date: row.date,
      media_id: String(row.title_id),
      season: row.season_number > 0 ? row.season_number : null,
      episode: row.season_number > 0 ? row.episode_number : null,
      episode_title: row.name,
      seen: row.seen === 1,
    })),
    titles: cards,
    previous: nearestDates.previous,
    next: nextDate ?? nearestDates.next,
  }
}

/**
 * If there are more than MAX_RELEASES rows, the last day may be incomplete. The last day is then omitted, and
 * `nextDate` is this day. If the last day is the only day, it is kept, and `nextDate` is the day after it, or null if
 * that day is not before `untilDate`. With at most MAX_RELEASES rows, no day is omitted, and `nextDate` is null.
 */
function omitIncompleteDay(
  rows: ReleaseRow[],
  untilDate: string,
): { listedRows: ReleaseRow[]; nextDate: string | null } {
  const lastDate = rows.at(-1)?.date
  if (rows.length <= MAX_RELEASES || lastDate === undefined) return { listedRows: rows, nextDate: null }
  const listedRows = rows.filter((row) => row.date !== lastDate)
  if (listedRows.length > 0) return { listedRows, nextDate: lastDate }
  const followingDate = toIsoDate(Date.parse(lastDate) + DAY_MS)
  return { listedRows: rows, nextDate: followingDate < untilDate ? followingDate : null }
}

/** Returns the cards of the titles of releases. */
export async function loadReleaseCards(
  deps: Deps,
  audience: Audience,
  rows: readonly ReleaseRow[],
  lang: string,
) {
  const titleIds = [...new Set(rows.map((row) => row.title_id))]
  return loadCards(deps, await selectTitlesByIds(deps.database.primary, audience, titleIds), lang)
}
