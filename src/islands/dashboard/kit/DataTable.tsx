import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import {
  $dashboardView,
  changeDashboardFilters,
  listActiveFilters,
  parsePageNumber,
} from '../../../lib/stores/admin/dashboard-view.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import {
  $tableLayouts,
  getPageSize,
  type PageSize,
  setPageSize,
} from '../../../lib/stores/admin/table-layouts.ts'
import { ColumnMenu } from './ColumnMenu.tsx'
import { formatRowRange, Pagination } from './Pagination.tsx'
import { LoadError, NoSuchPage, NothingFound } from './TableStates.tsx'
import { type DataTableColumn, HIDING_CLASSES_BY_BREAKPOINT, isOptionalColumn } from './table-columns.ts'
import type { StoreQuery } from './use-store-query.ts'

export interface RowSelection {
  selectedKeys: ReadonlySet<string>
  onToggle: (rowKey: string) => void
  onToggleAll: () => void
  getName: (rowKey: string) => string
}

interface PagedResults<R> {
  results: readonly R[]
  page: number
  total_pages: number | null
  total_results: number | null
}
interface Props<R> {
  label: string
  /** Name under which the hidden columns are stored. The default is the name of the section. */
  name?: string
  columns: readonly DataTableColumn<R>[]
  query: StoreQuery<PagedResults<R>>
  getKey: (row: R) => string
  selection?: RowSelection
  /** Content of an empty list if no filter is set. */
  emptyState: ReactNode
}

const SKELETON_ROW_INDEXES = Array.from({ length: 10 }, (_, index) => index)

/** True for a page without rows after the last page, for example after the rows of the last page were deleted. */
const isAfterLastPage = ({ results, page, total_pages }: PagedResults<unknown>) =>
  results.length === 0 && page > Math.max(1, total_pages ?? 1)

const formatResultsRange = ({ results, page, total_results }: PagedResults<unknown>, pageSize: PageSize) =>
  formatRowRange({ page, pageSize, rowCount: results.length, totalRowCount: total_results })

/**
 * Table of a paged list from the server, with its loading, error and empty states. Screen readers announce errors,
 * missing results and the range of the rows.
 */
export function DataTable<R>(props: Props<R>) {
  return (
    <>
      <TableStatus query={props.query} />
      <TableContent {...props} />
    </>
  )
}

/**
 * Tells screen readers what the table shows. The element is always rendered, so that each change of its text is
 * announced.
 */
function TableStatus({ query: { data: pagedResults, error } }: Pick<Props<unknown>, 'query'>) {
  const tableLayouts = useStore($tableLayouts)
  const view = useStore($dashboardView)
  const formatTableStatus = () => {
    if (error) return t(getErrorMessageKey(error))
    if (!pagedResults) return ''
    if (isAfterLastPage(pagedResults)) return t('dashboard:noSuchPage')
    if (pagedResults.results.length === 0)
      return listActiveFilters(view).length > 0 ? t('dashboard:nothingFound') : ''
    return formatResultsRange(pagedResults, getPageSize(tableLayouts, view.section))
  }
  return (
    <p role="status" data-table-status className="sr-only">
      {formatTableStatus()}
    </p>
  )
}

