import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { Volume1, Volume2, VolumeX } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { ControlButton } from './ControlButton.tsx'
import { $volumeState, changeVolume, setVolume, toggleMute } from './video-element.ts'

/** Mute button and volume slider. The mouse wheel changes the volume only over these controls. */
export function VolumeControl() {
  const { volume, muted } = useStore($volumeState)
  const shownVolume = muted ? 0 : volume
  const containerRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const changeVolumeByWheel = (event: WheelEvent) => {
      event.preventDefault()
      changeVolume(event.deltaY < 0 ? 0.05 : -0.05)
    }
    const containerElement = containerRef.current
    /*
     * The listener is added without React, because React registers wheel listeners as passive, and these
     * cannot call preventDefault().
     */
    containerElement?.addEventListener('wheel', changeVolumeByWheel, { passive: false })
    return () => containerElement?.removeEventListener('wheel', changeVolumeByWheel)
  }, [])
  const Icon = shownVolume === 0 ? VolumeX : shownVolume < 0.5 ? Volume1 : Volume2
  return (
    <div ref={containerRef} dir="ltr" className="pointer-events-auto flex items-center">
      <ControlButton label={t(shownVolume === 0 ? 'watch:unmute' : 'watch:mute')} onClick={toggleMute}>
        <Icon aria-hidden />
      </ControlButton>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={shownVolume}
        aria-label={t('watch:volume')}
        aria-valuetext={`${Math.round(shownVolume * 100)}%`}
        onChange={(event) => setVolume(Number(event.target.value))}
        className="hidden w-24 accent-(--color-white) md:block"
      />
    </div>
  )
}
