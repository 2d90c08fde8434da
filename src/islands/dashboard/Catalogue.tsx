import { useStore } from '@nanostores/react'
import { Clapperboard } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $adminMovies,
  $adminSeries,
  $editing,
  deleteTitles,
  publishTitles,
  TITLE_SORTS,
  TYPES,
  typeIn,
} from '../../lib/stores/admin/titles.ts'
import { $view, type Filters as Chosen, filterBy } from '../../lib/stores/admin/view.ts'
import { Action } from './kit/Action.tsx'
import { Confirm } from './kit/Confirm.tsx'
import { Choice, Filters, SearchBox, Switches } from './kit/Filters.tsx'
import { Head } from './kit/Head.tsx'
import { Blank, Table } from './kit/Table.tsx'
import { useAnswer } from './kit/use-answer.ts'
import { TitleDialog } from './library/TitleDialog.tsx'
import { titleColumns } from './library/title-columns.tsx'

export default function Catalogue() {
  const { filters } = useStore($view)
  const type = typeIn(filters)
  return (
    <div className="flex flex-col gap-6">
      <Head title={t('dashboard:section_catalogue')} hint={t('dashboardlibrary:catalogueHint')} />
      <Narrow filters={filters} />
      {/* Movies and shows are two lists: nothing of one stays when the other is shown. */}
      <List key={type} type={type} filters={filters} />
    </div>
  )
}

function Narrow({ filters }: { filters: Chosen }) {
  const choice = (
    name: string,
    options: readonly { value: string; label: string }[],
    label: string,
    any?: string,
  ) => (
    <Choice
      label={label}
      {...(any !== undefined && { any })}
      value={filters[name] ?? (any === undefined ? (options[0]?.value ?? '') : '')}
      options={options}
      onChange={(value) => filterBy({ [name]: value })}
    />
  )
  return (
    <Filters>
      <Switches
        label={t('dashboardlibrary:type')}
        value={typeIn(filters)}
        options={TYPES.map((value) => ({
          value,
          label: t(value === 'movie' ? 'common:movies' : 'common:tvShows'),
        }))}
        onChange={(type) => filterBy({ type: type === 'movie' ? '' : type })}
      />
      <SearchBox label={t('dashboardlibrary:searchTitles')} value={filters['search'] ?? ''} />
      {choice(
        'published',
        [
          { value: 'true', label: t('dashboardlibrary:published') },
          { value: 'false', label: t('dashboardlibrary:hidden') },
        ],
        t('dashboardlibrary:state'),
        t('dashboardlibrary:anyState'),
      )}
      {choice(
        'kids',
        [{ value: 'true', label: t('dashboardlibrary:safeForKids') }],
        t('dashboardlibrary:audience'),
        t('dashboardlibrary:anyAudience'),
      )}
      {choice(
        'sort',
        TITLE_SORTS.map((value) => ({ value, label: t(`dashboardlibrary:sort_${value}`) })),
        t('dashboardlibrary:sort'),
      )}
    </Filters>
  )
}

type Wish = { kind: 'delete' | 'hide'; ids: readonly string[] }

function List({ type, filters }: { type: (typeof TYPES)[number]; filters: Chosen }) {
  const answer = useAnswer(type === 'movie' ? $adminMovies : $adminSeries)
  const editing = useStore($editing)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [wish, setWish] = useState<Wish | null>(null)
  const rows = answer.data?.results ?? []
  const where = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is not in sight is not selected
  useEffect(() => setSelected(new Set()), [where])
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.title ?? ''
  const select = (id: string) => setSelected((before) => before.symmetricDifference(new Set([id])))
  const selectAll = () =>
    setSelected(selected.size === rows.length ? new Set() : new Set(rows.map(({ id }) => id)))
  return (
    <>
      {selected.size > 0 && (
        <Bulk
          count={selected.size}
          onPublish={() => void publishTitles([...selected], true).then(() => setSelected(new Set()))}
          onWish={(kind) => setWish({ kind, ids: [...selected] })}
          onClear={() => setSelected(new Set())}
        />
      )}
      <Table<MediaCard>
        label={t('dashboard:section_catalogue')}
        answer={answer}
        keyOf={(row) => row.id}
        columns={titleColumns((kind, id) => setWish({ kind, ids: [id] }))}
        selection={{ selected, onToggle: select, onAll: selectAll, nameOf }}
        empty={
          <Blank
            icon={<Clapperboard />}
            title={t('dashboardlibrary:noTitles')}
            hint={t('dashboardlibrary:noTitlesHint')}
          />
        }
      />
      {wish && (
        <Asking
          wish={wish}
          name={wish.ids.length === 1 ? nameOf(wish.ids[0] ?? '') : null}
          onClose={() => setWish(null)}
          onDone={() => setSelected(new Set())}
        />
      )}
      {editing && <TitleDialog onClose={() => $editing.set(null)} />}
    </>
  )
}

interface BulkProps {
  count: number
  onPublish: () => void
  onWish: (kind: Wish['kind']) => void
  onClear: () => void
}

/** What is done to all that is selected; it stays in sight. */
function Bulk({ count, onPublish, onWish, onClear }: BulkProps) {
  return (
    <div
      role="toolbar"
      aria-label={t('dashboardlibrary:selected', { count })}
      className="sticky top-[calc(var(--header)+0.5rem)] z-10 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-overlay px-4 py-2 shadow-(--shadow-card)"
    >
      <span className="me-auto text-sm font-medium" aria-live="polite">
        {t('dashboardlibrary:selected', { count })}
      </span>
      <Action onClick={onPublish}>{t('dashboardlibrary:publish')}</Action>
      <Action onClick={() => onWish('hide')}>{t('dashboardlibrary:hide')}</Action>
      <Action look="danger" onClick={() => onWish('delete')}>
        {t('common:delete')}
      </Action>
      <Action look="quiet" onClick={onClear}>
        {t('dashboard:deselect')}
      </Action>
    </div>
  )
}

interface AskingProps {
  wish: Wish
  name: string | null
  onClose: () => void
  onDone: () => void
}

function Asking({ wish: { kind, ids }, name, onClose, onDone }: AskingProps) {
  const count = ids.length
  return (
    <Confirm
      title={name ?? t('dashboardlibrary:selected', { count })}
      does={t(kind === 'delete' ? 'common:delete' : 'dashboardlibrary:hide')}
      onConfirm={async () => {
        if (kind === 'delete') await deleteTitles(ids)
        else await publishTitles(ids, false)
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t(kind === 'delete' ? 'dashboardlibrary:deleteText' : 'dashboardlibrary:hideText', { count })}</p>
    </Confirm>
  )
}
