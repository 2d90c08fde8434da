import { lazy, Suspense, useState } from 'react'
import type { WatchlistEntry, WatchState } from '../../lib/contract/watchlist.ts'
import { t } from '../../lib/i18n/t.ts'
import { WATCH_STATES } from '../../lib/rules/limits.ts'
import { completeTitles } from '../../lib/stores/watch-state.ts'
import { changeWatchlistEntries } from '../../lib/stores/watchlist-bulk.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useStickyBar } from '../sticky-bar.ts'

const AddToListDialog = lazy(() => import('../lists/AddToListDialog.tsx'))

interface Props {
  entries: readonly WatchlistEntry[]
  onSelectAll: () => void
  onDone: () => void
}

/** Actions for the selected titles. */
export function BulkActionBar({ entries, onSelectAll, onDone }: Props) {
  const [isAddingToList, setIsAddingToList] = useState(false)
  const [isSubmitting, runAction] = useAction()
  const barRef = useStickyBar<HTMLElement>()
  const applyChange = (change: Parameters<typeof changeWatchlistEntries>[1]) =>
    runAction(() => changeEntries(change))
  const changeEntries = async (change: Parameters<typeof changeWatchlistEntries>[1]) => {
    const hasSucceeded =
      change.state === 'completed'
        ? await completeTitles(entries, 'mylist:changed')
        : await changeWatchlistEntries(entries, change, 'mylist:changed')
    if (hasSucceeded) onDone()
  }
  const isDisabled = entries.length === 0
  const areAllFavourites = entries.length > 0 && entries.every((entry) => entry.favorite)
  return (
    <section
      ref={barRef}
      aria-label={t('mylist:select')}
      className="top-(--header) z-20 flex flex-wrap items-center gap-3 rounded-md border border-line bg-overlay p-3 [@media(min-height:30rem)]:sticky"
    >
      <p role="status" className="numbers font-semibold">
        {t('mylist:chosen', { count: entries.length })}
      </p>
      <Button variant="quiet" onClick={onSelectAll}>
        {t('mylist:selectAll')}
      </Button>
      <div className="ms-auto flex flex-wrap gap-3">
        <Select<WatchState | ''>
          isLabelHidden
          label={t('mylist:setState')}
          value=""
          options={[
            { value: '', label: t('mylist:setState') },
            ...WATCH_STATES.map((state) => ({ value: state, label: t(`mylist:${state}`) })),
          ]}
          onChange={(state) => !isDisabled && state && void applyChange({ state })}
        />
        <Button
          disabled={isDisabled}
          aria-disabled={isSubmitting}
          onClick={() => void applyChange({ state: 'completed' })}
        >
          {t('common:markSeen')}
        </Button>
        <Button
          disabled={isDisabled}
          aria-disabled={isSubmitting}
          onClick={() => void applyChange({ favorite: !areAllFavourites })}
        >
          {t(areAllFavourites ? 'mylist:unfavorite' : 'mylist:favorite')}
        </Button>
        <Button
          disabled={isDisabled}
          aria-disabled={isSubmitting}
          onClick={() => !isSubmitting && setIsAddingToList(true)}
        >
          {t('lists:add')}
        </Button>
        <Button
          disabled={isDisabled}
          aria-disabled={isSubmitting}
          onClick={() => void applyChange({ in_watchlist: false })}
        >
          {t('common:removeFromList')}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t('common:done')}
        </Button>
      </div>
      {isAddingToList && (
        <Suspense>
          <AddToListDialog
            titles={entries.map(({ type, media_id }) => ({ type, id: media_id }))}
            heading={t('lists:add')}
            onClose={() => setIsAddingToList(false)}
          />
        </Suspense>
      )}
    </section>
  )
}
