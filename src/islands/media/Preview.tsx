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

const ROUND_BUTTON_CLASSES =
  'inline-grid size-11 shrink-0 place-items-center rounded-full transition duration-(--duration-fast)'

/** Preview of a title. Data that arrives later is shown over the picture, so that nothing shifts. */
export function Preview({ title, sheet = false }: { title: MediaCard; sheet?: boolean }) {
  const playbackStart = useStore($previewPress)
  /* The subscription prefetches the details for the title page. */
  useStore($previewDetails)
  const playLabel = formatPreviewPlayLabel(playbackStart)
  return (
    <>
      <PreviewPicture title={title} playbackStart={playbackStart} hasVideo={!sheet} />
      <div className="flex flex-col gap-3 p-4">
        <div
          className={`preview-actions ${sheet ? 'grid grid-cols-4 justify-items-center gap-y-4 pb-10' : 'flex flex-wrap items-center gap-2'}`}
        >
          <a
            data-first
            href={playHref(title, playbackStart.place ?? {})}
            aria-label={`${playLabel}: ${title.title}`}
            title={playLabel}
            className={
              sheet
                ? `${buttonLook('primary')} w-full col-span-full`
                : `${ROUND_BUTTON_CLASSES} bg-accent text-accent-ink hover:brightness-110`
            }
          >
            <Play aria-hidden size={20} fill="currentColor" />
            {sheet && playLabel}
          </a>
          <ListButton title={title} />
          <FeedbackButtons title={title} />
          <a
            href={titleHref(title)}
            onClick={() => openTitle(title)}
            aria-label={`${t('common:moreInfo')}: ${title.title}`}
            title={t('common:moreInfo')}
            className={`${ROUND_BUTTON_CLASSES} ${sheet ? '' : 'ms-auto'} border border-line bg-overlay/80 text-ink hover:border-ink`}
          >
            <ChevronDown aria-hidden size={22} />
          </a>
        </div>
        <Facts media={{ ...title, rating: 0 }} />
        <p className="truncate text-sm text-muted">
          {title.genres
            .slice(0, 3)
            .map((id) => tData(`genres:${id}`, ''))
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </>
  )
}

interface PreviewPictureProps {
  title: MediaCard
  playbackStart: NextPress
  hasVideo: boolean
}

function PreviewPicture({
  title,
  playbackStart: { begun: startedState, place: episode },
  hasVideo,
}: PreviewPictureProps) {
  const episodeCode = episode && t('common:episodeCode', episode)
  const timeLeft = startedState && t('common:minutesLeft', { count: startedState.minutesLeft })
  return (
    <a
      href={titleHref(title)}
      tabIndex={-1}
      onClick={() => openTitle(title)}
      className="relative block aspect-video overflow-hidden bg-overlay text-white"
    >
      <img
        src={imageUrl(title.backdrop_path ?? title.poster_path, 'w500')}
        alt=""
        width="500"
        height="281"
        decoding="async"
        className="size-full object-cover"
      />
      {hasVideo && <PreviewFilm />}
      <span className="absolute inset-x-0 bottom-0 block bg-linear-to-t from-black/90 to-transparent px-4 pt-12 pb-3">
        {startedState && (
          <span className="numbers block text-sm">{[episodeCode, timeLeft].filter(Boolean).join(' · ')}</span>
        )}
        <bdi className="clamp-2 block text-lg font-bold">{title.title}</bdi>
      </span>
      {startedState && (
        <span className="absolute inset-x-0 bottom-0 h-1 bg-white/30">
          <span
            className="block h-full bg-accent"
            ref={(progressBar) => progressBar?.style.setProperty('width', `${startedState.percentage}%`)}
          />
        </span>
      )}
    </a>
  )
}

function formatPreviewPlayLabel({ begun: startedState, place: episode }: NextPress): string {
  const verb = t(startedState ? 'common:resume' : 'common:play')
  return episode ? `${verb} · ${t('common:episodeCode', episode)}` : verb
}
