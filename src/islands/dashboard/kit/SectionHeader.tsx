import type { ReactNode } from 'react'

interface Props {
  title: string
  hint?: string
  /** The primary action of the section. */
  action?: ReactNode
}

/** Page heading of a dashboard section, with a hint and the primary action. */
export function SectionHeader({ title, hint, action }: Props) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-xl font-bold">{title}</h1>
        {hint && <p className="mt-1 max-w-prose text-sm text-muted">{hint}</p>}
      </div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </header>
  )
}

/** Part of a section, with its own heading. */
export function Subsection({ title, hint, action, children }: Props & { children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">{title}</h2>
          {hint && <p className="max-w-prose text-sm text-muted">{hint}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
