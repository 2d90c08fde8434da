/** Decides whether a query names a person. The search result then includes the titles of this person. */
import { computeWordCost } from './edit-distance.ts'
import { splitWords } from './tokens.ts'

const minFamilyNameLength = 3
/** Highest edit cost of a family name that is typed alone: about one edit. */
const maxFamilyNameCost = 1
/** Highest edit cost of each word when several words of the name are typed. */
const maxWordCost = 1.3

/**
 * True when the query is the family name of at least three letters, or when the query consists of two or more words of
 * the name. The last of several words may be incomplete. Words of more than four letters may be misspelt. A given name
 * alone is not enough, because many people share it.
 */
export function isPersonQuery(query: string, name: string): boolean {
  const words = splitWords(query).words
  const nameWords = splitWords(name).words
  const [word = ''] = words
  if (words.length === 1) {
    const familyName = nameWords.at(-1) ?? ''
    const cost = word === familyName ? 0 : computeWordCost(word, familyName, false, maxFamilyNameCost)
    return word.length >= minFamilyNameLength && cost <= (word.length > 4 ? maxFamilyNameCost : 0)
  }
  return (
    words.length > 1 &&
    words.every((typedWord, index) =>
      nameWords.some(
        (nameWord) =>
          computeWordCost(typedWord, nameWord, index === words.length - 1, maxWordCost) <=
          (typedWord.length > 4 ? maxWordCost : 0),
      ),
    )
  )
}
