import type { ReactNode } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { onProfileReset } from '../../lib/stores/per-profile.ts'
import type { ReadState } from '../../lib/stores/query.ts'
import { CardRow, clearRowPositions } from '../../ui/CardRow.tsx'
import { Poster } from './Poster.tsx'

onProfileReset(clearRowPositions)

interface Props<TitleCard extends MediaCard> {
  heading: string
  scrollKey: string
  titles?: readonly TitleCard[] | undefined
  /** URL of the page that lists all titles of the row. */
  seeAllHref?: string
  isLoadedEagerly?: boolean
  /** Menu in the heading of the row. */
  menu?: ReactNode
  /**
   * Renders the content below a poster. Without a title, renders the content below a placeholder, which must have the
   * same height.
   */
  renderBelowPoster?: (title?: TitleCard) => ReactNode
}

/**
 * Row of posters with a heading. Shows placeholders while `titles` is undefined. Renders nothing if `titles` is
 * empty.
 */
export function PosterRow<TitleCard extends MediaCard>({
  heading,
  scrollKey,
  titles,
  seeAllHref,
  isLoadedEagerly = false,
  menu,
  renderBelowPoster,
}: Props<TitleCard>) {
  if (titles && titles.length === 0) return null
  const headingContent = (
    <>
      <h2 className="text-lg font-bold wrap-anywhere">{heading}</h2>
      {seeAllHref && (
        <a
          data-see-all
          href={seeAllHref}
          className="relative shrink-0 text-sm text-muted after:absolute after:-inset-3 hover:text-accent"
        >
          {t('common:seeAll')}
        </a>
      )}
      {menu}
    </>
  )
  return (
    <CardRow
      title={headingContent}
      label={heading}
      scrollKey={scrollKey}
      previousLabel={t('common:previous')}
      nextLabel={t('common:next')}
    >
      {titles
        ? titles.slice(0, isLiteMode() ? 12 : undefined).map((title, index) => (
            <li key={`${title.type}${title.id}`}>
              <Poster title={title} isLoadedEagerly={isLoadedEagerly && index < 6} />
              {renderBelowPoster?.(title)}
            </li>
          ))
        : SKELETON_INDEXES.map((index) => (
            <li key={index} aria-hidden>
              <div className="skeleton aspect-2/3" />
              {renderBelowPoster?.()}
            </li>
          ))}
    </CardRow>
  )
}

/** Returns the titles of a row. They are undefined while loading, and empty after a failure, which hides the row. */
export const getRowTitles = <TitleCard extends MediaCard>({
  data,
  error,
}: ReadState<{ results: TitleCard[] }>): readonly TitleCard[] | undefined =>
  data?.results ?? (error ? [] : undefined)
const isLiteMode = () => 'lite' in document.documentElement.dataset
const SKELETON_INDEXES = [0, 1, 2, 3, 4, 5, 6, 7]
