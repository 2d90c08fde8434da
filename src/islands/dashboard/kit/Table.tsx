import { CircleAlert, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { t } from '../../../lib/i18n/t.ts'
import { reasonOf } from '../../../lib/stores/admin/act.ts'
import { $view, filterBy } from '../../../lib/stores/admin/view.ts'
import { Action } from './Action.tsx'
import { Pager } from './Pager.tsx'
import type { Answer } from './use-answer.ts'

export interface Column<R> {
  key: string
  label: string
  cell: (row: R) => ReactNode
  /** From which window on it is shown; a row's first cell says the rest on a phone. */
  from?: 'md' | 'lg' | 'xl'
  /** Figures and actions stand at the end. */
  end?: boolean
  /** The label is for assistive technology alone. */
  bare?: boolean
  /** Takes the room that is left. */
  wide?: boolean
}

export interface Selection {
  selected: ReadonlySet<string>
  onToggle: (key: string) => void
  onAll: () => void
  nameOf: (key: string) => string
}

interface List<R> {
  results: readonly R[]
  page: number
  total_pages: number | null
  total_results: number | null
}
interface Props<R> {
  label: string
  columns: readonly Column<R>[]
  answer: Answer<List<R>>
  keyOf: (row: R) => string
  selection?: Selection
  /** Shown where the list is empty and nothing was filtered out. */
  empty: ReactNode
}

const FROM = { md: 'max-md:hidden', lg: 'max-lg:hidden', xl: 'max-xl:hidden' } as const
const PLACES = Array.from({ length: 10 }, (_, place) => place)

/** A list of the server's, 20 a page: waiting, failed, empty, or rows whose controls arrows walk through. */
export function Table<R>({ label, columns, answer, keyOf, selection, empty }: Props<R>) {
  const { data, error, retry } = answer
  if (error) return <Failed reason={t(reasonOf(error))} onRetry={retry} />
  if (data?.results.length === 0) {
    if ((data.total_pages ?? 1) < data.page && data.page > 1) return <Beyond pages={data.total_pages ?? 1} />
    const { filters } = $view.get()
    return Object.keys(filters).length > 0 ? <NothingFound /> : empty
  }
  return (
    <div className="relative flex flex-col gap-4">
      {answer.stale && data && <ProgressLine />}
      <table className="w-full border-collapse text-sm" aria-label={label} aria-busy={answer.stale}>
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            {selection && (
              <th scope="col" className="w-10 py-2">
                <SelectAll rows={data?.results ?? []} keyOf={keyOf} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={`px-3 py-2 font-medium first:ps-0 last:pe-0 ${column.end ? 'text-end' : 'text-start'} ${column.wide ? 'w-full' : 'whitespace-nowrap'} ${column.from ? FROM[column.from] : ''}`}
              >
                <span className={column.bare ? 'sr-only' : ''}>{column.label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data
            ? data.results.map((row) => (
                <Row key={keyOf(row)} id={keyOf(row)} row={row} columns={columns} selection={selection} />
              ))
            : PLACES.map((place) => (
                <Place key={place} columns={columns} selectable={selection !== undefined} />
              ))}
        </tbody>
      </table>
      <Pager
        page={data?.page ?? 1}
        pages={data?.total_pages ?? null}
        shown={data?.results.length ?? 0}
        total={data?.total_results ?? null}
        onPage={(page) => filterBy({ page: String(page) })}
      />
    </div>
  )
}

interface RowProps<R> {
  id: string
  row: R
  columns: readonly Column<R>[]
  selection: Selection | undefined
}

function Row<R>({ id, row, columns, selection }: RowProps<R>) {
  const picked = selection?.selected.has(id) ?? false
  return (
    <tr className={`border-b border-line transition-colors ${picked ? 'bg-ink/6' : 'hover:bg-ink/4'}`}>
      {selection && (
        <td className="w-10">
          <label className="grid size-10 place-items-center">
            <input
              type="checkbox"
              checked={picked}
              aria-label={t('dashboard:select', { name: isolate(selection.nameOf(id)) })}
              onChange={() => selection.onToggle(id)}
              className="size-4.5 accent-accent"
            />
          </label>
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.key}
          className={`h-15 px-3 py-2 first:ps-0 last:pe-0 ${column.end ? 'text-end' : 'text-start'} ${column.wide ? 'w-full max-w-0' : 'whitespace-nowrap'} ${column.from ? FROM[column.from] : ''}`}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

function SelectAll<R>({
  rows,
  keyOf,
  selection,
}: {
  rows: readonly R[]
  keyOf: (row: R) => string
  selection: Selection
}) {
  const count = rows.filter((row) => selection.selected.has(keyOf(row))).length
  return (
    <label className="grid size-10 place-items-center">
      <input
        type="checkbox"
        disabled={rows.length === 0}
        checked={rows.length > 0 && count === rows.length}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < rows.length
        }}
        aria-label={t('dashboard:selectAll')}
        onChange={selection.onAll}
        className="size-4.5 accent-accent"
      />
    </label>
  )
}

function Place<R>({ columns, selectable }: { columns: readonly Column<R>[]; selectable: boolean }) {
  return (
    <tr className="border-b border-line">
      {selectable && <td className="w-10" />}
      {columns.map((column) => (
        <td
          key={column.key}
          className={`h-15 px-3 py-2 first:ps-0 last:pe-0 ${column.wide ? 'w-full' : ''} ${column.from ? FROM[column.from] : ''}`}
        >
          <div className={`skeleton h-4 ${column.wide ? 'w-2/3' : 'w-16'} ${column.end ? 'ms-auto' : ''}`} />
        </td>
      ))}
    </tr>
  )
}

/** A thin line while the next answer is on its way. */
function ProgressLine() {
  return <div aria-hidden className="skeleton absolute inset-x-0 -top-1 h-0.5" />
}

export function Failed({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <Blank icon={<CircleAlert />} title={reason}>
      <Action onClick={onRetry}>{t('common:tryAgain')}</Action>
    </Blank>
  )
}

function NothingFound() {
  const clear = () => filterBy(Object.fromEntries(Object.keys($view.get().filters).map((name) => [name, ''])))
  return (
    <Blank icon={<SearchX />} title={t('dashboard:nothingFound')} hint={t('dashboard:nothingFoundHint')}>
      <Action onClick={clear}>{t('dashboard:clearFilters')}</Action>
    </Blank>
  )
}

/** A page that is no more: rows went away since. */
function Beyond({ pages }: { pages: number }) {
  return (
    <Blank icon={<SearchX />} title={t('dashboard:noSuchPage')}>
      <Action onClick={() => filterBy({ page: String(Math.max(1, pages)) })}>
        {t('dashboard:lastPage')}
      </Action>
    </Blank>
  )
}

interface BlankProps {
  icon: ReactNode
  title: string
  hint?: string
  children?: ReactNode
}

/** An empty or failed list: why, and what to do. */
export function Blank({ icon, title, hint, children }: BlankProps) {
  return (
    <div className="flex min-h-72 flex-col items-center justify-center gap-3 rounded-lg border border-dashed border-line px-6 py-12 text-center">
      <div aria-hidden className="grid size-12 place-items-center rounded-full bg-overlay text-muted">
        {icon}
      </div>
      <p className="font-semibold">{title}</p>
      {hint && <p className="max-w-prose text-sm text-muted">{hint}</p>}
      {children}
    </div>
  )
}
