/** Keys for the initials of names ("got", "lotr"). The search looks them up like the keys of whole names. */
import { isArticle, isUnspacedScript, splitWords } from './tokens.ts'
import type { SearchDoc } from './types.ts'

/**
 * Titles with fewer votes get no keys for their initials, because few people know these initials. The `popularity` of a
 * title in the search index is its number of votes.
 */
const minVoteCount = 100
const minInitials = 3
const maxInitials = 8

export const toInitialsKey = (initials: string) => `§i${initials}`
/** True for a query that may be the initials of a name. */
export const isInitialsQuery = (word: string) =>
  word.length >= minInitials && word.length <= maxInitials && /^\p{L}+$/u.test(word)

/**
 * Returns the keys of the initials of a name, with and without a leading article. The part before a colon or dash gets
 * keys as well. Only names with 3 to 8 initials get keys. People get no keys, and titles with few votes get no keys.
 */
export function createInitialsKeys(name: string, { kind, popularity }: SearchDoc): string[] {
  if (kind === 'actor' || popularity < minVoteCount) return []
  const initialsKeys = new Set<string>()
  for (const namePart of new Set([name, name.split(/:| [-–—] /)[0] ?? name])) {
    const { words } = splitWords(namePart)
    if (words.some(isUnspacedScript)) continue
    const initials = words.map((word) => word[0] ?? '').join('')
    for (const initialsVariant of [initials, isArticle(words[0] ?? '') ? initials.slice(1) : initials])
      if (initialsVariant.length >= minInitials && initialsVariant.length <= maxInitials)
        initialsKeys.add(toInitialsKey(initialsVariant))
  }
  return [...initialsKeys]
}
