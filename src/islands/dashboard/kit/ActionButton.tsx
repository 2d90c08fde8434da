import type { ComponentProps, ReactNode } from 'react'

const VARIANT_CLASSES = {
  primary: 'border-accent bg-accent text-accent-ink hover:brightness-110',
  plain: 'border-line bg-overlay text-ink hover:border-faint',
  quiet: 'border-transparent text-muted hover:bg-ink/8 hover:text-ink',
  danger: 'border-line bg-overlay text-danger hover:border-danger',
  alarm: 'border-danger bg-danger text-ground hover:brightness-110',
} as const

interface Props extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANT_CLASSES
  icon?: ReactNode
}

/**
 * Button of the dashboard. Except on touch screens, it is smaller than the buttons of the other pages. With
 * `aria-disabled`, it does not call `onClick`, and keeps the focus, as `ui/Button.tsx` does.
 */
export function ActionButton({
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
      className={`inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3 text-sm font-medium whitespace-nowrap transition-colors duration-(--duration-fast) disabled:opacity-50 aria-disabled:opacity-50 pointer-coarse:min-h-11 ${VARIANT_CLASSES[variant]} ${className}`}
      {...buttonProps}
      onClick={buttonProps['aria-disabled'] ? undefined : onClick}
    >
      {icon}
      {children}
    </button>
  )
}
