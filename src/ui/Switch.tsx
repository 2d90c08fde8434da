import { type ReactNode, useId } from 'react'

interface Props {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  /** True while the switch cannot be changed. The switch can still have the focus. */
  isDisabled?: boolean
  /** True if the switch receives the focus when its dialog opens. */
  hasInitialFocus?: boolean
}

export function Switch({
  label,
  hint,
  checked,
  onChange,
  isDisabled = false,
  hasInitialFocus = false,
}: Props) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-6 py-2">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium wrap-anywhere hyphens-auto">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        data-first={hasInitialFocus || undefined}
        aria-disabled={isDisabled || undefined}
        onClick={() => !isDisabled && onChange(!checked)}
        className={`relative h-7 w-12 after:absolute after:-inset-2 shrink-0 rounded-full border transition-colors aria-disabled:opacity-50 ${checked ? 'border-accent bg-accent' : 'border-faint bg-overlay'}`}
      >
        {/* Forced colours remove the background and show the border. */}
        <span
          aria-hidden
          className={`absolute inset-y-0.5 size-5.5 rounded-full border border-transparent transition-[inset-inline-start] ${checked ? 'start-[calc(100%-1.5rem)] bg-accent-ink' : 'start-0.5 bg-muted'}`}
        />
      </button>
    </div>
  )
}
