import type { ReactNode } from 'react'

interface Props {
  icon?: ReactNode
  title: ReactNode
  hint?: ReactNode
  action?: ReactNode
  /** Heading level: 1 if the component fills the page, 2 if it is in a section of the page. */
  headingLevel?: 1 | 2
}

/** An empty or error state with its reason and an action. */
export function EmptyState({ icon, title, hint, action, headingLevel = 2 }: Props) {
  const Heading = headingLevel === 1 ? 'h1' : 'h2'
  return (
    <div
      className={`edge flex ${headingLevel === 1 ? 'min-h-[80dvh]' : 'min-h-[45vh]'} flex-col items-center justify-center gap-4 text-center`}
    >
      {icon && (
        <div className="grid size-20 place-items-center rounded-full bg-raised text-accent">{icon}</div>
      )}
      <Heading className="text-xl font-bold">{title}</Heading>
      {hint && <div className="max-w-prose text-muted">{hint}</div>}
      {action}
    </div>
  )
}

/** The full-screen pending animation: a spinning glowing circle. */
export function PendingAnimation({ label }: { label: string }) {
  return (
    <div role="status" className="grid min-h-[70dvh] place-items-center">
      <div className="pending-ring" />
      <span className="sr-only">{label}</span>
    </div>
  )
}
