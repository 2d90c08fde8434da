import { useStore } from '@nanostores/react'
import { Pause, Play, RotateCw } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { SKIP_SECONDS } from '../../lib/rules/player-keys.ts'
import { ControlButton } from './ControlButton.tsx'
import { togglePlaybackByButton } from './keyboard.ts'
import { $isPaused, skipSeconds } from './video-element.ts'

/**
 * The buttons to skip back, play or pause, and skip forward, in this order in every language. `isLarge` is
 * the variant for phones.
 */
export function TransportControls({ isLarge = false }: { isLarge?: boolean }) {
  const isPaused = useStore($isPaused)
  const iconSizePx = isLarge ? 34 : 26
  const skipLabel = <span className="numbers absolute text-[0.55rem] font-bold">{SKIP_SECONDS}</span>
  return (
    <div dir="ltr" className={`flex items-center ${isLarge ? 'gap-8' : 'gap-1'}`}>
      <ControlButton isLarge={isLarge} label={t('watch:back10')} onClick={() => skipSeconds(-SKIP_SECONDS)}>
        <RotateCw aria-hidden size={iconSizePx} className="-scale-x-100" />
        {skipLabel}
      </ControlButton>
      <ControlButton
        isLarge={isLarge}
        data-play
        label={t(isPaused ? 'common:play' : 'watch:pause')}
        onClick={togglePlaybackByButton}
      >
        {isPaused ? (
          <Play aria-hidden size={iconSizePx} fill="currentColor" />
        ) : (
          <Pause aria-hidden size={iconSizePx} fill="currentColor" />
        )}
      </ControlButton>
      <ControlButton isLarge={isLarge} label={t('watch:forward10')} onClick={() => skipSeconds(SKIP_SECONDS)}>
        <RotateCw aria-hidden size={iconSizePx} />
        {skipLabel}
      </ControlButton>
    </div>
  )
}
