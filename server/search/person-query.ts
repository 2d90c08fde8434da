/** Decides whether a query is the name of a person, so that the titles of the person belong to the result. */
import { computeWordCost } from './edit-distance.ts'
import { splitWords } from './tokens.ts'

const minFamilyName = 3
/** Costs of misspelt words: about one edit in a family name typed alone, and more beside another word of the name. */
const maxFamilyNameCost = 1
const maxWordCost = 1.3

/**
 * True when the query is the family name, or two or more words of the name of which the last may be incomplete. A given
 * name alone is not enough, because it begins the names of many people.
 */
export function isPersonQuery(q: string, name: string): boolean {
  const words = splitWords(q).words
  const nameWords = splitWords(name).words
  const [word = ''] = words
  if (words.length === 1) {
    const familyName = nameWords.at(-1) ?? ''
    const cost = word === familyName ? 0 : computeWordCost(word, familyName, false, maxFamilyNameCost)
    return word.length >= minFamilyName && cost <= (word.length > 4 ? maxFamilyNameCost : 0)
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
