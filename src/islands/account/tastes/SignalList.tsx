import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { RecommendationSignal } from '../../../lib/contract/recommendations.ts'
import { t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { $recommendationSignals } from '../../../lib/stores/recommendation-settings.ts'
import { switchSignal } from '../../../lib/stores/signal-switches.ts'
import { Button } from '../../../ui/Button.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { ErrorView } from '../../ErrorView.tsx'

const SIGNAL_GROUPS = [
  ['taste:liked', ['liked']],
  ['taste:watched', ['watched', 'completed']],
  ['taste:inList', ['in_list']],
  ['taste:genres', ['genre']],
] as const
const INITIAL_ROW_COUNT = 8

/**
 * The signals that recommendations use, except dislikes. Each title and genre has a switch that turns its signals
 * off.
 */
export function SignalList() {
  const { data: signalsReply, error } = useStore($recommendationSignals)
  return (
    <section aria-labelledby="taste-signals" className="flex flex-col gap-6">
      <div>
        <h2 id="taste-signals" className="text-lg font-bold">
          {t('taste:signals')}
        </h2>
        <p className="text-muted">{t('taste:signalsHint')}</p>
      </div>
      {error && !signalsReply && <ErrorView isInSection error={error} />}
      {!signalsReply && !error && (
        <div role="status" aria-label={t('common:loading')} className="skeleton h-32" />
      )}
      {signalsReply?.results.every((signal) => signal.kind === 'disliked') && (
        <p className="text-muted">{t('taste:signalsEmpty')}</p>
      )}
      {SIGNAL_GROUPS.map(([groupKey, signalKinds]) => (
        <SignalGroup
          key={groupKey}
          heading={t(groupKey)}
          signals={
            signalsReply?.results.filter((signal) => signalKinds.some((kind) => kind === signal.kind)) ?? []
          }
        />
      ))}
    </section>
  )
}

function SignalGroup({ heading, signals }: { heading: string; signals: RecommendationSignal[] }) {
  const [isExpanded, setIsExpanded] = useState(false)
  if (signals.length === 0) return null
  const signalsByTitle = groupByTitle(signals)
  return (
    <section aria-label={heading}>
      <h3 className="font-semibold text-muted">{heading}</h3>
      <div className="divide-y divide-line">
        {signalsByTitle
          .slice(0, isExpanded ? undefined : INITIAL_ROW_COUNT)
          .map(([groupKey, [firstSignal, ...otherSignals]]) => (
            <Switch
              key={groupKey}
              label={
                firstSignal.title ??
                translateDynamicKey(`genres:${firstSignal.genre}`, String(firstSignal.genre))
              }
              checked={[firstSignal, ...otherSignals].some(({ off }) => !off)}
              onChange={(checked) => {
                for (const { signal } of [firstSignal, ...otherSignals]) void switchSignal(signal, checked)
              }}
            />
          ))}
      </div>
      {!isExpanded && signalsByTitle.length > INITIAL_ROW_COUNT && (
        <Button variant="quiet" onClick={() => setIsExpanded(true)}>
          {t('common:showMore')}
        </Button>
      )}
    </section>
  )
}

/**
 * Groups signals, so that one switch controls all signals of a title. Returns pairs of a key
 * and the signals of the group. The key is the id of the title or, for a signal without a title, the id of the signal.
 */
function groupByTitle(
  signals: RecommendationSignal[],
): [string, [RecommendationSignal, ...RecommendationSignal[]]][] {
  const groupsByKey = new Map<string, [RecommendationSignal, ...RecommendationSignal[]]>()
  for (const signal of signals) {
    const groupKey = signal.media_id ?? signal.signal
    const group = groupsByKey.get(groupKey)
    if (group) group.push(signal)
    else groupsByKey.set(groupKey, [signal])
  }
  return [...groupsByKey]
}
