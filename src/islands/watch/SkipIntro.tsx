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

/** Seen for eight seconds, then with the controls; "S" does it while it is offered. */
export function SkipIntro({ ready }: { ready: Ready }) {
  const time = useStore($time)
  const controls = useStore($controls)
  const entered = useRef<number | null>(null)
  const { intro } = ready.stream
  const { offered } = introOffer(intro, { time, entered: entered.current, controls })
  if (!offered) entered.current = null
  else entered.current ??= time
  if (!introOffer(intro, { time, entered: entered.current, controls }).seen) return null
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
