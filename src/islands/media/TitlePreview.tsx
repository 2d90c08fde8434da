import { useStore } from '@nanostores/react'
import { ChevronDown, Play } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { formatTimeLeft } from '../../lib/i18n/format.ts'
import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import type { PlayAction } from '../../lib/rules/play-action.ts'
import { $previewDetails, $previewPlayAction } from '../../lib/stores/preview.ts'
import { getButtonClass } from '../../ui/Button.tsx'
import { SeenButton } from '../seen/SeenButton.tsx'
import EndTime from './EndTime.tsx'
import { FeedbackButtons } from './FeedbackButtons.tsx'
import { TitleName } from './Name.tsx'
import { openTitle } from './open-title.ts'
import { PreviewVideo } from './PreviewVideo.tsx'
import { TitleFacts } from './TitleFacts.tsx'
import { getPlayHref, getTitleHref } from './title-urls.ts'
import { WatchlistButton } from './WatchlistButton.tsx'

const ROUND_BUTTON_CLASSES =
  'inline-grid size-11 shrink-0 place-items-center rounded-full transition duration-(--duration-fast)'

/** Preview of a title. Data that loads later is shown over the image, so that the layout does not shift. */
export function TitlePreview({ title, isSheet = false }: { title: MediaCard; isSheet?: boolean }) {
  const playAction = useStore($previewPlayAction)
  /* The subscription prefetches the details for the title page. */
  useStore($previewDetails)
  const playLabel = formatPreviewPlayLabel(playAction)
  return (
    <>
      <PreviewPicture title={title} playAction={playAction} hasVideo={!isSheet} />
      <div className="flex flex-col gap-3 p-4">
        <div
          className={`preview-actions ${isSheet ? 'grid grid-cols-5 justify-items-center gap-y-4 pb-10' : 'flex flex-wrap items-center gap-2'}`}
        >
          <a
            data-first
            href={getPlayHref(title, playAction.episode ?? {})}
            aria-label={t('common:pair', { name: playLabel, value: title.title })}
            title={playLabel}
            className={
              isSheet
                ? `${getButtonClass('primary')} w-full col-span-full`
                : `${ROUND_BUTTON_CLASSES} bg-accent text-accent-ink hover:brightness-110`
            }
          >
            <Play aria-hidden size={20} fill="currentColor" />
            {isSheet && playLabel}
          </a>
          <WatchlistButton title={title} />
          <FeedbackButtons title={title} />
          <SeenButton title={title} />
          <a
            href={getTitleHref(title)}
            onClick={() => openTitle(title)}
            aria-label={t('common:pair', { name: t('common:moreInfo'), value: title.title })}
            title={t('common:moreInfo')}
            className={`${ROUND_BUTTON_CLASSES} ${isSheet ? '' : 'ms-auto'} border border-line bg-overlay/80 text-ink hover:border-ink`}
          >
            <ChevronDown aria-hidden size={22} />
          </a>
        </div>
        <TitleFacts title={{ ...title, rating: 0 }} />
        <p className="truncate text-sm text-muted">
          {title.genres
            .slice(0, 3)
            .map((id) => translateDynamicKey(`genres:${id}`, ''))
            .filter(Boolean)
            .join(' · ')}
          {title.type === 'movie' && title.runtime && (
            <>
              {' · '}
              <EndTime remainingSeconds={title.runtime} />
            </>
          )}
        </p>
      </div>
    </>
  )
}

interface PreviewPictureProps {
  title: MediaCard
  playAction: PlayAction
  hasVideo: boolean
}

function PreviewPicture({ title, playAction: { resumedProgress, episode }, hasVideo }: PreviewPictureProps) {
  const episodeCode = episode && t('common:episodeCode', episode)
  const timeLeftText = resumedProgress && formatTimeLeft(resumedProgress.minutesLeft)
  return (
    <a
      href={getTitleHref(title)}
      tabIndex={-1}
      onClick={() => openTitle(title)}
      className="relative block aspect-video overflow-hidden bg-overlay text-white"
    >
      <img
        src={getImageUrl(title.backdrop_path ?? title.poster_path, 'w500')}
        alt=""
        width="500"
        height="281"
        decoding="async"
        className="size-full object-cover"
      />
      {hasVideo && <PreviewVideo />}
      <span className="absolute inset-x-0 bottom-0 block bg-linear-to-t from-black/90 to-transparent px-4 pt-12 pb-3">
        {resumedProgress && (
          <span className="numbers block text-sm">
            {[episodeCode, timeLeftText].filter(Boolean).join(' · ')}
          </span>
        )}
        <TitleName title={title} className="clamp-2 block text-lg font-bold" />
      </span>
      {resumedProgress && (
        <span className="absolute inset-x-0 bottom-0 h-1 bg-white/30">
          <span
            className="block h-full bg-accent"
            ref={(progressBar) => progressBar?.style.setProperty('width', `${resumedProgress.percentage}%`)}
          />
        </span>
      )}
    </a>
  )
}

function formatPreviewPlayLabel({ resumedProgress, episode }: PlayAction): string {
  const actionLabel = t(resumedProgress ? 'common:resume' : 'common:play')
  return episode ? `${actionLabel} · ${t('common:episodeCode', episode)}` : actionLabel
}
