/** Edits a parental guide, which has at most one severity per category. */
import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'

export type ParentalGuideEntries = AdminTitle['parental_guide']
export type ParentalGuideCategory = ParentalGuideEntries[number]['category']
export type ParentalGuideSeverity = ParentalGuideEntries[number]['severity']

export const getSeverity = (
  guide: ParentalGuideEntries,
  category: ParentalGuideCategory,
): ParentalGuideSeverity | '' => guide.find((entry) => entry.category === category)?.severity ?? ''

/**
 * Returns a copy with another severity in one category. The votes of the category are kept. An empty severity
 * removes the category.
 */
export function replaceSeverity(
  guide: ParentalGuideEntries,
  category: ParentalGuideCategory,
  severity: ParentalGuideSeverity | '',
): ParentalGuideEntries {
  const votes = guide.find((entry) => entry.category === category)?.votes ?? 0
  const otherGuideEntries = guide.filter((entry) => entry.category !== category)
  return severity === '' ? otherGuideEntries : [...otherGuideEntries, { category, severity, votes }]
}