function TableContent<R>({
  label,
  name,
  columns: allColumns,
  query,
  getKey,
  selection,
  emptyState,
}: Props<R>) {
  const { data: pagedResults, error, retry } = query
  const tableLayouts = useStore($tableLayouts)
  const { section, filters } = useStore($dashboardView)
  const page = parsePageNumber(filters)
  const pageSize = getPageSize(tableLayouts, section)
  const tableName = name ?? section
  const hiddenColumns = tableLayouts[tableName]?.hiddenColumns ?? []
  const columns = allColumns.filter(
    (column) => !(isOptionalColumn(column as DataTableColumn<never>) && hiddenColumns.includes(column.key)),
  )
  if (error) return <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />
  if (pagedResults?.results.length === 0) {
    if (isAfterLastPage(pagedResults)) return <NoSuchPage pageCount={pagedResults.total_pages ?? 1} />
    return listActiveFilters({ section, filters }).length > 0 ? <NothingFound /> : emptyState
  }
  return (
    <div className="relative flex flex-col gap-4">
      {query.isLoading && pagedResults && <ProgressLine />}
      <table className="w-full border-collapse text-sm" aria-label={label} aria-busy={query.isLoading}>
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            {selection && (
              <th scope="col" className="w-10 py-2">
                <SelectAllCheckbox rows={pagedResults?.results ?? []} getKey={getKey} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={`px-3 py-2 font-medium first:ps-0 last:pe-0 ${column.isEndAligned ? 'text-end' : 'text-start'} ${column.fillsWidth ? 'w-full' : 'whitespace-nowrap'} ${column.minBreakpoint ? HIDING_CLASSES_BY_BREAKPOINT[column.minBreakpoint] : ''}`}
              >
                <span className={column.hasHiddenLabel ? 'sr-only' : ''}>{column.label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pagedResults
            ? pagedResults.results.map((row) => (
                <TableRow
                  key={getKey(row)}
                  id={getKey(row)}
                  row={row}
                  columns={columns}
                  selection={selection}
                />
              ))
            : SKELETON_ROW_INDEXES.map((index) => (
                <SkeletonRow key={index} columns={columns} isSelectable={selection !== undefined} />
              ))}
        </tbody>
      </table>
      <Pagination
        page={page}
        pageSize={pageSize}
        pageCount={pagedResults?.total_pages ?? null}
        rowRangeText={pagedResults ? formatResultsRange(pagedResults, pageSize) : ''}
        totalRowCount={pagedResults?.total_results ?? null}
        onPageChange={(newPage) => changeDashboardFilters({ page: String(newPage) })}
        onPageSizeChange={(newPageSize) => {
          // Opens the page that, with the new page size, contains the first row of the current page.
          const firstRowIndex = (page - 1) * pageSize
          setPageSize(section, newPageSize)
          changeDashboardFilters({ page: String(Math.floor(firstRowIndex / newPageSize) + 1) }, 'replace')
        }}
      >
        <ColumnMenu name={tableName} columns={allColumns as readonly DataTableColumn<never>[]} />
      </Pagination>
    </div>
  )
}

interface TableRowProps<R> {
  id: string
  row: R
  columns: readonly DataTableColumn<R>[]
  selection: RowSelection | undefined
}

function TableRow<R>({ id, row, columns, selection }: TableRowProps<R>) {
  const isSelected = selection?.selectedKeys.has(id) ?? false
  return (
    <tr className={`border-b border-line transition-colors ${isSelected ? 'bg-ink/8' : 'hover:bg-ink/4'}`}>
      {selection && (
        <td className="w-10">
          <label className="grid size-10 place-items-center">
            <input
              type="checkbox"
              checked={isSelected}
              aria-label={t('dashboard:select', { name: isolateBidi(selection.getName(id)) })}
              onChange={() => selection.onToggle(id)}
              className="size-4.5 accent-accent"
            />
          </label>
        </td>
      )}
      {columns.map((column) => {
        // The column that takes the remaining width names the row, for screen readers.
        const Cell = column.fillsWidth ? 'th' : 'td'
        return (
          <Cell
            key={column.key}
            scope={column.fillsWidth ? 'row' : undefined}
            className={`h-15 px-3 py-2 first:ps-0 last:pe-0 ${column.isEndAligned ? 'text-end' : 'text-start'} ${column.fillsWidth ? 'w-full max-w-0 font-normal' : 'whitespace-nowrap'} ${column.minBreakpoint ? HIDING_CLASSES_BY_BREAKPOINT[column.minBreakpoint] : ''}`}
          >
            {column.renderCell(row)}
          </Cell>
        )
      })}
    </tr>
  )
}

function SelectAllCheckbox<R>({
  rows,
  getKey,
  selection,
}: {
  rows: readonly R[]
  getKey: (row: R) => string
  selection: RowSelection
}) {
  const selectedCount = rows.filter((row) => selection.selectedKeys.has(getKey(row))).length
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
        onChange={selection.onToggleAll}
        className="size-4.5 accent-accent"
      />
    </label>
  )
}

function SkeletonRow<R>({
  columns,
  isSelectable,
}: {
  columns: readonly DataTableColumn<R>[]
  isSelectable: boolean
}) {
  return (
    <tr className="border-b border-line">
      {isSelectable && <td className="w-10" />}
      {columns.map((column) => (
        <td
          key={column.key}
          className={`h-15 px-3 py-2 first:ps-0 last:pe-0 ${column.fillsWidth ? 'w-full' : ''} ${column.minBreakpoint ? HIDING_CLASSES_BY_BREAKPOINT[column.minBreakpoint] : ''}`}
        >
          <div
            className={`skeleton h-4 ${column.fillsWidth ? 'w-2/3' : 'w-16'} ${column.isEndAligned ? 'ms-auto' : ''}`}
          />
        </td>
      ))}
    </tr>
  )
}

/** Thin line above the table while newer data is loading. */
function ProgressLine() {
  return <div aria-hidden className="skeleton absolute inset-x-0 -top-1 h-0.5" />
}
