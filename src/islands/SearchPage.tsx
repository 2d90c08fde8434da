import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'
import { useStore } from '@nanostores/react'
import { lazy, Suspense, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Search, X } from '../icons/index.ts'
import { formatNames } from '../lib/i18n/format-names.ts'
import { t } from '../lib/i18n/t.ts'
import type { SearchReply } from '../lib/stores/offline-search.ts'
import { $profile } from '../lib/stores/profile.ts'
import {
  $isSearchLimitedToAvailable,
  $recentSearches,
  $search,
  $searchType,
  openSearch,
  type SearchType,
  setSearchLimitedToAvailable,
  setSearchQuery,
  setSearchType,
  storeRecentSearch,
} from '../lib/stores/search.ts'
import { waitForPaint } from '../lib/wait-for-paint.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { Toolbar } from '../ui/Toolbar.tsx'
import { PosterGridSkeleton } from './browse/PosterGridSkeleton.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { isInRemoteControlMode } from './navigation-state.ts'
import { FacetChips } from './search/FacetChips.tsx'
import { SearchResults } from './search/SearchResults.tsx'
import { SearchStart } from './search/SearchStart.tsx'

const AskToWatch = lazy(() => import('./search/AskToWatch.tsx'))
const SearchGuideFilter = lazy(() => import('./search/SearchGuideFilter.tsx'))

/**
 * True if Back or Forward led to this page. The link that the user followed from this page earlier then gets the focus
 * instead of the search field.
 */
let isReachedByTraversal = false
document.addEventListener('astro:before-preparation', (event) => {
  isReachedByTraversal = (event as TransitionBeforePreparationEvent).navigationType === 'traverse'
})

export default function SearchPage() {
  return (
    <GuardedPage>
      <SearchView />
    </GuardedPage>
  )
}

