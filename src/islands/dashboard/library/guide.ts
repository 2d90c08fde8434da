/** A title's parental guide as it is edited: one severity per category, or none. */
import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'

export type Guide = AdminTitle['parental_guide']
export type Category = Guide[number]['category']
export type Severity = Guide[number]['severity']

export const severityIn = (guide: Guide, category: Category): Severity | '' =>
  guide.find((one) => one.category === category)?.severity ?? ''

/** With another severity in one category, whose votes stay; none takes the category out. */
export function withSeverity(guide: Guide, category: Category, severity: Severity | ''): Guide {
  const votes = guide.find((one) => one.category === category)?.votes ?? 0
  const others = guide.filter((one) => one.category !== category)
  return severity === '' ? others : [...others, { category, severity, votes }]
}
