import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Signal } from '../../../lib/contract/recommend.ts'
import { t, tData } from '../../../lib/i18n/t.ts'
import { $signals, switchSignal } from '../../../lib/stores/taste.ts'
import { Button } from '../../../ui/Button.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { ErrorView } from '../../ErrorView.tsx'

const GROUPS = [
  ['taste:liked', ['liked']],
  ['taste:watched', ['watched', 'completed']],
  ['taste:inList', ['in_list']],
  ['taste:genres', ['genre']],
] as const
const FIRST = 8

/** What recommendations go by; each can be switched off. */
export function Signals() {
  const { data, error } = useStore($signals)
  return (
    <section aria-labelledby="taste-signals" className="flex flex-col gap-6">
      <div>
        <h2 id="taste-signals" className="text-lg font-bold">
          {t('taste:signals')}
        </h2>
        <p className="text-muted">{t('taste:signalsHint')}</p>
      </div>
      {error && !data && <ErrorView error={error} />}
      {!data && !error && <div role="status" aria-label={t('common:loading')} className="skeleton h-32" />}
      {data?.results.every((one) => one.kind === 'disliked') && (
        <p className="text-muted">{t('taste:signalsEmpty')}</p>
      )}
      {GROUPS.map(([key, kinds]) => (
        <Group
          key={key}
          heading={t(key)}
          signals={data?.results.filter((one) => kinds.some((kind) => kind === one.kind)) ?? []}
        />
      ))}
    </section>
  )
}

function Group({ heading, signals }: { heading: string; signals: Signal[] }) {
  const [all, setAll] = useState(false)
  /* Shows at once what was switched; the answer that follows says the same. */
  const [wanted, setWanted] = useState<Record<string, boolean>>({})
  if (signals.length === 0) return null
  const rows = byTitle(signals)
  const turn = async (signal: string, off: boolean) => {
    setWanted((before) => ({ ...before, [signal]: off }))
    if (await switchSignal(signal, off)) return
    setWanted(({ [signal]: _failed, ...before }) => before)
  }
  return (
    <section aria-label={heading}>
      <h3 className="font-semibold text-muted">{heading}</h3>
      <div className="divide-y divide-line">
        {rows.slice(0, all ? undefined : FIRST).map(([key, [first, ...others]]) => (
          <Switch
            key={key}
            label={first.title ?? tData(`genres:${first.genre}`, String(first.genre))}
            checked={[first, ...others].some(({ signal, off }) => !(wanted[signal] ?? off))}
            onChange={(on) => {
              for (const { signal } of [first, ...others]) void turn(signal, !on)
            }}
          />
        ))}
      </div>
      {!all && rows.length > FIRST && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {t('common:showMore')}
        </Button>
      )}
    </section>
  )
}

/** A series that is watched and marked as completed is one line, which switches both. */
function byTitle(signals: Signal[]): [string, [Signal, ...Signal[]]][] {
  const rows = new Map<string, [Signal, ...Signal[]]>()
  for (const one of signals) {
    const key = one.media_id ?? one.signal
    const row = rows.get(key)
    if (row) row.push(one)
    else rows.set(key, [one])
  }
  return [...rows]
}
