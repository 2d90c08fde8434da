import { useStore } from '@nanostores/react'
import { Info } from 'lucide-react'
import { useEffect } from 'react'
import type { Recommendation } from '../lib/contract/recommend.ts'
import { currentLocale, t, tData } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { keepFirstPicture } from '../lib/stores/first-picture.ts'
import {
  $continueWatching,
  $featuredMovies,
  $featuredSeries,
  $topGenres,
  $topPicks,
} from '../lib/stores/media.ts'
import { State } from '../ui/State.tsx'
import { ErrorView } from './ErrorView.tsx'
import { ContinueRow } from './home/ContinueRow.tsx'
import { Hero } from './home/Hero.tsx'
import { PosterRow } from './media/PosterRow.tsx'
import { Page } from './Page.tsx'

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
      <div className="relative -mt-12 flex flex-col gap-8">
        <PosterRow title={t('home:popularMovies')} memory="skeleton" results={undefined} />
      </div>
    </div>
  )
}

function Rows() {
  const movies = useStore($featuredMovies)
  const series = useStore($featuredSeries)
  const picks = useStore($topPicks)
  const genres = useStore($topGenres)
  const going = useStore($continueWatching)
  const popular = movies.data?.results ?? series.data?.results
  useEffect(() => {
    if (popular) keepFirstPicture(popular)
  }, [popular])
  if (movies.error && !movies.data) return <ErrorView error={movies.error} />
  const nothing = movies.data?.results.length === 0 && series.data?.results.length === 0
  if (nothing) return <State level={1} icon={<Info />} title={t('home:empty')} hint={t('home:emptyHint')} />
  const locale = currentLocale()
  return (
    <>
      <h1 className="sr-only">{t('home:title')}</h1>
      <Hero titles={popular ?? globalThis.__boot?.hero ?? []} />
      <div className="relative -mt-12 flex flex-col gap-8 pb-24">
        <ContinueRow cards={going.data?.results ?? []} />
        <PosterRow
          title={t('home:topPicks')}
          memory="picks"
          results={withReasons(picks.data?.results)}
          eager
        />
        <PosterRow
          title={t('home:popularMovies')}
          memory="movies"
          results={movies.data?.results}
          seeAll={href('movies', locale)}
        />
        <PosterRow
          title={t('home:trendingShows')}
          memory="shows"
          results={series.data?.results}
          seeAll={href('tvshows', locale)}
        />
        {genres.data?.results.map(({ genre, results }) => (
          <PosterRow
            key={genre.id}
            title={tData(`genres:${genre.id}`, genre.name)}
            memory={`genre-${genre.id}`}
            results={withReasons(results)}
            seeAll={href('movies', locale, { query: { includeGenres: genre.id } })}
          />
        ))}
      </div>
    </>
  )
}

function withReasons(results: Recommendation[] | undefined) {
  return results?.map((one) => ({ ...one, why: reasonText(one) }))
}

/** The first reason, in words. */
function reasonText({ reasons: [reason] }: Recommendation): string | undefined {
  if (!reason) return undefined
  const title = reason.title ?? ''
  if (reason.kind === 'liked') return t('home:becauseTitle', { title })
  if (reason.kind === 'watched') return t('home:becauseWatched', { title })
  if (reason.kind === 'in_list') return t('home:becauseList', { title })
  if (reason.kind === 'genre') return t('home:because', { genre: tData(`genres:${reason.genre}`, '') })
  return t('home:becausePopular')
}
