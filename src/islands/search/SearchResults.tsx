import { useStore } from '@nanostores/react'
import { memo, useDeferredValue } from 'react'
import { Search } from '../../icons/index.ts'
import type { SearchHit } from '../../lib/contract/search.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { href } from '../../lib/routes.ts'
import { $search, $searchType, selectHits } from '../../lib/stores/search.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PosterGridSkeleton } from '../browse/PosterGridSkeleton.tsx'
import { ErrorView } from '../ErrorView.tsx'
import { Name } from '../media/Name.tsx'
import { Poster } from '../media/Poster.tsx'
import { formatReason } from './format-facet.ts'
import { PopularTitles } from './SearchStart.tsx'

type TitleHit = Exclude<SearchHit, { kind: 'actor' }>
type Person = Extract<SearchHit, { kind: 'actor' }>['actor']

/**
 * Renders deferred values, so that typing and switching tabs stay responsive. If nothing was found, a message says so,
 * unless `isEmptyStateShown` is false: the page then shows or looks up titles that a child may ask for.
 */
export const SearchResults = memo(function SearchResults({
  isEmptyStateShown,
}: {
  isEmptyStateShown: boolean
}) {
  const search = useDeferredValue(useStore($search, { keys: ['reply', 'isOfflineReply', 'repliesByType'] }))
  const { hits, isLoading, error } = selectHits(search, useDeferredValue(useStore($searchType)))
  const { reply, isOfflineReply } = search
  if (error) return <ErrorView isInSection error={error} />
  if (isLoading) return <PosterGridSkeleton />
  if (!reply || (hits.length === 0 && !isEmptyStateShown)) return null
  if (hits.length === 0) {
    return (
      <>
        <EmptyState
          icon={<Search />}
          title={
            <>
              {t('searchpage:noResults')}{' '}
              <q>
                <Name text={reply.query} />
              </q>
            </>
          }
          hint={t(
            isOfflineReply
              ? 'searchpage:offlineResults'
              : reply.index_building
                ? 'searchpage:indexBuilding'
                : 'searchpage:noResultsHint',
          )}
        />
        <PopularTitles />
      </>
    )
  }
  const people = hits.flatMap((hit) => (hit.kind === 'actor' ? [hit.actor] : []))
  const titleHits = hits.flatMap((hit) => (hit.kind === 'actor' ? [] : [hit]))
  const isPersonFirst = hits[0]?.kind === 'actor'
  return (
    /*
     * The key changes with the query, so that React creates new cards. Cards that React reuses for other titles would
     * count as layout shift.
     */
    <div key={reply.query} className="flex flex-col gap-8">
      {isOfflineReply && <p className="text-muted">{t('searchpage:offlineResults')}</p>}
      {reply.index_building && <p className="text-muted">{t('searchpage:indexBuilding')}</p>}
      {isPersonFirst && <PeopleGrid people={people} />}
      {titleHits.length > 0 && <TitleGrid hits={titleHits} />}
      {people.length > 0 && !isPersonFirst && <PeopleGrid people={people} />}
    </div>
  )
})

function TitleGrid({ hits }: { hits: readonly TitleHit[] }) {
  return (
    <ul className="card-grid">
      {hits.map(({ media, reason }) => (
        <li key={media.id}>
          <Poster title={media} hasCaption />
          {reason && (
            <p className="text-xs text-muted wrap-anywhere">
              <bdi>{formatReason(reason)}</bdi>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function PeopleGrid({ people }: { people: readonly Person[] }) {
  return (
    <section aria-label={t('searchpage:people')}>
      <h2 className="mb-3 text-lg font-bold">{t('searchpage:people')}</h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {people.map((person) => (
          <li key={person.id}>
            <a
              href={href('actor', getCurrentLocale(), { slug: person.slug })}
              className="flex items-center gap-4 rounded-md p-2 hover:bg-raised"
            >
              <img
                src={getImageUrl(person.profile_path, 'w185')}
                alt=""
                width="64"
                height="64"
                loading="lazy"
                className="size-16 rounded-full bg-raised object-cover"
              />
              <span className="min-w-0">
                <Name text={person.name} className="block font-medium" />
                <span className="block text-sm text-muted">
                  {person.jobs?.map((job) => t(`jobs:${job}`)).join(' · ')}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
