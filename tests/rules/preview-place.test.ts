import { expect, test } from 'vitest'
import { getPreviewWidth, type PreviewBounds, positionPreview } from '../../src/lib/rules/preview-position.ts'

const room: PreviewBounds = { left: 58, right: 1382, top: 72, bottom: 892 }
const card = (left: number, top = 300): PreviewBounds => ({ left, right: left + 200, top, bottom: top + 300 })
const size = { width: 288, height: 320 }
const mirrored = ({ left, right, top, bottom }: PreviewBounds): PreviewBounds => ({
  left: 1440 - right,
  right: 1440 - left,
  top,
  bottom,
})

test('it is centred over its card', () => {
  const { left, top, origin } = positionPreview(card(600), size, room)
  expect({ left, top }).toEqual({ left: 556, top: 290 })
  expect(origin).toEqual({ x: 144, y: 160 })
})

test('the first card keeps its near side, the last one its far side', () => {
  expect(positionPreview(card(58), size, room).left).toBe(58)
  expect(positionPreview(card(1182), size, room).left).toBe(1382 - 288)
})

test('a card that is half out of sight opens inside it', () => {
  expect(positionPreview(card(-120), size, room).left).toBe(58)
  expect(positionPreview(card(1330), size, room).left).toBe(1382 - 288)
})

test('below the header and above the foot of the window', () => {
  expect(positionPreview(card(600, -100), size, room).top).toBe(72)
  expect(positionPreview(card(600, 850), size, room).top).toBe(892 - 320)
})

test('whatever the place of the card, all of it can be seen', () => {
  for (let x = -300; x < 1600; x += 37)
    for (let y = -300; y < 1000; y += 41) {
      const { left, top } = positionPreview(card(x, y), size, room)
      expect(left).toBeGreaterThanOrEqual(room.left)
      expect(left + size.width).toBeLessThanOrEqual(room.right)
      expect(top).toBeGreaterThanOrEqual(room.top)
      expect(top + size.height).toBeLessThanOrEqual(room.bottom)
    }
})

test('from right to left it is the mirror image', () => {
  for (const x of [-120, 58, 300, 600, 900, 1182, 1330]) {
    const here = positionPreview(card(x), size, room)
    const there = positionPreview(mirrored(card(x)), size, mirrored(room))
    expect(there.left).toBe(1440 - here.left - size.width)
    expect(there.origin.x).toBe(size.width - here.origin.x)
  }
})

test('what is larger than the room begins where the room begins', () => {
  const small: PreviewBounds = { left: 16, right: 290, top: 72, bottom: 240 }
  const { left, top } = positionPreview(card(40), size, small)
  expect({ left, top }).toEqual({ left: 16, top: 72 })
})

test('1.4 times its card, never less than its buttons need, never more than there is', () => {
  expect(getPreviewWidth(300, 288, room)).toBe(420)
  expect(getPreviewWidth(160, 288, room)).toBe(288)
  expect(getPreviewWidth(160, 288, { ...room, right: 300 })).toBe(242)
})
