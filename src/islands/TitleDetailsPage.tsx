import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { navigate } from '../lib/client-navigation.ts'
import type { MediaCard, MediaDetails } from '../lib/contract/media.ts'
import type { Recommendation } from '../lib/contract/recommendations.ts'
import { getCurrentLocale, t, translateDynamicKey } from '../lib/i18n/t.ts'
import { getImageUrl } from '../lib/images.ts'
import { href, matchPage } from '../lib/routes.ts'
import { $isParentOfOthers } from '../lib/stores/parent.ts'
import { $profile } from '../lib/stores/profile.ts'
import { $displayedTitleProgress } from '../lib/stores/title-progress.ts'
import {
  $currentTitle,
  $openedCard,
  $similarTitles,
  $titleDetails,
  $titleProgress,
} from '../lib/stores/titles.ts'
import { showToast } from '../lib/stores/toast.ts'
import { $watchlistEntries } from '../lib/stores/watchlist.ts'
import { getIconButtonSizeClass } from '../ui/Button.tsx'
import { CastRow } from './detail/CastRow.tsx'
import { EpisodeList } from './detail/EpisodeList.tsx'
import { PlayButton } from './detail/PlayButton.tsx'
import { TitleFactSheet } from './detail/TitleFactSheet.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage, useDocumentTitle } from './GuardedPage.tsx'
import { HeroSkeleton } from './home/Hero.tsx'
import { FeedbackButtons } from './media/FeedbackButtons.tsx'
import { Name, TitleName } from './media/Name.tsx'
import { getRowTitles, PosterRow } from './media/PosterRow.tsx'
import { TitleFacts } from './media/TitleFacts.tsx'
import { WatchlistButton } from './media/WatchlistButton.tsx'

const RecommendationReason = lazy(() => import('./home/RecommendationReason.tsx'))
/* These components are loaded lazily, because the first viewport does not need them. */
const ParentalGuide = lazy(() => import('./detail/ParentalGuide.tsx'))
const TitleEndTime = lazy(() => import('./detail/TitleEndTime.tsx'))
const TrackingControls = lazy(() => import('./detail/TrackingControls.tsx'))

/** Names with more characters than this have a smaller font, so that the actions fit on a phone. */
const LONG_TITLE_LENGTH = 60

export default function TitleDetailsPage({ type }: { type: 'movie' | 'tv' }) {
  return (
    <GuardedPage pendingContent={<HeroSkeleton />}>
      <TitleDetails type={type} />
    </GuardedPage>
  )
}

function TitleDetails({ type }: { type: 'movie' | 'tv' }) {
  const detailsQuery = useStore($titleDetails)
  const requestedTitle = useStore($currentTitle)
  useEffect(() => {
    const slug = matchPage(location.pathname)?.slug
    if (slug) $currentTitle.set({ type, slug })
  }, [type])
  const pageSlug = matchPage(location.pathname)?.slug
  const details = requestedTitle?.slug === pageSlug ? detailsQuery.data : undefined
  const openedCard = $openedCard.get()
  const openedTitle = openedCard?.slug === pageSlug && openedCard?.type === type ? openedCard : null
  useDocumentTitle((details ?? openedTitle)?.title ?? null)
  const areActionsReady = useActionsReady(details)
  const profile = useStore($profile)
  const isBlockedForKids = profile?.kids === true && detailsQuery.error?.status === 404 && !details
  useEffect(() => {
    if (!isBlockedForKids) return
    showToast('common:kidsRedirect', { kind: 'bad' })
    void navigate(href('home', getCurrentLocale()), { history: 'replace' })
  }, [isBlockedForKids])
  if (isBlockedForKids) return <HeroSkeleton />
  if (detailsQuery.error && !details) return <ErrorView error={detailsQuery.error} />
  if (details) return <TitleSheet details={details} isPending={!areActionsReady} />
  if (!openedTitle) return <HeroSkeleton />
  return (
    <TitleSheet
      details={{
        ...openedTitle,
        ...EMPTY_DETAILS,
        genres: openedTitle.genres.map((id) => ({ id, name: '' })),
      }}
      isPending
    />
  )
}

/**
 * Longest time that the description waits for the action buttons, so that a slow reply never hides the description.
 */
const ACTIONS_TIMEOUT_MS = 500

/**
 * True once the progress and the watchlist entry of the title are known, or after ACTIONS_TIMEOUT_MS. The width of the
 * play button and the number of controls below the description depend on both. If the description and the sections were
 * rendered earlier, they would shift down when the buttons wrap to a further line.
 */
function useActionsReady(details: MediaDetails | undefined): boolean {
  const progressQuery = useStore($titleProgress)
  const titleKey = details && `${details.type}/${details.id}`
  const watchlistEntries = useStore($watchlistEntries)
  const [timedOutKey, setTimedOutKey] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(setTimedOutKey, ACTIONS_TIMEOUT_MS, titleKey)
    return () => clearTimeout(timer)
  }, [titleKey])
  if (titleKey === undefined) return false
  return (
    timedOutKey === titleKey ||
    ((progressQuery.data ?? progressQuery.error) !== undefined && titleKey in watchlistEntries)
  )
}

/** Values of the fields of MediaDetails that a card does not contain. They are used until the details are loaded. */
const EMPTY_DETAILS = {
  titles: [],
  overview: null,
  tagline: null,
  cast: [],
  crew: [],
  parental_guide: [],
  imdb_id: null,
  tmdb_id: null,
  trailer: null,
  published: true,
}

/** Returns the reasons of the recommendation if the card of a recommendation opened this page, else null. */
function findRecommendationReasons({ id }: MediaDetails): Recommendation['reasons'] | null {
  const openedTitle: (MediaCard & Partial<Recommendation>) | null = $openedCard.get()
  return (openedTitle?.id === id && openedTitle.reasons) || null
}

