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
  /** Smallest breakpoint that shows the column. On phones the first cell contains the most important values instead. */
  from?: 'md' | 'lg' | 'xl'
  /** Aligns numbers and actions with the end of the cell. */
  end?: boolean
  /** Hides the label visually. */
  bare?: boolean
  /** Takes the remaining width. */
  wide?: boolean
}

export interface Selection {
  selected: ReadonlySet<string>
  onToggle: (key: string) => void
  onAll: () => void
  nameOf: (key: string) => string
}

interface PagedResults<R> {
  results: readonly R[]
  page: number
  total_pages: number | null
  total_results: number | null
}
interface Props<R> {
  label: string
  columns: readonly Column<R>[]
  answer: Answer<PagedResults<R>>
  keyOf: (row: R) => string
  selection?: Selection
  /** Shown when the list is empty although no filter is set. */
  empty: ReactNode
}

const BREAKPOINT_CLASSES = { md: 'max-md:hidden', lg: 'max-lg:hidden', xl: 'max-xl:hidden' } as const
const SKELETON_ROWS = Array.from({ length: 10 }, (_, index) => index)

/** Table of a paged list from the server, with its loading, error and empty states. */
export function Table<R>({ label, columns, answer, keyOf, selection, empty }: Props<R>) {
  const { data, error, retry } = answer
  if (error) return <Failed reason={t(reasonOf(error))} onRetry={retry} />
  if (data?.results.length === 0) {
    if ((data.total_pages ?? 1) < data.page && data.page > 1)
      return <NoSuchPage pages={data.total_pages ?? 1} />
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
                className={`px-3 py-2 font-medium first:ps-0 last:pe-0 ${column.end ? 'text-end' : 'text-start'} ${column.wide ? 'w-full' : 'whitespace-nowrap'} ${column.from ? BREAKPOINT_CLASSES[column.from] : ''}`}
              >
                <span className={column.bare ? 'sr-only' : ''}>{column.label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data
            ? data.results.map((row) => (
                <TableRow
                  key={keyOf(row)}
                  id={keyOf(row)}
                  row={row}
                  columns={columns}
                  selection={selection}
                />
              ))
            : SKELETON_ROWS.map((index) => (
                <SkeletonRow key={index} columns={columns} selectable={selection !== undefined} />
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

interface TableRowProps<R> {
  id: string
  row: R
  columns: readonly Column<R>[]
  selection: Selection | undefined
}

function TableRow<R>({ id, row, columns, selection }: TableRowProps<R>) {
  const isSelected = selection?.selected.has(id) ?? false
  return (
    <tr className={`border-b border-line transition-colors ${isSelected ? 'bg-ink/6' : 'hover:bg-ink/4'}`}>
      {selection && (
        <td className="w-10">
          <label className="grid size-10 place-items-center">
            <input
              type="checkbox"
              checked={isSelected}
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
          className={`h-15 px-3 py-2 first:ps-0 last:pe-0 ${column.end ? 'text-end' : 'text-start'} ${column.wide ? 'w-full max-w-0' : 'whitespace-nowrap'} ${column.from ? BREAKPOINT_CLASSES[column.from] : ''}`}
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
  const selectedCount = rows.filter((row) => selection.selected.has(keyOf(row))).length
  return (
    <label className="grid size-10 place-items-center">
      <input
        type="checkbox"
        disabled={rows.length === 0}
        checked={rows.length > 0 && selectedCount === rows.length}
        ref={(checkbox) => {
          if (checkbox) checkbox.indeterminate = selectedCount > 0 && selectedCount < rows.length
        }}
        aria-label={t('dashboard:selectAll')}
        onChange={selection.onAll}
        className="size-4.5 accent-accent"
      />
    </label>
  )
}

function SkeletonRow<R>({ columns, selectable }: { columns: readonly Column<R>[]; selectable: boolean }) {
  return (
    <tr className="border-b border-line">
      {selectable && <td className="w-10" />}
      {columns.map((column) => (
        <td
          key={column.key}
          className={`h-15 px-3 py-2 first:ps-0 last:pe-0 ${column.wide ? 'w-full' : ''} ${column.from ? BREAKPOINT_CLASSES[column.from] : ''}`}
        >
          <div className={`skeleton h-4 ${column.wide ? 'w-2/3' : 'w-16'} ${column.end ? 'ms-auto' : ''}`} />
        </td>
      ))}
    </tr>
  )
}

/** Thin line above the table while newer data is loading. */
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
  const clearFilters = () =>
    filterBy(Object.fromEntries(Object.keys($view.get().filters).map((name) => [name, ''])))
  return (
    <Blank icon={<SearchX />} title={t('dashboard:nothingFound')} hint={t('dashboard:nothingFoundHint')}>
      <Action onClick={clearFilters}>{t('dashboard:clearFilters')}</Action>
    </Blank>
  )
}

/** Shown for a page after the last one, for example because rows were deleted. */
function NoSuchPage({ pages }: { pages: number }) {
  return (
    <Blank icon={<SearchX />} title={t('dashboard:noSuchPage')}>
      <Action onClick={() => filterBy({ page: String(Math.max(1, pages)) })}>
        {t('dashboard:lastPage')}
      </Action>
    </Blank>
  )
}

interface EmptyStateProps {
  icon: ReactNode
  title: string
  hint?: string
  children?: ReactNode
}

/** Empty or failed list: the reason and what to do about it. */
export function Blank({ icon, title, hint, children }: EmptyStateProps) {
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
