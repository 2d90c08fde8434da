/** Formats numbers of votes in abbreviated form. */
import { formatCount } from './format.ts'
import { t } from './t.ts'

/**
 * Formats a number of votes as `1 vote` or `1.2M votes`. Adds `suffix` to the number, such as `+` for a minimum. From
 * one million on, the plural form is that of whole millions, because French writes `1,2 M de votes`.
 */
export function formatVotes(voteCount: number, suffix = ''): string {
  const count = voteCount < 1e6 ? voteCount : Math.floor(voteCount / 1e6) * 1e6
  return t('detail:votes', { count, votes: `${formatCount(voteCount)}${suffix}` })
}
