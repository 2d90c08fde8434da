/** Shows parents what a profile watched and searched for (decision record 40). */
import { getLocalTime } from '../../../src/lib/rules/local-time.ts'
import { getProgressPercentage } from '../../../src/lib/rules/progress.ts'
import { DAY_MS, toIsoTime } from '../../core/dates.ts'
import { selectLatestProgress, selectSearches } from '../../queries/family-activity.ts'
import { selectFamilySetting } from '../../queries/family-setting.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { selectViewingDays } from '../../queries/viewing-time.ts'
import { loadAudience } from '../auth/audience.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { ProfileContext } from '../context.ts'
import type { Deps } from '../deps.ts'

const ACTIVITY_DAYS = 90
const MAX_LISTED_ROWS = 50
const MINUTE_MS = 60_000

/** Returns the activity of the profile in the path. Only titles that the parent may see are included. */
export async function loadProfileActivity({ deps, caller }: ProfileContext) {
  await deps.searchRecorder.write()
  const { primary, reader } = deps.database
  const profileId = caller.profile.profile_id
  const sinceMs = deps.now() - ACTIVITY_DAYS * DAY_MS
  const familySetting = await selectFamilySetting(primary, caller.account.account_id)
  const timeZone = familySetting?.time_zone ?? 'UTC'
  const viewingDays = await selectViewingDays(primary, profileId, getLocalTime(sinceMs, timeZone).day)
  const searches = await selectSearches(primary, { profileId, sinceMs, limit: MAX_LISTED_ROWS })
  const progressRows = await selectLatestProgress(primary, { profileId, sinceMs, limit: MAX_LISTED_ROWS })
  const titleIds = [...new Set(progressRows.map((row) => row.title_id))]
  const titles = await selectTitlesByIds(reader, await loadAudience(deps, caller), titleIds)
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  return {
    today: getLocalTime(deps.now(), timeZone).day,
    days: viewingDays.map(({ day, played_ms }) => ({ day, minutes: Math.round(played_ms / MINUTE_MS) })),
    watched: progressRows.flatMap((row) => {
      const card = cardsById.get(row.title_id)
      if (!card) return []
      const isSeries = card.type === 'tv'
      return [
        {
          media: card,
          season: isSeries ? row.season_number : null,
          episode: isSeries ? row.episode_number : null,
          percentage: getProgressPercentage(row.progress, row.duration),
          watched_at: toIsoTime(row.updated_at),
        },
      ]
    }),
    searches: searches.map(({ query, searched_at }) => ({ query, searched_at: toIsoTime(searched_at) })),
  }
}

/** Records a search of a kids profile for its parents. Searches of other profiles are not recorded. */
export function recordKidsSearch(
  { searchRecorder, now }: Deps,
  { acting: actingProfile }: Viewer,
  query: string,
): void {
  if (actingProfile?.kids === 1)
    searchRecorder.record({ profileId: actingProfile.profile_id, query, nowMs: now() })
}
