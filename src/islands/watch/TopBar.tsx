import { useStore } from '@nanostores/react'
import { computed } from 'nanostores'
import { Info, Keyboard } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { isTelevision } from '../../ui/is-television.ts'
import EndTime from '../media/EndTime.tsx'
import { Name, TitleName } from '../media/Name.tsx'
import { BackLink } from './BackLink.tsx'
import { ControlButton } from './ControlButton.tsx'
import { togglePanel } from './controls.ts'
import { $durationSeconds, $playbackRate, $positionSeconds } from './video-element.ts'

/**
 * Clock time at which the video ends at the current speed. It is hidden on phones, where the title needs the
 * width.
 */
function PlayerEndTime() {
  const remainingMinutes = useStore($remainingMinutes)
  return (
    <span className="shrink-0 text-sm text-white/80 max-md:hidden">
      <EndTime remainingSeconds={remainingMinutes * 60} />
    </span>
  )
}

/** Minutes until the end. Whole minutes avoid rendering the bar at every change of the position. */
const $remainingMinutes = computed(
  [$positionSeconds, $durationSeconds, $playbackRate],
  (positionSeconds, durationSeconds, playbackRate) =>
    Math.ceil(Math.max(0, durationSeconds - positionSeconds) / Math.max(playbackRate, 0.1) / 60),
)

export function TopBar({ readyPlayer: { media, episode } }: { readyPlayer: ReadyPlayerState }) {
  return (
    <div data-top className="edge pt-[max(1rem,env(safe-area-inset-top))] text-white">
      <div className="-mx-2.5 flex items-center gap-3">
        <BackLink variant="icon" />
        <h1 className="min-w-0 grow">
          <TitleName title={media} className="block truncate text-lg font-bold" />
          {episode && (
            <span className="flex text-sm text-white/80">
              <span className="numbers shrink-0">
                {t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })}
                {episode.title && '\u00a0·\u00a0'}
              </span>
              {/* The title is in a separate element, so that a long title is cut off at its end in both
                  text directions. */}
              <Name text={episode.title} className="truncate" />
            </span>
          )}
        </h1>
        <PlayerEndTime />
        <ControlButton label={t('watch:info')} aria-haspopup="dialog" onClick={() => togglePanel('info')}>
          <Info aria-hidden />
        </ControlButton>
        {!isTelevision() && (
          <ControlButton
            label={t('watch:keys')}
            aria-haspopup="dialog"
            onClick={() => togglePanel('keys')}
            className="max-md:hidden!"
          >
            <Keyboard aria-hidden />
          </ControlButton>
        )}
      </div>
    </div>
  )
}
