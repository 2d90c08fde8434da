import { useStore } from '@nanostores/react'
import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { $sound, changeVolume, setVolume, toggleMute } from './deck.ts'
import { Knob } from './Knob.tsx'

/** The wheel changes it only over this slider. */
export function Volume() {
  const { volume, muted } = useStore($sound)
  const shown = muted ? 0 : volume
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      changeVolume(event.deltaY < 0 ? 0.05 : -0.05)
    }
    const element = root.current
    /* React's own wheel listeners are passive. */
    element?.addEventListener('wheel', wheel, { passive: false })
    return () => element?.removeEventListener('wheel', wheel)
  }, [])
  const Icon = shown === 0 ? VolumeX : shown < 0.5 ? Volume1 : Volume2
  return (
    <div ref={root} dir="ltr" className="pointer-events-auto flex items-center">
      <Knob label={t(shown === 0 ? 'watch:unmute' : 'watch:mute')} onClick={toggleMute}>
        <Icon aria-hidden />
      </Knob>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={shown}
        aria-label={t('watch:volume')}
        aria-valuetext={`${Math.round(shown * 100)}%`}
        onChange={(event) => setVolume(Number(event.target.value))}
        className="hidden w-24 accent-(--color-white) md:block"
      />
    </div>
  )
}
