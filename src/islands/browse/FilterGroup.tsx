import type { ReactNode } from 'react'

/** Toggle buttons with a common label. `hint` explains buttons that have more than two states. */
export function FilterGroup({
  label,
  hint,
  children,
}: {
  label: string
  hint?: string
  children: ReactNode
}) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-muted">{label}</legend>
      {hint && <p className="mb-2 text-sm text-muted">{hint}</p>}
      <div className="flex flex-wrap gap-2">{children}</div>
    </fieldset>
  )
}

/** A toggle button. With `isExcluded`, its label is crossed out, because the filter excludes the value. */
export function ToggleButton({
  labelText,
  hasInitialFocus = false,
  isActive,
  isExcluded = false,
  accessibleName,
  onClick,
}: {
  labelText: string
  /** True for the button that receives the focus when the dialog opens. */
  hasInitialFocus?: boolean
  isActive: boolean
  isExcluded?: boolean
  accessibleName?: string | undefined
  onClick: () => void
}) {
  const stateClasses = isActive
    ? 'border-accent bg-accent text-accent-ink'
    : isExcluded
      ? 'border-danger text-danger line-through'
      : 'border-line bg-overlay hover:border-faint'
  return (
    <button
      type="button"
      data-first={hasInitialFocus || undefined}
      aria-pressed={isActive}
      aria-label={accessibleName}
      onClick={onClick}
      className={`min-h-11 rounded-full border px-4 text-sm ${stateClasses}`}
    >
      {labelText}
    </button>
  )
}
