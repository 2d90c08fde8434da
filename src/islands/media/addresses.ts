/** Where a title's page is, and where it plays. */
import type { MediaCard } from '../../lib/contract/media.ts'
import type { ContinueCard } from '../../lib/contract/progress.ts'
import { currentLocale } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'

export const titleHref = (media: Pick<MediaCard, 'type' | 'slug'>) =>
  href(media.type === 'movie' ? 'movie' : 'tvshow', currentLocale(), { slug: media.slug })

/** For `playHref`; nothing where nothing is named. */
export const placeOf = (next: ContinueCard['next_episode'] | undefined) =>
  next ? { season: next.season_number, episode: next.episode_number } : {}

export function playHref(
  media: Pick<MediaCard, 'type' | 'slug'>,
  place: { season?: number; episode?: number } = {},
): string {
  return href('watch', currentLocale(), {
    query: { type: media.type, slug: media.slug, ...place, redirect: titleHref(media) },
  })
}
