import { expect, test } from 'vitest'
import { FRAME_SAMPLE_SIZE, isFrameRateLow } from '../../src/lib/rules/frame-rate.ts'

const frames = (late: number, all = FRAME_SAMPLE_SIZE) =>
  Array.from({ length: all }, (_, at) => (at < late ? 80 : 17))

test('a device is slow when most of its frames come late', () => {
  expect(isFrameRateLow(frames(FRAME_SAMPLE_SIZE))).toBe(true)
  expect(isFrameRateLow(frames(FRAME_SAMPLE_SIZE / 2 + 1))).toBe(true)
  expect(isFrameRateLow(frames(FRAME_SAMPLE_SIZE / 2))).toBe(false)
  expect(isFrameRateLow(frames(0))).toBe(false)
})

test('a few frames say nothing', () => {
  expect(isFrameRateLow(frames(5, 5))).toBe(false)
})
