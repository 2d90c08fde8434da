import { expect, test } from 'vitest'
import { computeAlignmentCost, computeWordCost } from '../../../server/search/edit-distance.ts'
import { findNearWords, getWordAt, VocabularyPacker } from '../../../server/search/vocabulary.ts'

function packWords(words: string[]) {
  const packer = new VocabularyPacker()
  for (const word of words) packer.add(word, 1)
  return packer.toVocabulary()
}

/** Returns the optimal string alignment distance of two words. This is a simple reference implementation. */
function computeDistance(firstWord: string, secondWord: string): number {
  const distances = Array.from({ length: firstWord.length + 1 }, (_, i) =>
    Array.from({ length: secondWord.length + 1 }, (_, j) => (i === 0 ? j : i)),
  )
  for (let i = 1; i <= firstWord.length; i += 1)
    for (let j = 1; j <= secondWord.length; j += 1) {
      distances[i]![j] = Math.min(
        distances[i - 1]![j]! + 1,
        distances[i]![j - 1]! + 1,
        distances[i - 1]![j - 1]! + (firstWord[i - 1] === secondWord[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && firstWord[i - 1] === secondWord[j - 2] && firstWord[i - 2] === secondWord[j - 1])
        distances[i]![j] = Math.min(distances[i]![j]!, distances[i - 2]![j - 2]! + 1)
    }
  return distances[firstWord.length]![secondWord.length]!
}

function createWords(wordCount: number): string[] {
  const words = new Set<string>()
  let seed = 7
  while (words.size < wordCount) {
    let word = ''
    const letterCount = 2 + (seed % 7)
    for (let i = 0; i < letterCount; i += 1) {
      seed = (seed * 1103515245 + 12345) % 2147483648
      word += 'abcde'[(seed >> 8) % 5]
    }
    words.add(word)
  }
  return [...words].sort()
}

test('a packed vocabulary returns its words by index', () => {
  const words = createWords(300)
  const vocabulary = packWords(words)
  expect(words.map((_, i) => getWordAt(vocabulary, i))).toEqual(words)
})

test('findNearWords returns exactly the words within the edit distance, as the reference implementation does', () => {
  const words = createWords(1500)
  const vocabulary = packWords(words)
  for (const typedWord of ['abcde', 'edc', 'aabbc', 'ba', 'ceadbbe', 'eeee']) {
    for (const maxEdits of [1, 2]) {
      const nearWords = findNearWords(vocabulary, typedWord, {
        maxEdits,
        hasSameFirstLetter: false,
        isWordUnfinished: false,
      })
      const expectedWords = words.filter((word) => computeDistance(typedWord, word) <= maxEdits)
      expect(nearWords.map(({ word }) => word)).toEqual(expectedWords)
      for (const { word, distance } of nearWords) expect(distance).toBe(computeDistance(typedWord, word))
      const wordsWithSameFirstLetter = findNearWords(vocabulary, typedWord, {
        maxEdits,
        hasSameFirstLetter: true,
        isWordUnfinished: false,
      })
      expect(wordsWithSameFirstLetter.map(({ word }) => word)).toEqual(
        expectedWords.filter((word) => word[0] === typedWord[0]),
      )
    }
  }
})

test('findNearWords matches a misspelt unfinished word to the beginning of a longer word', () => {
  const vocabulary = packWords(['inception', 'interstellar', 'matrix'])
  const nearWords = findNearWords(vocabulary, 'insept', {
    maxEdits: 1,
    hasSameFirstLetter: false,
    isWordUnfinished: true,
  })
  expect(nearWords).toMatchObject([{ word: 'incept', isPrefix: true }])
})

test('computeWordCost returns a lower cost for doubled and swapped letters than for other errors, and infinity for very different words', () => {
  expect(computeWordCost('batman', 'batman', false, 3)).toBe(0)
  expect(computeWordCost('battman', 'batman', false, 3)).toBeLessThan(
    computeWordCost('bakman', 'batman', false, 3),
  )
  expect(computeWordCost('abtman', 'batman', false, 3)).toBeLessThan(1)
  expect(computeWordCost('zzzzzz', 'batman', false, 2)).toBe(Number.POSITIVE_INFINITY)
})

test('computeAlignmentCost returns infinity for a cost above the limit, and the exact cost up to the limit', () => {
  const words = createWords(400)
  const costVariants = [
    {
      wordEnd: 0.1,
      insideWord: 0.14,
      perRemainingLetter: 0.002,
      laterWordStart: 0.16,
      perSkippedLetter: 0.012,
    },
    { wordEnd: 99, insideWord: 99, perRemainingLetter: 0, laterWordStart: 99, perSkippedLetter: 0 },
  ]
  let costWithinLimitCount = 0
  for (const [index, word] of words.entries()) {
    const twoWordName = `${words[(index * 7) % 400]} ${words[(index * 31) % 400]}`
    for (const typedWord of [
      word,
      twoWordName.slice(0, -2),
      `${twoWordName[1]}${twoWordName[0]}${twoWordName.slice(2)}`,
      twoWordName.slice(3),
    ])
      for (const unmatchedCosts of costVariants) {
        const cost = computeAlignmentCost(typedWord, twoWordName, unmatchedCosts, Number.POSITIVE_INFINITY)
        for (const maxCost of [0.3, 1, 1.6, 3]) {
          const limitedCost = computeAlignmentCost(typedWord, twoWordName, unmatchedCosts, maxCost)
          expect(limitedCost, `${typedWord} ${twoWordName} ${maxCost}`).toBe(
            cost <= maxCost ? cost : Number.POSITIVE_INFINITY,
          )
          if (cost <= maxCost) costWithinLimitCount += 1
        }
      }
  }
  expect(costWithinLimitCount).toBeGreaterThan(1000)
})
