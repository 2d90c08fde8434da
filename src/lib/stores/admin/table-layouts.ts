/** Page sizes and hidden columns of the dashboard tables. They are stored on the device. */
import { atom } from 'nanostores'
import { TABLE_LAYOUTS_KEY } from '../../dashboard-storage-keys.ts'
import { writeStorage } from '../../storage.ts'

export const PAGE_SIZES = [20, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]
export const DEFAULT_PAGE_SIZE: PageSize = 20

export interface TableLayout {
  pageSize?: PageSize
  /** Keys of the columns that are not displayed. */
  hiddenColumns?: readonly string[]
}
type TableLayouts = Readonly<Record<string, TableLayout>>

/** Layout of each dashboard table, by the name of the table. */
export const $tableLayouts = atom(
  parseTableLayouts(globalThis.localStorage?.getItem(TABLE_LAYOUTS_KEY) ?? '{}'),
)

/** Parses stored layouts and omits invalid values. */
export function parseTableLayouts(json: string): TableLayouts {
  try {
    const storedLayouts: unknown = JSON.parse(json)
    return Object.fromEntries(
      Object.entries(storedLayouts as TableLayouts).map(([tableName, { pageSize, hiddenColumns }]) => [
        tableName,
        {
          ...(pageSize && PAGE_SIZES.includes(pageSize) && { pageSize }),
          ...(Array.isArray(hiddenColumns) && { hiddenColumns: hiddenColumns.map(String) }),
        },
      ]),
    )
  } catch {
    return {}
  }
}

export const getPageSize = (layouts: TableLayouts, tableName: string): PageSize =>
  layouts[tableName]?.pageSize ?? DEFAULT_PAGE_SIZE

function changeTableLayout(tableName: string, change: TableLayout): void {
  const layouts = { ...$tableLayouts.get(), [tableName]: { ...$tableLayouts.get()[tableName], ...change } }
  $tableLayouts.set(layouts)
  writeStorage('localStorage', TABLE_LAYOUTS_KEY, JSON.stringify(layouts))
}

export const setPageSize = (tableName: string, pageSize: PageSize): void =>
  changeTableLayout(tableName, { pageSize })

export function setColumnVisible(tableName: string, column: string, isVisible: boolean): void {
  const { hiddenColumns = [] } = $tableLayouts.get()[tableName] ?? {}
  const otherColumns = hiddenColumns.filter((hiddenColumn) => hiddenColumn !== column)
  changeTableLayout(tableName, { hiddenColumns: isVisible ? otherColumns : [...otherColumns, column] })
}

export const showAllColumns = (tableName: string): void => changeTableLayout(tableName, { hiddenColumns: [] })
