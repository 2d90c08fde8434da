import { expect, test } from 'vitest'
import { PIN_LENGTH } from '../../src/lib/rules/limits.ts'
import { EMPTY_PIN, insertPinDigits } from '../../src/ui/pin-digits.ts'

test.each([
  { text: '7', startIndex: 0, pinDigits: ['7', '', '', ''] },
  { text: '7', startIndex: 3, pinDigits: ['', '', '', '7'] },
  { text: '1234', startIndex: 0, pinDigits: ['1', '2', '3', '4'] },
  { text: '12345', startIndex: 0, pinDigits: ['1', '2', '3', '4'] },
  { text: '789', startIndex: 2, pinDigits: ['', '', '7', '8'] },
  { text: 'The PIN is 1-2 3 4.', startIndex: 0, pinDigits: ['1', '2', '3', '4'] },
  { text: '٠٩٤٧', startIndex: 0, pinDigits: ['0', '9', '4', '7'] },
  { text: '۰۹۴۷۱', startIndex: 0, pinDigits: ['0', '9', '4', '7'] },
])('inserting "$text" at position $startIndex of an empty PIN keeps the digits that fit', (testCase) => {
  expect(insertPinDigits(EMPTY_PIN, testCase.text, testCase.startIndex)).toEqual(testCase.pinDigits)
  expect(EMPTY_PIN).toEqual(Array(PIN_LENGTH).fill(''))
})

test('a digit that is inserted at the position of another digit replaces the other digit', () => {
  expect(insertPinDigits(['1', '2', '', ''], '9', 1)).toEqual(['1', '9', '', ''])
})

test('inserting a text without digits, or a digit into a full PIN, does not change the PIN', () => {
  const fullPin = ['1', '2', '3', '4']
  expect(insertPinDigits(fullPin, '5', fullPin.indexOf(''))).toBe(fullPin)
  expect(insertPinDigits(fullPin, '5', 4)).toBe(fullPin)
  expect(insertPinDigits(EMPTY_PIN, 'PIN', 0)).toBe(EMPTY_PIN)
})
