import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'
const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-accent-ink hover:brightness-110',
  plain: 'bg-overlay text-ink border border-line hover:border-faint',
  quiet: 'bg-transparent text-muted hover:text-ink',
  danger: 'bg-transparent text-danger border border-danger hover:bg-danger hover:text-ground',
}
export const buttonLook = (look: Look) =>
  `inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-5 py-2 font-semibold transition duration-(--duration-fast) disabled:opacity-50 ${LOOKS[look]}`

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button({ look = 'plain', icon, children, className = '', type = 'button', ...rest }: Props) {
  return (
    <button type={type} className={`${buttonLook(look)} ${className}`} {...rest}>
      {icon}
      {children}
    </button>
  )
}

interface IconProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string
  ref?: Ref<HTMLButtonElement>
}

/** A round button whose icon says it for the eye and `label` for everybody else. */
export function IconButton({ label, children, className = '', type = 'button', ...rest }: IconProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`inline-grid size-11 shrink-0 place-items-center rounded-full border border-line bg-overlay/80 text-ink transition duration-(--duration-fast) hover:border-ink disabled:opacity-50 ${className}`}
      {...rest}
    >
      {children}
    </button>
  )
}
