import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect } from 'react'
import { Info } from '../icons/index.ts'
import type { Recommendation } from '../lib/contract/recommendations.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { type HomeRow, orderHomeRows } from '../lib/rules/home-rows.ts'
import { $displayedContinueWatching } from '../lib/stores/continue-watching.ts'
import { storeHomeHero } from '../lib/stores/home-hero.ts'
import { $profile } from '../lib/stores/profile.ts'
import { $continueWatching, $featuredMovies, $featuredSeries, $topPicks } from '../lib/stores/titles.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { ContinueWatchingRow } from './home/ContinueWatchingRow.tsx'
import { Hero } from './home/Hero.tsx'
import { getRowTitles, PosterRow } from './media/PosterRow.tsx'

/* These components are loaded lazily, because the first paint does not need them. */
const DeferredHomeSection = lazy(() => import('./home/DeferredHomeSection.tsx'))
const HomeRowMenu = lazy(() => import('./home/HomeRowMenu.tsx'))
const RecommendationReason = lazy(() => import('./home/RecommendationReason.tsx'))

export default function HomePage() {
  return (
    <GuardedPage pendingContent={<HomeSkeleton />}>
      <HomeSections />
    </GuardedPage>
  )
}

function HomeSkeleton() {
  return (
    <div role="status" aria-label={t('common:loading')}>
      <Hero />
      <div className="below-picture relative -mt-12 flex flex-col gap-8">
        <FirstRow />
      </div>
    </div>
  )
}

/** The row that page-scripts/inline/first-row.ts has drawn, or a skeleton. */
function FirstRow() {
  const element = globalThis.__boot?.firstRow?.element
  if (element) return <div ref={(hostElement) => hostElement?.replaceChildren(element)} />
  return <PosterRow heading={t('home:topPicks')} scrollKey="skeleton" />
}

function HomeSections() {
  const continueWatchingQuery = useStore($continueWatching)
  const featuredMoviesQuery = useStore($featuredMovies)
  const featuredSeriesQuery = useStore($featuredSeries)
  const profile = useStore($profile)
  /*
   * The titles of the hero: movies or, if no movies were loaded, series. Undefined while the movies are loading, so
   * that the hero that the boot script has shown stays even if the series are already loaded.
   */
  const featuredTitles =
    featuredMoviesQuery.data?.results ??
    (featuredMoviesQuery.loading ? undefined : featuredSeriesQuery.data?.results)
  useEffect(() => {
    if (featuredTitles) storeHomeHero(featuredTitles)
  }, [featuredTitles])
  if (featuredMoviesQuery.error && !featuredMoviesQuery.data)
    return <ErrorView error={featuredMoviesQuery.error} />
  const isHomeEmpty =
    featuredMoviesQuery.data?.results.length === 0 && featuredSeriesQuery.data?.results.length === 0
  if (isHomeEmpty)
    return <EmptyState headingLevel={1} icon={<Info />} title={t('home:empty')} hint={t('home:emptyHint')} />
  const { home_rows: rowSettings = [], simple_home: isSimpleHome = false } = profile?.preferences ?? {}
  const visibleRows = orderHomeRows(rowSettings, isSimpleHome).filter((homeRow) => !homeRow.hidden)
  return (
    <>
      <h1 className="sr-only">{t('home:title')}</h1>
      <Hero titles={featuredTitles} />
      <div className="below-picture relative -mt-12 flex flex-col gap-8 pb-24">
        {/* The rows wait for Continue Watching, because that row would shift them down if it loaded
            later. */}
        {continueWatchingQuery.data || continueWatchingQuery.error ? (
          <Suspense fallback={<FirstRow />}>
            {profile?.kids && <DeferredHomeSection section="kids" />}
            {visibleRows.map(({ row }) => (
              <HomeSection key={row} row={row} />
            ))}
          </Suspense>
        ) : (
          <FirstRow />
        )}
        <Suspense>
          <DeferredHomeSection section="customise" />
        </Suspense>
      </div>
    </>
  )
}

function HomeSection({ row }: { row: HomeRow }) {
  if (row === 'continue') return <ContinueWatching />
  if (row === 'picks') return <TopPicks />
  if (row === 'movies' || row === 'shows') return <FeaturedRow row={row} />
  return (
    <Suspense>
      <DeferredHomeSection section={row} />
    </Suspense>
  )
}

/**
 * Renders the menu of a row. While the code of the menu is loading, an empty element reserves the space of the menu.
 * Without this element, the heading beside the menu might wrap when the menu appears.
 */
const renderRowMenu = (row: HomeRow) => (
  <Suspense fallback={<span className="-m-2 ms-auto size-11 shrink-0 self-start" />}>
    <HomeRowMenu row={row} />
  </Suspense>
)

const ContinueWatching = () => (
  <ContinueWatchingRow
    cards={useStore($displayedContinueWatching).data?.results ?? []}
    menu={renderRowMenu('continue')}
  />
)

function TopPicks() {
  const topPicksQuery = useStore($topPicks)
  return (
    <PosterRow
      heading={t('home:topPicks')}
      scrollKey="picks"
      titles={getRowTitles(topPicksQuery)}
      isLoadedEagerly
      menu={renderRowMenu('picks')}
      renderBelowPoster={renderReason}
    />
  )
}

/**
 * Renders the reason of a recommendation. The element always has the height of a reason, so that nothing shifts when
 * the recommendation and the code that renders the reason are loaded.
 */
const renderReason = (title?: Recommendation) => (
  <span className="mt-2 block h-[3lh] text-sm">
    <Suspense>{title && <RecommendationReason reasons={title.reasons} />}</Suspense>
  </span>
)

function FeaturedRow({ row }: { row: 'movies' | 'shows' }) {
  const featuredQuery = useStore(row === 'movies' ? $featuredMovies : $featuredSeries)
  return (
    <PosterRow
      heading={t(row === 'movies' ? 'home:popularMovies' : 'home:trendingShows')}
      scrollKey={row}
      titles={getRowTitles(featuredQuery)}
      menu={renderRowMenu(row)}
      seeAllHref={href(row === 'movies' ? 'movies' : 'tvshows', getCurrentLocale())}
    />
  )
}
