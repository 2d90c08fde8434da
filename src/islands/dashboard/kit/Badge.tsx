import type { ReactNode } from 'react'

const TONES = {
  good: 'bg-good',
  bad: 'bg-danger',
  busy: 'bg-accent',
  off: 'bg-faint',
} as const
export type Tone = keyof typeof TONES

/** A state in a word, with a dot whose colour says the same to who looks across the table. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2 rounded-full border border-line px-2.5 py-0.5 text-sm whitespace-nowrap">
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${TONES[tone]}`} />
      {children}
    </span>
  )
}
