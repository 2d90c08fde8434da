import type { ButtonHTMLAttributes, ReactNode } from 'react'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string
  isLarge?: boolean
  /** Colours the icon, for example while the video is cast. */
  isActive?: boolean
  children: ReactNode
}

/** Round icon button over the video; `label` is its accessible name and tooltip. */
export function ControlButton({
  label,
  isLarge = false,
  isActive = false,
  children,
  className = '',
  ...buttonProps
}: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`pointer-events-auto relative grid shrink-0 place-items-center rounded-full transition-colors duration-(--duration-fast) hover:bg-white/15 focus-visible:bg-white/15 aria-expanded:bg-white/15 disabled:opacity-50 ${isActive ? 'text-accent' : 'text-white'} ${isLarge ? 'size-16 bg-black/45' : 'size-11'} ${className}`}
      {...buttonProps}
    >
      {children}
    </button>
  )
}
