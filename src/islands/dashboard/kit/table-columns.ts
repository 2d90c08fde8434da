/** Columns of the tables of the dashboard. */
import type { ReactNode } from 'react'

export interface DataTableColumn<R> {
  key: string
  label: string
  renderCell: (row: R) => ReactNode
  /** Smallest breakpoint that shows the column. On phones the first cell contains the most important values instead. */
  minBreakpoint?: 'md' | 'lg' | 'xl'
  /** Aligns numbers and actions with the end of the cell. */
  isEndAligned?: boolean
  /** Hides the label visually. */
  hasHiddenLabel?: boolean
  /** Takes the remaining width. Such columns name the row, so they cannot be hidden. */
  fillsWidth?: boolean
}

/** True for columns that a person may hide: not the name of the row, and not its actions. */
export const isOptionalColumn = ({ fillsWidth, hasHiddenLabel }: DataTableColumn<never>) =>
  !fillsWidth && !hasHiddenLabel

/** Classes that hide a column below its breakpoint. */
export const BREAKPOINT_CLASSES = { md: 'max-md:hidden', lg: 'max-lg:hidden', xl: 'max-xl:hidden' } as const
