import type { ReactNode } from 'react'

const TONE_CLASSES = {
  good: 'bg-good',
  bad: 'bg-danger',
  busy: 'bg-accent',
  off: 'bg-faint',
} as const
export type BadgeTone = keyof typeof TONE_CLASSES

/** A status as text, with a coloured dot that makes a table easy to scan. */
export function StatusBadge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2 rounded-full border border-line px-2.5 py-0.5 text-sm whitespace-nowrap">
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${TONE_CLASSES[tone]}`} />
      {children}
    </span>
  )
}
