import { useStore } from '@nanostores/react'
import { Pause, Play, RotateCw } from 'lucide-react'
import { t } from '../../lib/i18n/t.ts'
import { STEP } from '../../lib/rules/player-keys.ts'
import { $paused, skip, toggle } from './deck.ts'
import { Knob } from './Knob.tsx'

/** Skip back, play or pause, skip forward: in this order in every language. `big` is the variant for phones. */
export function Transport({ big = false }: { big?: boolean }) {
  const paused = useStore($paused)
  const iconSize = big ? 34 : 26
  const skipLabel = <span className="numbers absolute text-[0.55rem] font-bold">{STEP}</span>
  return (
    <div dir="ltr" className={`flex items-center ${big ? 'gap-8' : 'gap-1'}`}>
      <Knob big={big} label={t('watch:back10')} onClick={() => skip(-STEP)}>
        <RotateCw aria-hidden size={iconSize} className="-scale-x-100" />
        {skipLabel}
      </Knob>
      <Knob big={big} data-play label={t(paused ? 'common:play' : 'watch:pause')} onClick={toggle}>
        {paused ? (
          <Play aria-hidden size={iconSize} fill="currentColor" />
        ) : (
          <Pause aria-hidden size={iconSize} fill="currentColor" />
        )}
      </Knob>
      <Knob big={big} label={t('watch:forward10')} onClick={() => skip(STEP)}>
        <RotateCw aria-hidden size={iconSize} />
        {skipLabel}
      </Knob>
    </div>
  )
}
