import { useStore } from '@nanostores/react'
import { ListVideo, Star } from 'lucide-react'
import { useState } from 'react'
import { currentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { WATCH_STATES } from '../lib/rules/limits.ts'
import { $addedAway } from '../lib/stores/added.ts'
import { $listed, $listFilters, $watchlist } from '../lib/stores/watchlist.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { Select } from '../ui/Select.tsx'
import { State } from '../ui/State.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ErrorView } from './ErrorView.tsx'
import { BulkBar } from './mylist/BulkBar.tsx'
import { Entry } from './mylist/Entry.tsx'
import { Page } from './Page.tsx'

const SORTS = [
  ['added_at.desc', 'mylist:addedDesc'],
  ['added_at.asc', 'mylist:addedAsc'],
  ['title.asc', 'mylist:titleAsc'],
  ['title.desc', 'mylist:titleDesc'],
  ['year.desc', 'mylist:yearDesc'],
  ['year.asc', 'mylist:yearAsc'],
] as const

const keyOf = (entry: { type: string; media_id: string }) => `${entry.type}/${entry.media_id}`

export default function MyList() {
  return (
    <Page>
      <List />
    </Page>
  )
}

function List() {
  const filters = useStore($listFilters)
  const { data, error } = useStore($watchlist)
  const listed = useStore($listed)
  const tabs = [
    { value: 'all' as const, label: t('common:all') },
    { value: 'movie' as const, label: t('common:movies') },
    { value: 'tv' as const, label: t('common:tvShows') },
  ]
  const known = new Set(data?.results.map(keyOf))
  const added = useStore($addedAway).filter((entry) => !filters.favorite && !known.has(keyOf(entry)))
  const rows = [...added, ...(data?.results ?? [])]
    .map((entry) => ({ ...entry, ...listed[keyOf(entry)] }))
    .filter((entry) => entry.in_watchlist)
  const [chosen, setChosen] = useState<Set<string> | null>(null)
  const none = data?.results.length === 0
  const unfiltered = filters.type === 'all' && filters.state === 'all' && !filters.favorite
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <h1 className="text-2xl font-black">{t('mylist:title')}</h1>
      <div className="flex flex-wrap items-end justify-between gap-4" hidden={none && unfiltered}>
        <Tabs
          label={t('mylist:title')}
          value={filters.type}
          tabs={tabs}
          onChange={(type) => $listFilters.setKey('type', type)}
        />
        <div className="grid grid-cols-2 gap-3 max-sm:w-full sm:flex">
          <Select
            label={t('mylist:status')}
            value={filters.state}
            options={[
              { value: 'all', label: t('common:all') },
              ...WATCH_STATES.map((state) => ({ value: state, label: t(`mylist:${state}`) })),
            ]}
            onChange={(state) => $listFilters.setKey('state', state as typeof filters.state)}
          />
          <Select
            label={t('mylist:sort')}
            value={filters.sort}
            options={SORTS.map(([value, key]) => ({ value, label: t(key) }))}
            onChange={(sort) => $listFilters.setKey('sort', sort)}
          />
          <Button
            className="self-end"
            aria-pressed={filters.favorite}
            icon={<Star aria-hidden size={18} fill={filters.favorite ? 'currentColor' : 'none'} />}
            onClick={() => $listFilters.setKey('favorite', !filters.favorite)}
          >
            {t('mylist:favorites')}
          </Button>
          <Button
            className="self-end"
            aria-pressed={chosen !== null}
            onClick={() => setChosen(chosen ? null : new Set())}
          >
            {t('mylist:select')}
          </Button>
        </div>
      </div>
      {chosen && (
        <BulkBar
          chosen={rows.filter((entry) => chosen.has(keyOf(entry)))}
          onAll={() => setChosen(new Set(rows.map(keyOf)))}
          onDone={() => setChosen(null)}
        />
      )}
      {error && !data && rows.length === 0 ? (
        <ErrorView error={error} />
      ) : data && rows.length === 0 ? (
        <Empty unfiltered={unfiltered} />
      ) : (
        <ul className="card-grid">
          {rows.map((entry) => (
            <Entry
              key={keyOf(entry)}
              entry={entry}
              chosen={chosen?.has(keyOf(entry))}
              onChoose={() => setChosen(new Set([keyOf(entry)]).symmetricDifference(chosen ?? new Set()))}
            />
          ))}
        </ul>
      )}
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
