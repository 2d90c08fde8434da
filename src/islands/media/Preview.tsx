import { useStore } from '@nanostores/react'
import { ChevronDown, Play } from 'lucide-react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t, tData } from '../../lib/i18n/t.ts'
import { imageUrl } from '../../lib/images.ts'
import type { NextPress } from '../../lib/rules/next-press.ts'
import { $previewDetails, $previewPress } from '../../lib/stores/preview.ts'
import { buttonLook } from '../../ui/Button.tsx'
import { playHref, titleHref } from './addresses.ts'
import { Facts } from './Facts.tsx'
import { FeedbackButtons } from './FeedbackButtons.tsx'
import { ListButton } from './ListButton.tsx'
import { openTitle } from './open-title.ts'
import { PreviewFilm } from './PreviewFilm.tsx'

const ROUND =
  'inline-grid size-11 shrink-0 place-items-center rounded-full transition duration-(--duration-fast)'

/** Everything in it has its place from the first moment: what arrives later lies over the picture. */
export function Preview({ media, sheet = false }: { media: MediaCard; sheet?: boolean }) {
  const press = useStore($previewPress)
  /* The title's page finds it here. */
  useStore($previewDetails)
  const play = playWords(press)
  return (
    <>
      <Picture media={media} press={press} film={!sheet} />
      <div className="flex flex-col gap-3 p-4">
        <div
          className={`preview-actions ${sheet ? 'grid grid-cols-4 justify-items-center gap-y-4 pb-10' : 'flex flex-wrap items-center gap-2'}`}
        >
          <a
            data-first
            href={playHref(media, press.place ?? {})}
            aria-label={`${play}: ${media.title}`}
            title={play}
            className={
              sheet
                ? `${buttonLook('primary')} w-full col-span-full`
                : `${ROUND} bg-accent text-accent-ink hover:brightness-110`
            }
          >
            <Play aria-hidden size={20} fill="currentColor" />
            {sheet && play}
          </a>
          <ListButton title={media} />
          <FeedbackButtons title={media} />
          <a
            href={titleHref(media)}
            onClick={() => openTitle(media)}
            aria-label={`${t('common:moreInfo')}: ${media.title}`}
            title={t('common:moreInfo')}
            className={`${ROUND} ${sheet ? '' : 'ms-auto'} border border-line bg-overlay/80 text-ink hover:border-ink`}
          >
            <ChevronDown aria-hidden size={22} />
          </a>
        </div>
        <Facts media={{ ...media, rating: 0 }} />
        <p className="truncate text-sm text-muted">
          {media.genres
            .slice(0, 3)
            .map((id) => tData(`genres:${id}`, ''))
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </>
  )
}

interface PictureProps {
  media: MediaCard
  press: NextPress
  film: boolean
}

function Picture({ media, press: { begun, place }, film }: PictureProps) {
  const code = place && t('common:episodeCode', place)
  const left = begun && t('common:minutesLeft', { count: begun.minutesLeft })
  return (
    <a
      href={titleHref(media)}
      tabIndex={-1}
      onClick={() => openTitle(media)}
      className="relative block aspect-video overflow-hidden bg-overlay text-white"
    >
      <img
        src={imageUrl(media.backdrop_path ?? media.poster_path, 'w500')}
        alt=""
        width="500"
        height="281"
        decoding="async"
        className="size-full object-cover"
      />
      {film && <PreviewFilm />}
      <span className="absolute inset-x-0 bottom-0 block bg-linear-to-t from-black/90 to-transparent px-4 pt-12 pb-3">
        {begun && <span className="numbers block text-sm">{[code, left].filter(Boolean).join(' · ')}</span>}
        <bdi className="clamp-2 block text-lg font-bold">{media.title}</bdi>
      </span>
      {begun && (
        <span className="absolute inset-x-0 bottom-0 h-1 bg-white/30">
          <span
            className="block h-full bg-accent"
            ref={(bar) => bar?.style.setProperty('width', `${begun.percentage}%`)}
          />
        </span>
      )}
    </a>
  )
}

function playWords({ begun, place }: NextPress): string {
  const verb = t(begun ? 'common:resume' : 'common:play')
  return place ? `${verb} · ${t('common:episodeCode', place)}` : verb
}
