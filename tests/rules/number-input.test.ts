import { expect, test } from 'vitest'
import { parseWholeNumber } from '../../src/lib/rules/number-input.ts'

test.each([
  ['603', 603],
  [' 0603 ', 603],
  ['٦٠٣', 603],
  ['۶۰۳', 603],
  ['', null],
  ['603a', null],
  ['6.3', null],
  ['-6', null],
  ['1e3', null],
  ['9'.repeat(16), null],
])('the whole number in the typed text %j is %j', (typedText, wholeNumber) => {
  expect(parseWholeNumber(typedText)).toBe(wholeNumber)
})
