/** URLs of the title page and the watch page. */
import type { MediaCard } from '../../lib/contract/media.ts'
import type { ContinueCard } from '../../lib/contract/progress.ts'
import { getCurrentLocale } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'

export const getTitleHref = (title: Pick<MediaCard, 'type' | 'slug'>) =>
  href(title.type === 'movie' ? 'movie' : 'tvshow', getCurrentLocale(), { slug: title.slug })

/** Returns the season and episode parameters for `getPlayHref`; an empty object without an episode. */
export const toEpisodeParams = (
  nextEpisode:
    | Pick<NonNullable<ContinueCard['next_episode']>, 'season_number' | 'episode_number'>
    | null
    | undefined,
) => (nextEpisode ? { season: nextEpisode.season_number, episode: nextEpisode.episode_number } : {})

/**
 * Returns the URL of the player. If the title cannot be played here, returns the URL of the title page, which
 * explains why.
 */
export function getPlayHref(
  title: Pick<MediaCard, 'type' | 'slug' | 'available'>,
  episodeParams: { season?: number; episode?: number } = {},
): string {
  if (title.available === false) return getTitleHref(title)
  return href('watch', getCurrentLocale(), {
    query: { type: title.type, slug: title.slug, ...episodeParams, redirect: getTitleHref(title) },
  })
}
