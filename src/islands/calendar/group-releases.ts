/** Groups releases by day. Episodes of a season that are released on the same day form one group. */

import type { Release } from '../../lib/contract/calendar.ts'
import { t } from '../../lib/i18n/t.ts'

/** Either one movie, or episodes of one season of a series, in the order of their numbers. */
export type ReleaseGroup = [first: Release, ...others: Release[]]

export function groupByDay(releases: readonly Release[]): { day: string; groups: ReleaseGroup[] }[] {
  return [...Map.groupBy(releases, (release) => release.date)].map(([day, dayReleases]) => ({
    day,
    groups: [
      ...Map.groupBy(dayReleases, (release) => `${release.media_id} ${release.season}`).values(),
    ] as ReleaseGroup[],
  }))
}

/** Returns `S2 E4` for one episode, `S2 E4 – E6` for several, and an empty text for a movie. */
export function formatEpisodes(group: ReleaseGroup): string {
  const [{ season, episode }] = group
  if (season === null || episode === null) return ''
  const lastEpisode = group.at(-1)?.episode ?? episode
  if (lastEpisode === episode) return t('common:episodeCode', { season, episode })
  return t('common:episodeRange', { season, first: episode, last: lastEpisode })
}

/**
 * Returns the title of the episode; null if the episode has no title, and for a movie. Also returns null if the group
 * has several episodes, or if spoilers are hidden and the episode is not seen.
 */
export function getEpisodeTitle(group: ReleaseGroup, areSpoilersHidden: boolean): string | null {
  const [firstRelease] = group
  if (group.length > 1 || (areSpoilersHidden && !firstRelease.seen)) return null
  return firstRelease.episode_title
}
