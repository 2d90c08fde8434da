import { useStore } from '@nanostores/react'
import { lazy, Suspense, useReducer } from 'react'
import { Info, Play } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { formatAgeRating } from '../../lib/i18n/format.ts'
import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { getCurrentDayNumber, getTitleOfTheDay } from '../../lib/rules/home-hero.ts'
import { $displayedContinueWatching } from '../../lib/stores/continue-watching.ts'
import { getButtonClass } from '../../ui/Button.tsx'
import { openTitle } from '../media/open-title.ts'
import { TitleFacts } from '../media/TitleFacts.tsx'
import { getPlayHref, getTitleHref, toEpisodeParams } from '../media/title-urls.ts'
import { WatchlistButton } from '../media/WatchlistButton.tsx'

/* The synopsis is loaded lazily, so that it does not delay the hero image. */
const HeroSynopsis = lazy(() => import('./HeroSynopsis.tsx'))

const FRAME_CLASSES = 'on-picture relative isolate flex min-h-[min(78dvh,52rem)] items-end overflow-hidden'

/** The hero of the home page. While `titles` is undefined, it shows the titles that the boot script provides. */
export function Hero({ titles }: { titles?: readonly MediaCard[] | undefined }) {
  const heroTitles = titles ?? globalThis.__boot?.heroTitles ?? []
  const [rotationIndex, showNextTitle] = useReducer(
    (previousIndex: number) => previousIndex + 1,
    getCurrentDayNumber(),
  )
  const title = getTitleOfTheDay(heroTitles, rotationIndex)
  const continueCard = useStore($displayedContinueWatching).data?.results.find(
    (card) => card.media.id === title?.id,
  )
  if (!title) return <HeroSkeleton />
  return (
    <section aria-label={title.title} className={FRAME_CLASSES}>
      <img
        src={getImageUrl(title.backdrop_path, 'w1280')}
        alt=""
        width="1280"
        height="720"
        fetchPriority="high"
        className="absolute inset-0 -z-20 size-full object-cover"
      />
      <div className="hero-fade absolute inset-0 -z-10" />
      <div className="edge hero-words">
        <h2 className="text-2xl font-black md:text-3xl">
          <bdi className="clamp-3" lang={title.title_lang}>
            {title.title}
          </bdi>
        </h2>
        <TitleFacts title={{ ...title, rated: null }} />
        <p className="flex items-center justify-between gap-4 text-muted">
          {title.genres
            .slice(0, 3)
            .map((id) => translateDynamicKey(`genres:${id}`, ''))
            .join(' · ')}
          {title.rated && (
            <span className="hero-rated">
              <span className="sr-only">{t('common:ageRating')} </span>
              {formatAgeRating(title.rated)}
            </span>
          )}
        </p>
        <p className="hero-synopsis clamp-3" dir="auto">
          <Suspense>
            <HeroSynopsis
              title={title}
              nextTitle={getTitleOfTheDay(heroTitles, rotationIndex + 1)}
              showNextTitle={showNextTitle}
            />
          </Suspense>
        </p>
        <div className="hero-actions">
          <a
            className={`${getButtonClass('primary')} sm:min-w-34`}
            href={getPlayHref(title, toEpisodeParams(continueCard?.next_episode))}
          >
            <Play aria-hidden size={20} fill="currentColor" />
            {t(continueCard?.progress ? 'common:resume' : 'common:play')}
          </a>
          <a className={getButtonClass('plain')} href={getTitleHref(title)} onClick={() => openTitle(title)}>
            <Info aria-hidden size={20} />
            {t('common:moreInfo')}
          </a>
          <WatchlistButton title={title} />
        </div>
      </div>
    </section>
  )
}

export function HeroSkeleton() {
  return (
    <div className={FRAME_CLASSES}>
      <div className="edge hero-words">
        <div className="skeleton h-14 w-2/3" />
        <div className="skeleton h-[1lh] w-1/2" />
        <div className="skeleton h-[calc(1lh+0.5rem)] w-1/3 md:h-[1lh]" />
        <div className="skeleton hero-synopsis" />
        <div className="skeleton h-11 w-72" />
      </div>
    </div>
  )
}
