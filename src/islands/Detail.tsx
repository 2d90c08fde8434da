import { navigate } from 'astro:transitions/client'
import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { MediaCard, MediaDetails } from '../lib/contract/media.ts'
import type { Recommendation } from '../lib/contract/recommend.ts'
import { currentLocale, t, tData } from '../lib/i18n/t.ts'
import { imageUrl } from '../lib/images.ts'
import { href, matchPage } from '../lib/routes.ts'
import { $details, $history, $opened, $place, $similar } from '../lib/stores/media.ts'
import { $profile } from '../lib/stores/profile.ts'
import { toast } from '../lib/stores/toast.ts'
import { $listed } from '../lib/stores/watchlist.ts'
import { buttonLook } from '../ui/Button.tsx'
import { Cast } from './detail/Cast.tsx'
import { Episodes } from './detail/Episodes.tsx'
import { FactSheet } from './detail/FactSheet.tsx'
import { Guide } from './detail/Guide.tsx'
import { Marks } from './detail/Marks.tsx'
import { PlayButton } from './detail/PlayButton.tsx'
import { ErrorView } from './ErrorView.tsx'
import { HeroSkeleton } from './home/Hero.tsx'
import { Facts } from './media/Facts.tsx'
import { FeedbackButtons } from './media/FeedbackButtons.tsx'
import { ListButton } from './media/ListButton.tsx'
import { PosterRow } from './media/PosterRow.tsx'
import { Page, useTitle } from './Page.tsx'

const Reason = lazy(() => import('./home/Reason.tsx'))

export default function Detail({ type }: { type: 'movie' | 'tv' }) {
  return (
    <Page pending={<HeroSkeleton />}>
      <Title type={type} />
    </Page>
  )
}

function Title({ type }: { type: 'movie' | 'tv' }) {
  const details = useStore($details)
  const place = useStore($place)
  useEffect(() => {
    const slug = matchPage(location.pathname)?.slug
    if (slug) $place.set({ type, slug })
  }, [type])
  const here = matchPage(location.pathname)?.slug
  const media = place?.slug === here ? details.data : undefined
  useTitle(media?.title ?? null)
  const ready = useButtons(media)
  const profile = useStore($profile)
  const barred = profile?.kids === true && details.error?.status === 404 && !media
  useEffect(() => {
    if (!barred) return
    toast('common:kidsRedirect', { kind: 'bad' })
    void navigate(href('home', currentLocale()), { history: 'replace' })
  }, [barred])
  if (barred) return <HeroSkeleton />
  if (details.error && !media) return <ErrorView error={details.error} />
  if (media) return <Sheet media={media} pending={!ready} />
  const card = $opened.get()
  if (!card || card.slug !== here || card.type !== type) return <HeroSkeleton />
  return <Sheet media={{ ...card, ...BLANK, genres: card.genres.map((id) => ({ id, name: '' })) }} pending />
}

/** How long the text of a title waits for what its buttons have to say. */
const BUTTONS_MS = 500

/**
 * Whether it is known what the buttons over the text say: how far it was watched, and My List. On a phone that is another
 * line of them, which would push down whatever was there already.
 */
function useButtons(media: MediaDetails | undefined): boolean {
  const history = useStore($history)
  const key = media && `${media.type}/${media.id}`
  const listed = useStore($listed)
  const [late, setLate] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(setLate, BUTTONS_MS, key)
    return () => clearTimeout(timer)
  }, [key])
  if (key === undefined) return false
  return late === key || ((history.data ?? history.error) !== undefined && key in listed)
}

/** What a card does not know. */
const BLANK = {
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

/** Why the card was offered that led here. */
function reasonsOf({ id }: MediaDetails): Recommendation['reasons'] | null {
  const card: (MediaCard & Partial<Recommendation>) | null = $opened.get()
  return (card?.id === id && card.reasons) || null
}

/** `pending`: only the picture, what the card knew and the buttons are there yet. */
function Sheet({ media, pending = false }: { media: MediaDetails; pending?: boolean }) {
  const similar = useStore($similar)
  const reasons = reasonsOf(media)
  return (
    <article>
      <section className="on-picture relative isolate min-h-[min(74dvh,48rem)] overflow-hidden">
        <img
          src={imageUrl(media.backdrop_path, 'w1280')}
          alt=""
          width="1280"
          height="720"
          fetchPriority="high"
          className="absolute inset-0 -z-20 size-full object-cover"
        />
        <div className="hero-fade absolute inset-0 -z-10" />
        {/* The title stands where it will stay: what comes later grows downwards. */}
        <div className="edge title-place flex w-full max-w-4xl flex-col gap-4 pb-10">
          <div>
            <h1 className="text-2xl font-black md:text-3xl">
              <bdi>{media.title}</bdi>
            </h1>
            {media.original_title !== media.title && (
              <p className="mt-1 text-muted">
                <span className="sr-only">{t('detail:originalTitle')}: </span>
                <bdi lang={media.language ?? undefined}>{media.original_title}</bdi>
              </p>
            )}
          </div>
          <Facts media={{ ...media, genres: media.genres.map((genre) => genre.id) }} />
          <p className="text-muted">
            {media.genres.map((genre) => tData(`genres:${genre.id}`, genre.name)).join(' · ')}
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <PlayButton media={media} />
            <ListButton title={media} />
            <FeedbackButtons title={media} />
            <Marks title={media} name={media.title} />
            {media.trailer && (
              <a className={buttonLook('plain')} href={media.trailer} rel="noreferrer" target="_blank">
                {t('detail:trailer')}
              </a>
            )}
          </div>
          {reasons && (
            <div className="min-h-12 max-w-md">
              <Suspense>
                <Reason reasons={reasons} />
              </Suspense>
            </div>
          )}
          {pending && (
            <div aria-hidden className="flex max-w-prose flex-col gap-3">
              <div className="skeleton h-5" />
              <div className="skeleton h-5 w-3/4" />
            </div>
          )}
          {!pending && media.tagline && <p className="text-lg italic text-muted">{media.tagline}</p>}
          {!pending && media.overview && (
            <p className="max-w-prose text-base md:text-lg" dir="auto">
              {media.overview}
            </p>
          )}
        </div>
      </section>
      {!pending && (
        <div className="below-picture flex flex-col gap-12 pb-24">
          {media.type === 'tv' && media.seasons && <Episodes media={media} seasons={media.seasons} />}
          <Cast cast={media.cast} />
          <div className="edge grid grid-cols-1 gap-10 md:grid-cols-2">
            <FactSheet media={media} />
            <Guide guide={media.parental_guide} />
          </div>
          <PosterRow
            title={t('detail:moreLikeThis')}
            memory={`similar-${media.id}`}
            results={similar.data?.results}
          />
        </div>
      )}
    </article>
  )
}