function SearchView() {
  const { query, reply, error } = useStore($search)
  const profile = useStore($profile)
  const type = useStore($searchType)
  const recentQueries = useStore($recentSearches)
  const inputRef = useRef<HTMLInputElement>(null)
  const [askableCount, setAskableCount] = useState<number | null>(null)
  const [initialQuery] = useState(() => new URLSearchParams(location.search).get('q'))
  /* A layout effect sets the query before the first paint. Otherwise the start view would be visible for a moment. */
  useLayoutEffect(() => {
    openSearch(location.search)
  }, [])
  useEffect(() => {
    if (!isReachedByTraversal) inputRef.current?.focus()
  }, [])
  /*
   * The query that the Clear button removes. The field already appears empty while the results of this query are still
   * displayed. Null at all other times.
   */
  const [clearedQuery, setClearedQuery] = useState<string | null>(null)
  const shownQuery = query === clearedQuery ? '' : query
  // The reply and the controls are deferred, so that the first typed character, and the empty field after Clear, are
  // drawn at once. For the query in the URL, the controls are visible at once, so that they do not shift the results
  // when they appear.
  const shownReply = useDeferredValue(query === '' ? null : reply)
  const hasQuery = useDeferredValue(query !== '')
  const areControlsShown = hasQuery || (query !== '' && query === initialQuery)
  const hasReply = shownReply !== null
  const countsByType = shownReply?.counts
  const tabs = (
    [
      ['all', 'common:all'],
      ['movie', 'common:movies'],
      ['tv', 'common:tvShows'],
      ['actor', 'searchpage:people'],
    ] as const
  ).map(([value, labelKey]) => ({
    value: value as SearchType,
    label: t(labelKey),
    count: countsByType?.[value],
    spokenName:
      countsByType && formatNames([t(labelKey), t('common:results', { count: countsByType[value] })]),
  }))
  const clearQuery = async () => {
    setClearedQuery(query)
    await waitForPaint()
    setClearedQuery(null)
    // If the user has typed a new query in the meantime, the new query stays.
    if ($search.get().query === query) setSearchQuery('')
  }
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <h1 className="sr-only">{t('searchpage:title')}</h1>
      {/* The region is always rendered, because screen readers do not announce a region that appears
          together with its text. */}
      <p role="status" className="sr-only">
        {hasReply && countsByType && t('common:results', { count: countsByType[type] })}
      </p>
      <search className="relative">
        <Search aria-hidden size={22} className="absolute inset-y-0 start-4 my-auto text-muted" />
        <input
          ref={inputRef}
          /* With `auto`, a long placeholder would be cut off at its start on right-to-left pages. */
          dir={shownQuery ? 'auto' : undefined}
          value={shownQuery}
          enterKeyHint="search"
          aria-label={t('searchpage:placeholder')}
          placeholder={t('searchpage:placeholder')}
          onChange={(event) => setSearchQuery(event.target.value)}
          onBlur={() => storeRecentSearch(query)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setSearchQuery('')
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) submitQuery(event.currentTarget)
          }}
          className="min-h-14 w-full rounded-full border border-line bg-raised ps-12 pe-12 text-lg placeholder:text-ellipsis placeholder-shown:pe-5 focus:border-accent"
        />
        {shownQuery && (
          <button
            type="button"
            aria-label={t('searchpage:clear')}
            onClick={() => {
              void clearQuery()
              inputRef.current?.focus()
            }}
            className="absolute inset-y-0 end-2 my-auto grid size-11 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden size={20} />
          </button>
        )}
      </search>
      {areControlsShown && (
        <div className="flex flex-wrap items-center gap-3">
          <Tabs
            label={t('searchpage:title')}
            value={type}
            tabs={tabs}
            onChange={(nextType) => void setSearchType(nextType)}
          />
          <SearchToolbar reply={shownReply} />
        </div>
      )}
      {shownReply && <FacetChips facets={shownReply.facets} onRemoved={() => inputRef.current?.focus()} />}
      <Suspense>
        {profile?.may_ask && reply && query !== '' && (
          <AskToWatch query={query} onCountChange={setAskableCount} />
        )}
      </Suspense>
      {error ? (
        <ErrorView isInSection error={error} />
      ) : hasReply ? (
        <SearchResults isEmptyStateShown={!profile?.may_ask || askableCount === 0} />
      ) : query && query === initialQuery ? (
        <PosterGridSkeleton />
      ) : (
        <SearchStart recentQueries={recentQueries} />
      )}
    </div>
  )
}

/**
 * Handles Enter and the search key of an on-screen keyboard. On a touch screen, the field loses the focus, so that the
 * keyboard does not cover the results. In remote control mode, the field keeps the focus.
 */
function submitQuery(field: HTMLInputElement): void {
  setSearchQuery(field.value, 0)
  storeRecentSearch(field.value)
  if (matchMedia('(pointer: coarse)').matches && !isInRemoteControlMode()) field.blur()
}

/**
 * Controls that restrict the results. The filter for available titles is rendered if it is set, or if the reply states
 * for at least one title whether the title is available. A kids profile has no other control.
 */
function SearchToolbar({ reply }: { reply: SearchReply | null }) {
  const isLimitedToAvailable = useStore($isSearchLimitedToAvailable)
  const isKidsProfile = useStore($profile)?.kids !== false
  const isAvailabilityKnown = reply?.results.some(
    (hit) => hit.kind !== 'actor' && hit.media.available !== undefined,
  )
  const isAvailableFilterShown = isLimitedToAvailable || isAvailabilityKnown
  if (isKidsProfile && !isAvailableFilterShown) return null
  return (
    <Toolbar>
      {isAvailableFilterShown && (
        <button
          type="button"
          aria-pressed={isLimitedToAvailable}
          onClick={() => setSearchLimitedToAvailable(!isLimitedToAvailable)}
          className="min-h-11 rounded-full border border-line bg-overlay px-4 text-sm hover:border-faint aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-accent-ink"
        >
          {t('searchpage:available')}
        </button>
      )}
      {!isKidsProfile && (
        <Suspense>
          <SearchGuideFilter />
        </Suspense>
      )}
    </Toolbar>
  )
}
