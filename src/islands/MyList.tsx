import { useStore } from '@nanostores/react'
import { ListVideo } from 'lucide-react'
import { currentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { WATCH_STATES } from '../lib/rules/limits.ts'
import { $addedAway } from '../lib/stores/added.ts'
import {
  $entries,
  $listed,
  $listFilters,
  $watchlist,
  setInList,
  setWatchState,
} from '../lib/stores/watchlist.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { Select } from '../ui/Select.tsx'
import { State } from '../ui/State.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ErrorView } from './ErrorView.tsx'
import { Poster } from './media/Poster.tsx'
import { Page } from './Page.tsx'

const SORTS = [
  ['added_at.desc', 'mylist:addedDesc'],
  ['added_at.asc', 'mylist:addedAsc'],
  ['title.asc', 'mylist:titleAsc'],
  ['title.desc', 'mylist:titleDesc'],
  ['year.desc', 'mylist:yearDesc'],
  ['year.asc', 'mylist:yearAsc'],
] as const

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
  const added = useStore($addedAway)
  const known = data?.results.filter(
    (entry) => listed[`${entry.type}/${entry.media_id}`]?.in_watchlist !== false,
  )
  const isKnown = (entry: (typeof added)[number]) =>
    known?.some((one) => one.media_id === entry.media_id && one.type === entry.type)
  const rows = [...added.filter((entry) => !isKnown(entry)), ...(known ?? [])]
  const unfiltered = filters.type === 'all' && filters.state === 'all'
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <h1 className="text-2xl font-black">{t('mylist:title')}</h1>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <Tabs
          label={t('mylist:title')}
          value={filters.type}
          tabs={tabs}
          onChange={(type) => $listFilters.setKey('type', type)}
        />
        <div className="flex flex-wrap gap-3">
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
        </div>
      </div>
      {error && !data && rows.length === 0 ? (
        <ErrorView error={error} />
      ) : data && rows.length === 0 ? (
        <Empty unfiltered={unfiltered} />
      ) : (
        <ul className="card-grid">
          {rows.map((entry) => {
            const title = { type: entry.type, id: entry.media_id }
            const state = listed[`${entry.type}/${entry.media_id}`]?.state ?? entry.state ?? 'planned'
            return (
              <li key={`${entry.type}${entry.media_id}`} className="flex flex-col gap-2">
                <Poster media={entry.media} caption />
                <Select
                  bare
                  label={t('mylist:changeState', { title: entry.media.title })}
                  value={state}
                  options={WATCH_STATES.map((one) => ({ value: one, label: t(`mylist:${one}`) }))}
                  onChange={(wanted) => void setWatchState(title, wanted)}
                />
                <Button
                  look="quiet"
                  className="text-sm"
                  onClick={() => {
                    $entries.setKey(`${title.type}/${title.id}`, entry)
                    void setInList(title, false)
                  }}
                >
                  {t('common:removeFromList')}
                </Button>
              </li>
            )
          })}
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
