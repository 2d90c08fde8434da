import { useStore } from '@nanostores/react'
import { Info } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import type { Recommendation } from '../lib/contract/recommend.ts'
import { currentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { type HomeRow, homeRows } from '../lib/rules/home-rows.ts'
import { keepFirstPicture } from '../lib/stores/first-picture.ts'
import { $continueWatching, $featuredMovies, $featuredSeries, $topPicks } from '../lib/stores/media.ts'
import { $profile } from '../lib/stores/profile.ts'
import { State } from '../ui/State.tsx'
import { ErrorView } from './ErrorView.tsx'
import { ContinueRow } from './home/ContinueRow.tsx'
import { Hero } from './home/Hero.tsx'
import { PosterRow } from './media/PosterRow.tsx'
import { Page } from './Page.tsx'

/** Below the first picture, or beside what it shows. */
const More = lazy(() => import('./home/More.tsx'))
const Reason = lazy(() => import('./home/Reason.tsx'))

export default function Home() {
  return (
    <Page pending={<HomeSkeleton />}>
      <Rows />
    </Page>
  )
}

export function HomeSkeleton() {
  return (
    <div role="status" aria-label={t('common:loading')}>
      <Hero titles={globalThis.__boot?.hero ?? []} />
      <div className="below-picture relative -mt-12 flex flex-col gap-8">
        <Waiting />
      </div>
    </div>
  )
}

const Waiting = () => <PosterRow title={t('home:topPicks')} memory="skeleton" results={undefined} />

function Rows() {
  const going = useStore($continueWatching)
  const movies = useStore($featuredMovies)
  const series = useStore($featuredSeries)
  const profile = useStore($profile)
  const popular = movies.data?.results ?? series.data?.results
  useEffect(() => {
    if (popular) keepFirstPicture(popular)
  }, [popular])
  if (movies.error && !movies.data) return <ErrorView error={movies.error} />
  const nothing = movies.data?.results.length === 0 && series.data?.results.length === 0
  if (nothing) return <State level={1} icon={<Info />} title={t('home:empty')} hint={t('home:emptyHint')} />
  const { home_rows: wishes = [], simple_home: simple = false } = profile?.preferences ?? {}
  const shown = homeRows(wishes, simple).filter((one) => !one.hidden)
  return (
    <>
      <h1 className="sr-only">{t('home:title')}</h1>
      <Hero titles={popular ?? globalThis.__boot?.hero ?? []} />
      <div className="below-picture relative -mt-12 flex flex-col gap-8 pb-24">
        {/* What is being watched comes first or not at all: the rows below wait to know. */}
        {going.data || going.error ? shown.map(({ row }) => <OneRow key={row} row={row} />) : <Waiting />}
        <Suspense>
          <More part="customise" />
        </Suspense>
      </div>
    </>
  )
}

function OneRow({ row }: { row: HomeRow }) {
  if (row === 'continue') return <Going />
  if (row === 'picks') return <Picks />
  if (row === 'movies' || row === 'shows') return <Featured row={row} />
  return (
    <Suspense>
      <More part={row} />
    </Suspense>
  )
}

const Going = () => <ContinueRow cards={useStore($continueWatching).data?.results ?? []} />

function Picks() {
  const { data } = useStore($topPicks)
  return <PosterRow title={t('home:topPicks')} memory="picks" results={data?.results} eager under={why} />
}

/** Its place is kept while its code is on the way. */
const why = ({ reasons }: Recommendation) => (
  <span className="mt-2 block h-12">
    <Suspense>
      <Reason reasons={reasons} />
    </Suspense>
  </span>
)

function Featured({ row }: { row: 'movies' | 'shows' }) {
  const { data } = useStore(row === 'movies' ? $featuredMovies : $featuredSeries)
  return (
    <PosterRow
      title={t(row === 'movies' ? 'home:popularMovies' : 'home:trendingShows')}
      memory={row}
      results={data?.results}
      seeAll={href(row === 'movies' ? 'movies' : 'tvshows', currentLocale())}
    />
  )
}
