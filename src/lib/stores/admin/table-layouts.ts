/** Page sizes and hidden columns of the dashboard tables. They are stored on the device. */
import { atom } from 'nanostores'
import { TABLE_LAYOUTS_KEY } from '../../dashboard-storage-keys.ts'

export const PAGE_SIZES = [20, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]
export const DEFAULT_PAGE_SIZE: PageSize = 20

export interface TableLayout {
  pageSize?: PageSize
  /** Keys of the columns that are not displayed. */
  hiddenColumns?: readonly string[]
}
type TableLayouts = Readonly<Record<string, TableLayout>>

/** Layouts by the name of the table. */
export const $tableLayouts = atom(
  parseTableLayouts(globalThis.localStorage?.getItem(TABLE_LAYOUTS_KEY) ?? '{}'),
)

/** Returns the stored layouts without values that this version does not know. */
export function parseTableLayouts(text: string): TableLayouts {
  try {
    const storedLayouts: unknown = JSON.parse(text)
    return Object.fromEntries(
      Object.entries(storedLayouts as TableLayouts).map(([name, { pageSize, hiddenColumns }]) => [
        name,
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

export const getPageSize = (layouts: TableLayouts, name: string): PageSize =>
  layouts[name]?.pageSize ?? DEFAULT_PAGE_SIZE

function changeLayout(name: string, change: TableLayout): void {
  const layouts = { ...$tableLayouts.get(), [name]: { ...$tableLayouts.get()[name], ...change } }
  $tableLayouts.set(layouts)
  localStorage.setItem(TABLE_LAYOUTS_KEY, JSON.stringify(layouts))
}

export const setPageSize = (name: string, pageSize: PageSize): void => changeLayout(name, { pageSize })

export function setColumnVisible(name: string, column: string, isVisible: boolean): void {
  const { hiddenColumns = [] } = $tableLayouts.get()[name] ?? {}
  const otherColumns = hiddenColumns.filter((key) => key !== column)
  changeLayout(name, { hiddenColumns: isVisible ? otherColumns : [...otherColumns, column] })
}

export const showAllColumns = (name: string): void => changeLayout(name, { hiddenColumns: [] })
