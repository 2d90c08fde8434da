import type { SyntheticEvent } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { formatNames } from '../../lib/i18n/format-names.ts'
import { t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { openTitle } from './open-title.ts'
import { getTitleHref } from './title-urls.ts'

interface Props {
  title: MediaCard
  /** Shows the name and the year below the poster. */
  hasCaption?: boolean
  /** True if the caption states that the title is available in high quality. */
  isQualityShown?: boolean
  /**
   * Loads the image immediately instead of when it comes near the viewport. True for posters of the first
   * viewport.
   */
  isLoadedEagerly?: boolean
}

/** Poster that links to the title page. Its size is reserved before the image loads. */
export function Poster({
  title,
  hasCaption = false,
  isQualityShown = false,
  isLoadedEagerly = false,
}: Props) {
  return (
    <a
      data-card
      data-available={title.available}
      href={getTitleHref(title)}
      onPointerEnter={(event) => prepareCardPreview(event, title)}
      onFocus={(event) => prepareCardPreview(event, title)}
      onClick={() => openTitle(title)}
      className="group/card block rounded-md"
    >
      <span className="relative block aspect-2/3 overflow-hidden rounded-md bg-raised shadow-(--shadow-card) transition-transform duration-(--duration-slow) group-hover/card:scale-[1.03] group-focus-visible/card:scale-[1.03]">
        <img
          src={getImageUrl(title.poster_path, 'w342')}
          alt=""
          width="342"
          height="513"
          loading={isLoadedEagerly ? 'eager' : 'lazy'}
          decoding="async"
          className="size-full object-cover"
        />
        {/* The name of the link is text, because an attribute could not state the language of the title. */}
        <span className="sr-only">
          <span lang={title.title_lang}>{title.title}</span>
          {formatCardFacts(title)}
        </span>
      </span>
      {hasCaption && (
        <span aria-hidden className="mt-2 block">
          <bdi lang={title.title_lang} className="block truncate font-medium text-ink">
            {title.title}
          </bdi>
          <span className="numbers block text-sm text-muted">
            {title.year}
            {isQualityShown && title.high_quality && ` · ${t('common:uhd')}`}
          </span>
        </span>
      )}
    </a>
  )
}

/** Prepares the preview of a card that is hovered or focused. The first call loads preview-triggers.ts. */
export function prepareCardPreview(
  { currentTarget: cardElement, nativeEvent }: SyntheticEvent<HTMLElement>,
  title: MediaCard,
): void {
  void import('./preview-triggers.ts')
    .then(({ preparePreview }) => preparePreview(cardElement, title, nativeEvent))
    .catch(() => {})
}

/** Returns the facts that follow the title in the accessible name of a card: `, movie, 2024, 4K`. */
function formatCardFacts(title: MediaCard): string {
  return formatNames([
    '',
    ...[
      t(title.type === 'movie' ? 'common:film' : 'common:series'),
      title.year && String(title.year),
      title.high_quality && t('common:uhd'),
      title.available === false && t('common:notHere'),
    ].filter((fact): fact is string => Boolean(fact)),
  ])
}
