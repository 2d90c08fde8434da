import type { ReactNode } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { Row } from '../../ui/Row.tsx'
import { Poster } from './Poster.tsx'

interface Props<M extends MediaCard> {
  title: string
  memory: string
  results: readonly M[] | undefined
  /** Of the whole list. */
  seeAll?: string
  eager?: boolean
  /** What stands below a poster. */
  under?: (media: M) => ReactNode
}

/** A titled row of posters; while it loads, cards of the final size; without titles, nothing. */
export function PosterRow<M extends MediaCard>({
  title,
  memory,
  results,
  seeAll,
  eager = false,
  under,
}: Props<M>) {
  if (results && results.length === 0) return null
  const heading = (
    <>
      <h2 className="text-lg font-bold">{title}</h2>
      {seeAll && (
        <a
          data-see-all
          href={seeAll}
          className="relative shrink-0 text-sm text-muted after:absolute after:-inset-3 hover:text-accent"
        >
          {t('common:seeAll')}
        </a>
      )}
    </>
  )
  return (
    <Row
      title={heading}
      label={title}
      memory={memory}
      previousLabel={t('common:previous')}
      nextLabel={t('common:next')}
    >
      {results
        ? results.slice(0, isLite() ? 12 : undefined).map((media, at) => (
            <li key={`${media.type}${media.id}`}>
              <Poster media={media} eager={eager && at < 6} />
              {under?.(media)}
            </li>
          ))
        : PLACES.map((place) => (
            <li key={place} aria-hidden>
              <div className="skeleton aspect-2/3" />
            </li>
          ))}
    </Row>
  )
}
const isLite = () => 'lite' in document.documentElement.dataset
const PLACES = [0, 1, 2, 3, 4, 5, 6, 7]
