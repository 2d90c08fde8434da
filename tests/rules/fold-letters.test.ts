import { describe, expect, it } from 'vitest'
import { foldLetters } from '../../src/lib/rules/fold-letters.ts'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import { foldTitle } from '../../src/lib/rules/fold-title.ts'
import { getTitleSortKey, slugify } from '../../src/lib/rules/slug.ts'

describe('foldLetters', () => {
  it.each([
    ['ÀÉÎÕÜ', 'aeiou'],
    ['Straße, Œuvre, Æon, Þór', 'strasse, oeuvre, aeon, thor'],
    ['Łódź, Đà Nẵng, Øresund, Iğdır', 'lodz, da nang, oresund, igdir'],
    ['أحمد إلى آخر', 'احمد الى اخر'],
    ['مَـــدِينَة', 'مدينة'],
  ])('folds %s to %s', (text, folded) => expect(foldLetters(text)).toBe(folded))
})

it('gives every use the same letters', () => {
  const title = 'Đặc Œuvre Łódź Ørn'
  expect(foldSearchText(title)).toBe('dac oeuvre lodz orn')
  expect(foldTitle(title)).toBe('dac oeuvre lodz orn')
  expect(slugify(title)).toBe('dac-oeuvre-lodz-orn')
  expect(getTitleSortKey(`The ${title}`)).toBe('dac oeuvre lodz orn')
})

it('maps variants of Arabic letters for search only', () => {
  expect(foldSearchText('کتابي پاریس')).toBe('كتابي باريس')
  expect(foldTitle('مدينة على')).toBe('مدينه علي')
})
