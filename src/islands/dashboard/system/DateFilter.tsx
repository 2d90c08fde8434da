import { useId } from 'react'
import { changeDashboardFilters } from '../../../lib/stores/admin/dashboard-view.ts'

/** Date input that filters the list. */
export function DateFilter({ label, name, value }: { label: string; name: string; value: string }) {
  const id = useId()
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        // While the user types a year, the field changes to another complete date with each digit. Only the first of
        // these changes adds an entry to the browser history.
        onChange={(event) =>
          changeDashboardFilters({ [name]: event.target.value }, value === '' ? 'push' : 'replace')
        }
        className="numbers min-h-9 rounded-md border border-line bg-ground px-2.5 text-sm text-ink hover:border-faint pointer-coarse:min-h-11"
      />
    </div>
  )
}
