/** Edits a parental guide, which has at most one severity per category. */
import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'

export type Guide = AdminTitle['parental_guide']
export type Category = Guide[number]['category']
export type Severity = Guide[number]['severity']

export const severityIn = (guide: Guide, category: Category): Severity | '' =>
  guide.find((entry) => entry.category === category)?.severity ?? ''

/** Returns a copy with another severity in one category, keeping its votes; '' removes the category. */
export function withSeverity(guide: Guide, category: Category, severity: Severity | ''): Guide {
  const votes = guide.find((entry) => entry.category === category)?.votes ?? 0
  const otherEntries = guide.filter((entry) => entry.category !== category)
  return severity === '' ? otherEntries : [...otherEntries, { category, severity, votes }]
}
