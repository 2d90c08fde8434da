import type { MediaCard } from '../../lib/contract/media.ts'
import { currentLocale, t } from '../../lib/i18n/t.ts'
import { imageUrl } from '../../lib/images.ts'
import { href } from '../../lib/routes.ts'
import { lookAhead } from '../../lib/stores/media.ts'
import { openTitle } from './open-title.ts'

interface Props {
  media: MediaCard
  /** Title and year under the picture; rows go without. */
  caption?: boolean
  /** The first row's pictures are what the page is judged by. */
  eager?: boolean
  /** Why it is here. */
  reason?: string | undefined
}

export const titleHref = (media: Pick<MediaCard, 'type' | 'slug'>) =>
  href(media.type === 'movie' ? 'movie' : 'tvshow', currentLocale(), { slug: media.slug })

/** A title as a poster of reserved size in its own colour. */
export function Poster({ media, caption = false, eager = false, reason }: Props) {
  return (
    <a
      data-card
      href={titleHref(media)}
      onPointerEnter={() => lookAhead(media)}
      onFocus={() => lookAhead(media)}
      onClick={() => openTitle(media)}
      title={reason}
      className="group/card block rounded-md"
      aria-label={caption ? undefined : nameOf(media)}
    >
      <span className="relative block aspect-2/3 overflow-hidden rounded-md bg-raised shadow-(--shadow-card) transition-transform duration-(--duration-slow) group-hover/card:scale-[1.03] group-focus-visible/card:scale-[1.03]">
        <img
          src={imageUrl(media.poster_path, 'w342')}
          alt=""
          width="342"
          height="513"
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className="size-full object-cover"
        />
        {media.high_quality && (
          <span className="absolute end-1.5 top-1.5 rounded-sm bg-black/70 px-1.5 text-xs font-semibold text-white">
            {t('common:uhd')}
          </span>
        )}
      </span>
      {caption && (
        <span className="mt-2 block">
          <bdi className="clamp-1 block font-medium text-ink">{media.title}</bdi>
          <span className="numbers block text-sm text-muted">{media.year}</span>
        </span>
      )}
    </a>
  )
}

function nameOf(media: MediaCard): string {
  const name = media.year ? `${media.title} (${media.year})` : media.title
  return media.high_quality ? `${name}, ${t('common:uhd')}` : name
}
