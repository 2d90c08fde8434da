import { expect, test } from 'vitest'
import { FRAME_SAMPLE_SIZE, isFrameRateLow } from '../../src/lib/rules/frame-rate.ts'

const createFrameTimesMs = (slowFrameCount: number, frameCount = FRAME_SAMPLE_SIZE) =>
  Array.from({ length: frameCount }, (_, index) => (index < slowFrameCount ? 80 : 17))

test('the frame rate counts as low when more than half of the times between frames are too long', () => {
  expect(isFrameRateLow(createFrameTimesMs(FRAME_SAMPLE_SIZE))).toBe(true)
  expect(isFrameRateLow(createFrameTimesMs(FRAME_SAMPLE_SIZE / 2 + 1))).toBe(true)
  expect(isFrameRateLow(createFrameTimesMs(FRAME_SAMPLE_SIZE / 2))).toBe(false)
  expect(isFrameRateLow(createFrameTimesMs(0))).toBe(false)
})

test('the frame rate does not count as low before FRAME_SAMPLE_SIZE frames were measured', () => {
  expect(isFrameRateLow(createFrameTimesMs(5, 5))).toBe(false)
})
