import { useState } from 'react'
import type { WatchlistEntry, WatchState } from '../../lib/contract/watchlist.ts'
import { t } from '../../lib/i18n/t.ts'
import { WATCH_STATES } from '../../lib/rules/limits.ts'
import { changeSeveral } from '../../lib/stores/list-bulk.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'

interface Props {
  chosen: readonly WatchlistEntry[]
  onAll: () => void
  onDone: () => void
}

/** What can be done to the titles that are ticked. */
export function BulkBar({ chosen, onAll, onDone }: Props) {
  const [busy, setBusy] = useState(false)
  const change = async (wish: Parameters<typeof changeSeveral>[1]) => {
    setBusy(true)
    const done = await changeSeveral(chosen, wish, 'mylist:changed')
    setBusy(false)
    if (done) onDone()
  }
  const none = busy || chosen.length === 0
  const starred = chosen.length > 0 && chosen.every((one) => one.favorite)
  return (
    <section
      aria-label={t('mylist:select')}
      className="sticky top-(--header) z-20 flex flex-wrap items-center gap-3 rounded-md border border-line bg-overlay p-3"
    >
      <p role="status" className="numbers font-semibold">
        {t('mylist:chosen', { count: chosen.length })}
      </p>
      <Button look="quiet" onClick={onAll}>
        {t('mylist:selectAll')}
      </Button>
      <div className="grow" />
      <Select<WatchState | ''>
        bare
        label={t('mylist:setState')}
        value=""
        options={[
          { value: '', label: t('mylist:setState') },
          ...WATCH_STATES.map((state) => ({ value: state, label: t(`mylist:${state}`) })),
        ]}
        onChange={(state) => !none && state && void change({ state })}
      />
      <Button disabled={none} onClick={() => void change({ favorite: !starred })}>
        {t(starred ? 'mylist:unfavorite' : 'mylist:favorite')}
      </Button>
      <Button disabled={none} onClick={() => void change({ in_watchlist: false })}>
        {t('common:removeFromList')}
      </Button>
      <Button look="primary" onClick={onDone}>
        {t('common:done')}
      </Button>
    </section>
  )
}
