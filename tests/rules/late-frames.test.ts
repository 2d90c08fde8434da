import { expect, test } from 'vitest'
import { areLate, FRAMES } from '../../src/lib/rules/late-frames.ts'

const frames = (late: number, all = FRAMES) => Array.from({ length: all }, (_, at) => (at < late ? 80 : 17))

test('a device is slow when most of its frames come late', () => {
  expect(areLate(frames(FRAMES))).toBe(true)
  expect(areLate(frames(FRAMES / 2 + 1))).toBe(true)
  expect(areLate(frames(FRAMES / 2))).toBe(false)
  expect(areLate(frames(0))).toBe(false)
})

test('a few frames say nothing', () => {
  expect(areLate(frames(5, 5))).toBe(false)
})
