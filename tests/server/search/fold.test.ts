import { describe, expect, test } from 'vitest'
import { foldText } from '../../../server/search/fold.ts'
import { romanise, soundSkeleton } from '../../../server/search/sound.ts'
import { nameKeys, nameTokens, normaliseWords, splitWords } from '../../../server/search/tokens.ts'

const words = (text: string) => splitWords(text).words
const plain = (text: string) => normaliseWords(words(text)).join(' ')

describe('text that a viewer would call the same folds to the same', () => {
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
  ])('%s', (text, folded) => expect(foldText(text)).toBe(folded))

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
  ])('Arabic %s', (text, folded) => expect(foldText(text)).toBe(folded))
})

describe('words', () => {
  test('apostrophes join, hyphens part, and both readings are indexed', () => {
    expect(words("O'Neil")).toEqual(['oneil'])
    expect(words('Spider-Man')).toEqual(['spider', 'man'])
    expect([...nameTokens(splitWords("L'été Spider-Man"))]).toEqual(
      expect.arrayContaining(['lete', 'ete', 'spider', 'man', 'spiderman']),
    )
  })
  test('initials are one word', () => {
    expect(words('S.W.A.T.')).toEqual(['swat'])
    expect(words('M*A*S*H')).toEqual(['mash'])
  })
  test('C++ is a word of its own and still a c', () => {
    expect(words('C++')).toEqual(['c++'])
    expect(nameTokens(splitWords('C++')).has('c')).toBe(true)
  })
  test('numerals of every kind are one number', () => {
    for (const text of ['Rocky II', 'Rocky 2', 'Rocky Two', 'Rocky ٢']) expect(plain(text)).toBe('rocky 2')
    expect(plain('Rocky V')).toBe('rocky 5')
    expect(plain('V for Vendetta')).toBe('v for vendetta')
    expect(plain('The 3rd Man')).toBe(plain('The Third Man'))
  })
  test('an ampersand is "and"', () => expect(words('Tom & Jerry')).toEqual(words('Tom and Jerry')))
  test('keys forget spaces, articles and the Arabic article', () => {
    expect(nameKeys(words('Spider-Man')).full).toBe(nameKeys(words('spiderman')).full)
    expect(nameKeys(words('The Matrix')).bare).toBe('matrix')
    expect(nameKeys(words('محطة الأنس')).full).toBe(nameKeys(words('محطة أنس')).full)
  })
  test('scripts without spaces are indexed in pairs', () => {
    expect([...nameTokens(splitWords('星界の戦旗'))]).toEqual(expect.arrayContaining(['星界', '戦旗']))
  })
})

describe('sound', () => {
  test('one skeleton across spellings and scripts', () => {
    expect(soundSkeleton('انسبشن')).toBe(soundSkeleton('inception'))
    expect(soundSkeleton('inseption')).toBe(soundSkeleton('inception'))
    expect(soundSkeleton('هانكس')).toBe(soundSkeleton('hanks'))
    expect(soundSkeleton('neighbourhood')).toBe(soundSkeleton('naborhood'))
  })
  test('other scripts in Latin letters', () => expect(romanise('матрица')).toBe('matritsa'))
})
