import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger'
const VARIANT_CLASSES: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-accent-ink hover:brightness-110',
  plain: 'bg-overlay text-ink border border-line hover:border-faint',
  quiet: 'bg-transparent text-muted hover:text-ink',
  danger: 'bg-transparent text-danger border border-danger hover:bg-danger hover:text-ground',
}
/** Returns the classes of a button, for links that look like one. */
export const getButtonClass = (variant: ButtonVariant) =>
  `inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-5 py-2 text-center font-semibold transition duration-(--duration-fast) disabled:opacity-50 aria-disabled:opacity-50 ${VARIANT_CLASSES[variant]}`

/**
 * A button with `aria-disabled` looks disabled and ignores clicks, but keeps the focus. Use `aria-disabled` for buttons
 * that are disabled while a request runs, and for buttons that a click disables.
 */
interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant = 'plain',
  icon,
  children,
  className = '',
  type = 'button',
  onClick,
  ...buttonProps
}: Props) {
  return (
    <button
      type={type}
      className={`${getButtonClass(variant)} ${className}`}
      {...buttonProps}
      onClick={buttonProps['aria-disabled'] ? undefined : onClick}
    >
      {icon}
      {children}
    </button>
  )
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string
  /** Text below the icon on phones, and beside the icon on larger screens. `label` must contain this text. */
  visibleText?: string | undefined
  ref?: Ref<HTMLButtonElement>
}

const ROUND_CLASSES = 'inline-grid size-11 shrink-0 place-items-center'
const CAPTION_CLASSES = 'captioned inline-flex min-h-11 items-center justify-center gap-2 px-3'
/** Returns the classes that determine the size of an `IconButton`, for its placeholders. */
export const getIconButtonSizeClass = (hasVisibleText: boolean) =>
  hasVisibleText ? CAPTION_CLASSES : ROUND_CLASSES

/** A round button with an icon; `label` is its accessible name and tooltip. */
export function IconButton({
  label,
  visibleText,
  children,
  className = '',
  type = 'button',
  onClick,
  ...buttonProps
}: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`${getIconButtonSizeClass(visibleText !== undefined)} rounded-full border border-line bg-overlay/80 text-ink transition duration-(--duration-fast) hover:border-ink disabled:opacity-50 aria-disabled:opacity-50 ${className}`}
      {...buttonProps}
      onClick={buttonProps['aria-disabled'] ? undefined : onClick}
    >
      {visibleText === undefined ? (
        children
      ) : (
        <>
          <span className="grid place-items-center">{children}</span>
          <span>{visibleText}</span>
        </>
      )}
    </button>
  )
}
