import { useStore } from '@nanostores/react'
import { SkipForward } from 'lucide-react'
import { useRef } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { introOffer } from '../../lib/rules/player-next.ts'
import type { Ready } from '../../lib/stores/player.ts'
import { buttonLook } from '../../ui/Button.tsx'
import { $controls } from './controls.ts'
import { $time } from './deck.ts'
import { letGo, skipIntro } from './keys.ts'

/** Shown for eight seconds, afterwards together with the controls. The S key works as long as the intro lasts. */
export function SkipIntro({ ready }: { ready: Ready }) {
  const positionSeconds = useStore($time)
  const controlsVisible = useStore($controls)
  const offeredSinceSeconds = useRef<number | null>(null)
  const { intro } = ready.stream
  const { offered } = introOffer(intro, {
    time: positionSeconds,
    entered: offeredSinceSeconds.current,
    controls: controlsVisible,
  })
  if (!offered) offeredSinceSeconds.current = null
  else offeredSinceSeconds.current ??= positionSeconds
  if (
    !introOffer(intro, {
      time: positionSeconds,
      entered: offeredSinceSeconds.current,
      controls: controlsVisible,
    }).seen
  )
    return null
  return (
    <button
      type="button"
      onClick={() => {
        skipIntro()
        letGo()
      }}
      className={`${buttonLook('plain')} pointer-events-auto absolute end-(--edge) bottom-36 animate-[rise_200ms_var(--ease-out)]`}
    >
      <SkipForward aria-hidden size={20} />
      {t('watch:skipIntro')}
    </button>
  )
}
