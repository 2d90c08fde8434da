import { useStore } from '@nanostores/react'
import { Hourglass, Info } from '../../icons/index.ts'
import type { WatchNextItem } from '../../lib/contract/watch-next.ts'
import { formatRuntime, formatTimeLeft } from '../../lib/i18n/format.ts'
import { formatClockTime } from '../../lib/i18n/format-clock-time.ts'
import { t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { getEndMinuteOfDay } from '../../lib/rules/end-by.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { Name, TitleName } from '../media/Name.tsx'
import { getPlayHref, getTitleHref, toEpisodeParams } from '../media/title-urls.ts'

interface Props {
  item: WatchNextItem
  /** Current time of day, in minutes since midnight. */
  currentMinute: number
  /** True if the item takes longer than the viewing time that remains today. */
  isTooLong: boolean
}

/**
 * Link that plays the item. If the item cannot be played here, the link opens the page of its title, which explains
 * why.
 */
export function WatchNextRow({ item, currentMinute, isTooLong }: Props) {
  const { media, episode, percentage, remaining_seconds: remainingSeconds, available } = item
  const isStarted = percentage > 0
  const areEpisodeSpoilersHidden = (useStore($profile)?.preferences.hide_spoilers ?? false) && !isStarted
  const isPlayable = available !== false
  const playLabel = isPlayable ? t(isStarted ? 'common:resume' : 'common:play') : t('common:moreInfo')
  return (
    <li className="relative flex min-w-0 items-center gap-2">
      <a
        href={getPlayHref({ ...media, available: isPlayable }, toEpisodeParams(episode))}
        className="flex min-w-0 grow items-center gap-4 rounded-md py-2 hover:bg-raised"
      >
        <span className="sr-only">{t('common:pair', { name: playLabel, value: '' })}</span>
        <StillImage
          src={(areEpisodeSpoilersHidden ? null : episode?.still_path) ?? media.backdrop_path}
          percentage={percentage}
        />
        <span className="min-w-0 grow wrap-anywhere">
          <TitleName title={media} className="clamp-2 block font-semibold" />
          {episode && (
            <span className="block text-sm text-muted">
              <bdi>
                {t('common:episodeCode', {
                  season: episode.season_number,
                  episode: episode.episode_number,
                })}
              </bdi>
              {episode.title && !areEpisodeSpoilersHidden && (
                <>
                  {' · '}
                  <Name text={episode.title} />
                </>
              )}
            </span>
          )}
          <span className="numbers flex flex-wrap gap-x-3 text-sm text-muted">
            {remainingSeconds !== null && (
              <>
                <bdi>{formatVideoLength(remainingSeconds, isStarted)}</bdi>{' '}
                <bdi className="text-ink">
                  {t('common:endsAt', {
                    time: formatClockTime(getEndMinuteOfDay(currentMinute, remainingSeconds)),
                  })}
                </bdi>
              </>
            )}{' '}
            {!isPlayable && <span>{t('common:notHere')}</span>}
          </span>
          {isTooLong && (
            <span className="flex items-center gap-2 text-sm text-muted">
              <Hourglass aria-hidden size={14} />
              {t('watchnext:tooLong')}
            </span>
          )}
        </span>
      </a>
      {isPlayable && (
        <a
          href={getTitleHref(media)}
          aria-label={t('common:pair', { name: t('common:moreInfo'), value: media.title })}
          title={t('common:moreInfo')}
          className="inline-grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
        >
          <Info aria-hidden size={20} />
        </a>
      )}
    </li>
  )
}

const formatVideoLength = (seconds: number, isStarted: boolean) =>
  isStarted ? formatTimeLeft(Math.max(1, Math.round(seconds / 60))) : formatRuntime(seconds)

function StillImage({ src, percentage }: { src: string | null; percentage: number }) {
  return (
    <span className="relative block aspect-video w-28 shrink-0 overflow-hidden rounded-md bg-raised md:w-44">
      <img
        src={getImageUrl(src, 'w500')}
        alt=""
        width="500"
        height="281"
        loading="lazy"
        className="size-full object-cover"
      />
      {percentage > 0 && (
        <span className="absolute inset-x-0 bottom-0 h-1.5 bg-black/60">
          <span
            className="block h-full bg-accent"
            ref={(progressBar) => progressBar?.style.setProperty('width', `${percentage}%`)}
          />
        </span>
      )}
    </span>
  )
}
