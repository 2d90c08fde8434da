import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { SkipForward } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { getSkipIntroState } from '../../lib/rules/player-prompts.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { getButtonClass } from '../../ui/Button.tsx'
import { isInRemoteControlMode } from '../navigation-state.ts'
import { $areControlsVisible } from './controls.ts'
import { blurControls, skipIntro } from './keyboard.ts'
import { $positionSeconds } from './video-element.ts'

/**
 * Button to skip the intro. It is visible for eight seconds after playback has reached the intro. During the rest of
 * the intro, it is visible only while the controls are visible. The S key works during the whole intro. With a remote
 * control, the OK key works while the button is visible.
 */
export function SkipIntro({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const positionSeconds = useStore($positionSeconds)
  const areControlsVisible = useStore($areControlsVisible)
  const enteredAtSecondsRef = useRef<number | null>(null)
  const { intro } = readyPlayer.stream
  const { isOffered } = getSkipIntroState(intro, {
    positionSeconds,
    enteredAtSeconds: enteredAtSecondsRef.current,
    areControlsVisible,
  })
  if (!isOffered) enteredAtSecondsRef.current = null
  else enteredAtSecondsRef.current ??= positionSeconds
  const { isButtonVisible } = getSkipIntroState(intro, {
    positionSeconds,
    enteredAtSeconds: enteredAtSecondsRef.current,
    areControlsVisible,
  })
  return (
    <>
      <p role="status" className="sr-only">
        {isOffered && t('watch:skipIntro')}
      </p>
      {isButtonVisible && <SkipIntroButton />}
    </>
  )
}

/** If a remote control is in use and no other element has the focus, the button takes the focus. */
function SkipIntroButton() {
  const buttonRef = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isInRemoteControlMode() && document.activeElement === document.body)
      buttonRef.current?.focus({ preventScroll: true })
  }, [])
  return (
    <button
      ref={buttonRef}
      type="button"
      data-skip-intro
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
