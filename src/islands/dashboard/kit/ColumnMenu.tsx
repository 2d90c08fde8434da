import { useStore } from '@nanostores/react'
import { useId, useRef } from 'react'
import { Columns3 } from '../../../icons/index.ts'
import { t } from '../../../lib/i18n/t.ts'
import { $tableLayouts, setColumnVisible, showAllColumns } from '../../../lib/stores/admin/table-layouts.ts'
import { ActionButton } from './ActionButton.tsx'
import { positionPanel } from './position-panel.ts'
import { type DataTableColumn, HIDING_CLASSES_BY_BREAKPOINT, isOptionalColumn } from './table-columns.ts'

interface Props {
  /** Name of the table. */
  name: string
  columns: readonly DataTableColumn<never>[]
}

/**
 * Menu that shows or hides the columns of a table. It lists only columns for which the window is wide enough.
 */
export function ColumnMenu({ name, columns }: Props) {
  const id = useId()
  const buttonRef = useRef<HTMLButtonElement>(null)
  const panelRef = useRef<HTMLFieldSetElement>(null)
  const { hiddenColumns = [] } = useStore($tableLayouts)[name] ?? {}
  const optionalColumns = columns.filter(isOptionalColumn)
  if (optionalColumns.length === 0) return null
  const isMenuAlwaysShown = optionalColumns.some((column) => !column.minBreakpoint)
  return (
    <div className={isMenuAlwaysShown ? '' : 'max-md:hidden'}>
      <ActionButton
        ref={buttonRef}
        variant="quiet"
        popoverTarget={id}
        icon={<Columns3 aria-hidden size={16} />}
      >
        {t('dashboard:columns')}
      </ActionButton>
      <fieldset
        ref={panelRef}
        id={id}
        popover="auto"
        onToggle={(event) => {
          if (event.newState !== 'open') return
          positionPanel(buttonRef.current, panelRef.current)
          panelRef.current?.querySelector('input')?.focus()
        }}
        className="fixed m-0 min-w-56 rounded-lg border border-line bg-overlay p-1.5 text-ink shadow-(--shadow-dialog)"
      >
        <legend className="sr-only">{t('dashboard:columns')}</legend>
        {optionalColumns.map((column) => (
          <label
            key={column.key}
            className={`flex min-h-10 items-center gap-3 rounded-md px-3 text-sm hover:bg-raised ${column.minBreakpoint ? HIDING_CLASSES_BY_BREAKPOINT[column.minBreakpoint] : ''}`}
          >
            <input
              type="checkbox"
              checked={!hiddenColumns.includes(column.key)}
              onChange={(event) => setColumnVisible(name, column.key, event.target.checked)}
              className="size-4.5 accent-accent"
            />
            {column.label}
          </label>
        ))}
        {hiddenColumns.length > 0 && (
          <ActionButton variant="quiet" className="w-full" onClick={() => showAllColumns(name)}>
            {t('dashboard:allColumns')}
          </ActionButton>
        )}
      </fieldset>
    </div>
  )
}
