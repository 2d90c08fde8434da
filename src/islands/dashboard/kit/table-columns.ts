import type { ReactNode } from 'react'

export interface DataTableColumn<R> {
  key: string
  label: string
  renderCell: (row: R) => ReactNode
  /**
   * Smallest breakpoint at which the column is shown; if absent, the column is shown at every width. On phones, the
   * first cell contains the most important values of hidden columns.
   */
  minBreakpoint?: 'md' | 'lg' | 'xl'
  /** Aligns the content with the end of the cell, for numbers and actions. */
  isEndAligned?: boolean
  /** Hides the label visually. */
  hasHiddenLabel?: boolean
  /** True for the column that takes the remaining width. This column names the row, so a user cannot hide it. */
  fillsWidth?: boolean
}

/**
 * True for columns that a user may hide: all except the column that names the row, and columns with a hidden label,
 * such as the actions.
 */
export const isOptionalColumn = ({ fillsWidth, hasHiddenLabel }: DataTableColumn<never>) =>
  !fillsWidth && !hasHiddenLabel

/** Classes that hide a column below its breakpoint. */
export const HIDING_CLASSES_BY_BREAKPOINT = {
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
} as const