/**
 * Invisible placeholders for the controls of a title. They are as wide as the controls, so that they wrap to the same
 * number of lines.
 */
function TrackingControlsPlaceholder({ title }: { title: Pick<MediaDetails, 'type' | 'id' | 'trailer'> }) {
  const isParentOfOthers = useStore($isParentOfOthers)
  const isInWatchlist = useStore($watchlistEntries)[`${title.type}/${title.id}`]?.in_watchlist
  const hasProgress = Boolean(useStore($displayedTitleProgress).data?.latest)
  const isKidsProfile = useStore($profile)?.kids
  return (
    <>
      <IconButtonPlaceholder label={t('common:markSeen')} />
      <IconButtonPlaceholder label={t('detail:seenDate')} />
      <IconButtonPlaceholder label={t('header:notifications')} />
      <IconButtonPlaceholder label={t('header:lists')} />
      <span className="h-11 w-29" />
      {isParentOfOthers && <IconButtonPlaceholder label={t('titlerules:forTitle')} />}
      {title.trailer && <IconButtonPlaceholder label={t('detail:trailer')} />}
      {isInWatchlist && (
        <>
          <IconButtonPlaceholder label={t('mylist:favorite')} />
          <span className="h-11 w-32" />
        </>
      )}
      {hasProgress && !isKidsProfile && <IconButtonPlaceholder label={t('detail:resetProgress')} />}
    </>
  )
}

const IconButtonPlaceholder = ({ label }: { label: string }) => (
  <span className={`invisible ${getIconButtonSizeClass(true)}`}>
    <span className="size-5" />
    <span>{label}</span>
  </span>
)

const EndTimePlaceholder = () => <span className="invisible">{t('common:endsAt', { time: '00:00' })}</span>

/** With `isPending`, shows placeholders instead of the description and omits the sections below the picture. */
function TitleSheet({ details, isPending = false }: { details: MediaDetails; isPending?: boolean }) {
  const similarTitles = useStore($similarTitles)
  const reasons = findRecommendationReasons(details)
  return (
    <article>
      <section className="on-picture relative isolate min-h-[min(74dvh,48rem)] overflow-hidden">
        <img
          src={getImageUrl(details.backdrop_path, 'w1280')}
          alt=""
          width="1280"
          height="720"
          fetchPriority="high"
          className="absolute inset-0 -z-20 size-full object-cover"
        />
        <div className="hero-fade absolute inset-0 -z-10" />
        {/* The heading does not move when further content loads, because that content extends the page downwards. */}
        <div className="edge title-place flex w-full max-w-4xl flex-col gap-4 pb-10">
          <div>
            <h1
              className={`font-black wrap-anywhere ${details.title.length > LONG_TITLE_LENGTH ? 'text-xl md:text-2xl' : 'text-2xl md:text-3xl'}`}
            >
              <TitleName title={details} />
            </h1>
            {details.original_title !== details.title && (
              <p className="mt-1 text-muted">
                <span className="sr-only">
                  {t('common:pair', { name: t('detail:originalTitle'), value: '' })}
                </span>
                <Name text={details.original_title} lang={details.language ?? undefined} />
              </p>
            )}
          </div>
          <TitleFacts title={{ ...details, genres: details.genres.map((genre) => genre.id) }} />
          <p className="flex flex-wrap gap-x-3 text-muted">
            {details.genres.map((genre) => translateDynamicKey(`genres:${genre.id}`, genre.name)).join(' · ')}
            <Suspense fallback={details.runtime ? <EndTimePlaceholder /> : null}>
              <TitleEndTime details={details} />
            </Suspense>
          </p>
          <div className="title-actions flex flex-wrap items-center gap-3">
            <PlayButton details={details} />
            <WatchlistButton isLabelled title={details} />
            <FeedbackButtons isLabelled title={details} />
          </div>
          {reasons && (
            <div className="min-h-12 max-w-md">
              <Suspense>
                <RecommendationReason reasons={reasons} />
              </Suspense>
            </div>
          )}
          {isPending && (
            <div aria-hidden className="flex max-w-prose flex-col gap-3">
              <div className="skeleton h-5" />
              <div className="skeleton h-5 w-3/4" />
            </div>
          )}
          {!isPending && details.tagline && (
            <p className="text-lg italic text-muted">
              <Name text={details.tagline} lang={details.overview_lang} />
            </p>
          )}
          {!isPending && details.overview && (
            <p className="max-w-prose text-base md:text-lg" dir="auto" lang={details.overview_lang}>
              {details.overview}
            </p>
          )}
          {/* The controls are below the description, because controls above the description would push it down when
              they load. */}
          {!isPending && (
            <div className="title-actions flex flex-wrap items-center gap-3">
              <Suspense fallback={<TrackingControlsPlaceholder title={details} />}>
                <TrackingControls title={details} name={details.title} trailerUrl={details.trailer} />
              </Suspense>
            </div>
          )}
        </div>
      </section>
      {!isPending && (
        <div className="below-picture flex flex-col gap-12 pb-24">
          {details.type === 'tv' && details.seasons && (
            <EpisodeList details={details} seasons={details.seasons} />
          )}
          <CastRow id={details.id} cast={details.cast} />
          <div className="edge grid grid-cols-1 gap-10 md:grid-cols-2">
            <TitleFactSheet details={details} />
            <Suspense fallback={<div aria-hidden className="skeleton h-40" />}>
              <ParentalGuide guide={details.parental_guide} />
            </Suspense>
          </div>
          <PosterRow
            heading={t('detail:moreLikeThis')}
            scrollKey={`similar-${details.id}`}
            titles={getRowTitles(similarTitles)}
          />
        </div>
      )}
    </article>
  )
}
