import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { Eye, EyeOff } from '../icons/index.ts'

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  error?: string | null | undefined
  hint?: ReactNode
  endElement?: ReactNode
}

/** A labelled text field. Its hint and its error are linked by `aria-describedby`, and the error is announced. */
export function Field({
  label,
  error,
  hint,
  endElement,
  dir = 'auto',
  className = '',
  ...inputProps
}: Props) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-muted">
        {label}
      </label>
      {/* The end element is at the end of the field in the text direction of the field, not of the page. */}
      <div className="relative" dir={endElement ? dir : undefined}>
        <input
          id={id}
          dir={dir}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-error ${id}-hint` : undefined}
          className={`min-h-12 w-full rounded-md border bg-ground px-4 text-base text-ink placeholder:text-faint focus:border-accent ${error ? 'border-danger' : 'border-line'} ${endElement ? 'pe-12' : ''} ${className}`}
          {...inputProps}
        />
        {endElement && <div className="absolute inset-y-0 end-1 grid place-items-center">{endElement}</div>}
      </div>
      {hint && (
        <div id={`${id}-hint`} className="empty:hidden">
          {hint}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

interface PasswordFieldProps extends Omit<Props, 'endElement' | 'type'> {
  showPasswordLabel: string
  hidePasswordLabel: string
}

export function PasswordField({ showPasswordLabel, hidePasswordLabel, ...inputProps }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false)
  const Icon = isVisible ? EyeOff : Eye
  return (
    <Field
      {...inputProps}
      type={isVisible ? 'text' : 'password'}
      endElement={
        <button
          type="button"
          aria-label={isVisible ? hidePasswordLabel : showPasswordLabel}
          aria-pressed={isVisible}
          onClick={() => setIsVisible(!isVisible)}
          className="grid size-11 place-items-center rounded-md text-muted hover:text-ink"
        >
          <Icon aria-hidden size={20} />
        </button>
      }
    />
  )
}
