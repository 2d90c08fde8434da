import { useStore } from '@nanostores/react'
import { ListVideo, Star } from 'lucide-react'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { currentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { WATCH_STATES } from '../lib/rules/limits.ts'
import {
  $addedAway,
  $listFilters,
  $moreListed,
  $myList,
  LIST_SORTS,
  type ListFilters,
  loadMoreListed,
  openMyList,
  readListFilters,
  writeListFilters,
} from '../lib/stores/my-list.ts'
import { $profile } from '../lib/stores/profile.ts'
import { $listed } from '../lib/stores/watchlist.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { Select } from '../ui/Select.tsx'
import { State } from '../ui/State.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ErrorView } from './ErrorView.tsx'
import { Endless } from './media/Endless.tsx'
import { BulkBar } from './mylist/BulkBar.tsx'
import { Entry } from './mylist/Entry.tsx'
import { Page } from './Page.tsx'

const keyOf = (entry: { type: string; media_id: string }) => `${entry.type}/${entry.media_id}`

export default function MyList() {
  return (
    <Page>
      <List />
    </Page>
  )
}

/** What is known of the list, with what was changed since laid over it. */
function useRows() {
  const { items } = useStore($myList)
  const listed = useStore($listed)
  const away = useStore($addedAway)
  return useMemo(() => {
    const known = new Set(items.map(keyOf))
    return [...away.filter((entry) => !known.has(keyOf(entry))), ...items]
      .map((entry) => {
        /* The same object where nothing changed: its card is not drawn again. */
        const since = listed[keyOf(entry)]
        return since ? { ...entry, ...since } : entry
      })
      .filter((entry) => entry.in_watchlist)
  }, [items, listed, away])
}

function change(part: Partial<ListFilters>): void {
  const next = { ...$listFilters.get(), ...part }
  history.replaceState(history.state, '', location.pathname + writeListFilters(next))
  openMyList(next)
}

function List() {
  const profile = useStore($profile)
  /* Before the first picture, which on Back is the list as it was left. */
  useState(() => openMyList(readListFilters(location.search)))
  useEffect(() => {
    if (profile) openMyList($listFilters.get())
  }, [profile])
  const filters = useStore($listFilters)
  const { items, total, loading, error } = useStore($myList)
  const more = useStore($moreListed)
  const rows = useRows()
  const [chosen, setChosen] = useState<Set<string> | null>(null)
  const choose = useCallback(
    (key: string) => setChosen((before) => new Set([key]).symmetricDifference(before ?? new Set())),
    [],
  )
  const ticked = useDeferredValue(chosen)
  const unfiltered = writeListFilters({ ...filters, sort: 'added_at.desc' }) === ''
  const many = total === null ? null : total + rows.length - items.length
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24" data-my-list>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl font-black">{t('mylist:title')}</h1>
        <p aria-live="polite" className="numbers text-muted">
          {many !== null && t('common:titles', { count: many })}
        </p>
      </div>
      <Choices
        filters={filters}
        hidden={total === 0 && unfiltered}
        choosing={chosen !== null}
        onChoose={() => setChosen(chosen ? null : new Set())}
      />
      {chosen && (
        <BulkBar
          chosen={rows.filter((entry) => chosen.has(keyOf(entry)))}
          onAll={() => setChosen(new Set(rows.map(keyOf)))}
          onDone={() => setChosen(null)}
        />
      )}
      {error && rows.length === 0 ? (
        <ErrorView error={error} />
      ) : total !== null && rows.length === 0 && !more ? (
        <Empty unfiltered={unfiltered} />
      ) : (
        <ul className="card-grid">
          {rows.map((entry) => (
            <Entry key={keyOf(entry)} entry={entry} chosen={ticked?.has(keyOf(entry))} onChoose={choose} />
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <Endless
          more={more}
          loading={loading}
          failed={error !== null}
          end={t('mylist:allLoaded')}
          onMore={loadMoreListed}
        />
      )}
    </div>
  )
}

interface ChoicesProps {
  filters: ListFilters
  hidden: boolean
  choosing: boolean
  onChoose: () => void
}

/** Tabs, status and order, favourites alone; and the way into choosing several. */
function Choices({ filters, hidden, choosing, onChoose }: ChoicesProps) {
  const tabs = [
    { value: 'all' as const, label: t('common:all') },
    { value: 'movie' as const, label: t('common:movies') },
    { value: 'tv' as const, label: t('common:tvShows') },
  ]
  return (
    <div className="flex flex-wrap items-end justify-between gap-4" hidden={hidden}>
      <Tabs
        label={t('mylist:title')}
        value={filters.type}
        tabs={tabs}
        onChange={(type) => change({ type })}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:w-full sm:flex">
        <Select
          label={t('mylist:status')}
          value={filters.state}
          options={[
            { value: 'all', label: t('common:all') },
            ...WATCH_STATES.map((state) => ({ value: state, label: t(`mylist:${state}`) })),
          ]}
          onChange={(state) => change({ state: state as typeof filters.state })}
        />
        <Select
          label={t('mylist:sort')}
          value={filters.sort}
          options={LIST_SORTS.map(([value, key]) => ({ value, label: t(key) }))}
          onChange={(sort) => change({ sort })}
        />
        <Button
          className="self-end"
          aria-pressed={filters.favorite}
          icon={<Star aria-hidden size={18} fill={filters.favorite ? 'currentColor' : 'none'} />}
          onClick={() => change({ favorite: !filters.favorite })}
        >
          {t('mylist:favorites')}
        </Button>
        <Button className="self-end" aria-pressed={choosing} onClick={onChoose}>
          {t('mylist:select')}
        </Button>
      </div>
    </div>
  )
}

function Empty({ unfiltered }: { unfiltered: boolean }) {
  if (!unfiltered) return <State icon={<ListVideo />} title={t('mylist:nothingHere')} />
  const browse = (
    <a className={buttonLook('primary')} href={href('movies', currentLocale())}>
      {t('mylist:browse')}
    </a>
  )
  return <State icon={<ListVideo />} title={t('mylist:empty')} hint={t('mylist:emptyHint')} action={browse} />
}
