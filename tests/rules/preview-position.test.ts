import { expect, test } from 'vitest'
import { getPreviewWidth, type PreviewBounds, positionPreview } from '../../src/lib/rules/preview-position.ts'

const bounds: PreviewBounds = { left: 58, right: 1382, top: 72, bottom: 892 }
const createCard = (left: number, top = 300): PreviewBounds => ({
  left,
  right: left + 200,
  top,
  bottom: top + 300,
})
const previewSize = { width: 288, height: 320 }
const mirrorBounds = ({ left, right, top, bottom }: PreviewBounds): PreviewBounds => ({
  left: 1440 - right,
  right: 1440 - left,
  top,
  bottom,
})

test('the preview is centred over its card', () => {
  const { left, top, origin } = positionPreview(createCard(600), previewSize, bounds)
  expect({ left, top }).toEqual({ left: 556, top: 290 })
  expect(origin).toEqual({ x: 144, y: 160 })
})

test('the preview of the first card is aligned with the left edge of that card, and the preview of the last card with the right edge of that card', () => {
  expect(positionPreview(createCard(58), previewSize, bounds).left).toBe(58)
  expect(positionPreview(createCard(1182), previewSize, bounds).left).toBe(1382 - 288)
})

test('the preview of a partly visible card stays inside the bounds', () => {
  expect(positionPreview(createCard(-120), previewSize, bounds).left).toBe(58)
  expect(positionPreview(createCard(1330), previewSize, bounds).left).toBe(1382 - 288)
})

test('the preview stays below the header and above the bottom of the window', () => {
  expect(positionPreview(createCard(600, -100), previewSize, bounds).top).toBe(72)
  expect(positionPreview(createCard(600, 850), previewSize, bounds).top).toBe(892 - 320)
})

test('the whole preview stays inside the bounds for any position of the card', () => {
  for (let x = -300; x < 1600; x += 37)
    for (let y = -300; y < 1000; y += 41) {
      const { left, top } = positionPreview(createCard(x, y), previewSize, bounds)
      expect(left).toBeGreaterThanOrEqual(bounds.left)
      expect(left + previewSize.width).toBeLessThanOrEqual(bounds.right)
      expect(top).toBeGreaterThanOrEqual(bounds.top)
      expect(top + previewSize.height).toBeLessThanOrEqual(bounds.bottom)
    }
})

test('in right-to-left layout, where card and bounds are mirrored, the position of the preview is mirrored', () => {
  for (const x of [-120, 58, 300, 600, 900, 1182, 1330]) {
    const leftToRightPosition = positionPreview(createCard(x), previewSize, bounds)
    const rightToLeftPosition = positionPreview(
      mirrorBounds(createCard(x)),
      previewSize,
      mirrorBounds(bounds),
    )
    expect(rightToLeftPosition.left).toBe(1440 - leftToRightPosition.left - previewSize.width)
    expect(rightToLeftPosition.origin.x).toBe(previewSize.width - leftToRightPosition.origin.x)
  }
})

test('a preview that is larger than the bounds is aligned with their top left corner', () => {
  const smallBounds: PreviewBounds = { left: 16, right: 290, top: 72, bottom: 240 }
  const { left, top } = positionPreview(createCard(40), previewSize, smallBounds)
  expect({ left, top }).toEqual({ left: 16, top: 72 })
})

test('the width of a preview is 1.4 times the width of its card, but at least a minimum width and at most the width of the bounds', () => {
  expect(getPreviewWidth(300, 288, bounds)).toBe(420)
  expect(getPreviewWidth(160, 288, bounds)).toBe(288)
  expect(getPreviewWidth(160, 288, { ...bounds, right: 300 })).toBe(242)
})
