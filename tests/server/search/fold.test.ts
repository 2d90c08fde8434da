import { describe, expect, test } from 'vitest'
import { foldText } from '../../../server/search/fold.ts'
import { computeSoundSkeleton, romanise } from '../../../server/search/sound.ts'
import {
  createNameKeys,
  createNameTokens,
  normaliseWords,
  splitWords,
} from '../../../server/search/tokens.ts'

const listWords = (text: string) => splitWords(text).words
const joinNormalisedWords = (text: string) => normaliseWords(listWords(text)).join(' ')

describe('foldText', () => {
  test.each([
    ['Amélie', 'amelie'],
    ['ŒUVRE', 'oeuvre'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['ﬁlm', 'film'],
    ['ＦＵＬＬ', 'full'],
    ['٢٠٠١', '2001'],
    ['۱۹۸۴', '1984'],
    ['スター', 'すたー'],
    ['İstanbul', 'istanbul'],
    ['a\u202eb\u0000c', 'ab c'],
    ['3×3', '3x3'],
  ])('folds "%s" to "%s"', (text, foldedText) => expect(foldText(text)).toBe(foldedText))

  test.each([
    ['أحمد', 'احمد'],
    ['إلى', 'الي'],
    ['آمال', 'امال'],
    ['الحرية', 'الحريه'],
    ['علـــموني', 'علموني'],
    ['حياَتي', 'حياتي'],
    ['ﻗﻠﺐ', 'قلب'],
    ['کتاب', 'كتاب'],
    ['گل', 'كل'],
  ])('folds Arabic "%s" to "%s"', (text, foldedText) => expect(foldText(text)).toBe(foldedText))
})

describe('splitting text into words', () => {
  test('joins words at apostrophes, splits words at hyphens, and indexes names in the joined and the split form', () => {
    expect(listWords("O'Neil")).toEqual(['oneil'])
    expect(listWords('Spider-Man')).toEqual(['spider', 'man'])
    expect([...createNameTokens(splitWords("L'été Spider-Man"))]).toEqual(
      expect.arrayContaining(['lete', 'ete', 'spider', 'man', 'spiderman']),
    )
  })
  test('joins initials into one word', () => {
    expect(listWords('S.W.A.T.')).toEqual(['swat'])
    expect(listWords('M*A*S*H')).toEqual(['mash'])
  })
  test('treats "C++" as a word and also indexes it as "c"', () => {
    expect(listWords('C++')).toEqual(['c++'])
    expect(createNameTokens(splitWords('C++')).has('c')).toBe(true)
  })
  test('reads Roman, Arabic and written numerals as the same number', () => {
    for (const text of ['Rocky II', 'Rocky 2', 'Rocky Two', 'Rocky ٢'])
      expect(joinNormalisedWords(text)).toBe('rocky 2')
    expect(joinNormalisedWords('Rocky V')).toBe('rocky 5')
    expect(joinNormalisedWords('V for Vendetta')).toBe('v for vendetta')
    expect(joinNormalisedWords('The 3rd Man')).toBe(joinNormalisedWords('The Third Man'))
  })
  test('reads an ampersand as "and"', () =>
    expect(listWords('Tom & Jerry')).toEqual(listWords('Tom and Jerry')))
  test('createNameKeys returns a key without spaces and a key without articles', () => {
    expect(createNameKeys(listWords('Spider-Man')).fullNameKey).toBe(
      createNameKeys(listWords('spiderman')).fullNameKey,
    )
    expect(createNameKeys(listWords('The Matrix')).bareNameKey).toBe('matrix')
    expect(createNameKeys(listWords('محطة الأنس')).fullNameKey).toBe(
      createNameKeys(listWords('محطة أنس')).fullNameKey,
    )
  })
  test('indexes text in scripts without spaces as pairs of characters', () => {
    expect([...createNameTokens(splitWords('星界の戦旗'))]).toEqual(expect.arrayContaining(['星界', '戦旗']))
  })
})

describe('sounds of words', () => {
  test('sound skeletons are equal for different spellings and scripts of a word', () => {
    expect(computeSoundSkeleton('انسبشن')).toBe(computeSoundSkeleton('inception'))
    expect(computeSoundSkeleton('inseption')).toBe(computeSoundSkeleton('inception'))
    expect(computeSoundSkeleton('هانكس')).toBe(computeSoundSkeleton('hanks'))
    expect(computeSoundSkeleton('neighbourhood')).toBe(computeSoundSkeleton('naborhood'))
  })
  test('romanise transliterates Cyrillic letters to Latin letters', () =>
    expect(romanise('матрица')).toBe('matritsa'))
})
