import { useStore } from '@nanostores/react'
import { SkipForward } from 'lucide-react'
import { useRef } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { getSkipIntroState } from '../../lib/rules/player-prompts.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { getButtonClass } from '../../ui/Button.tsx'
import { $areControlsVisible } from './controls.ts'
import { blurControls, skipIntro } from './keyboard.ts'
import { $positionSeconds } from './video-element.ts'

/**
 * Button to skip the intro. It is visible for eight seconds after playback has reached the intro. During the rest of
 * the intro, it is visible only while the controls are visible. The S key works during the whole intro.
 */
export function SkipIntro({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const positionSeconds = useStore($positionSeconds)
  const areControlsVisible = useStore($areControlsVisible)
  const offeredAtSecondsRef = useRef<number | null>(null)
  const { intro } = readyPlayer.stream
  const { isOffered } = getSkipIntroState(intro, {
    positionSeconds,
    enteredAtSeconds: offeredAtSecondsRef.current,
    areControlsVisible,
  })
  if (!isOffered) offeredAtSecondsRef.current = null
  else offeredAtSecondsRef.current ??= positionSeconds
  if (
    !getSkipIntroState(intro, {
      positionSeconds,
      enteredAtSeconds: offeredAtSecondsRef.current,
      areControlsVisible,
    }).isButtonVisible
  )
    return null
  return (
    <button
      type="button"
      onClick={() => {
        skipIntro()
        blurControls()
      }}
      className={`${getButtonClass('plain')} pointer-events-auto absolute end-(--edge) bottom-36 animate-[rise_200ms_var(--ease-out)]`}
    >
      <SkipForward aria-hidden size={20} />
      {t('watch:skipIntro')}
    </button>
  )
}
