/** Hover intent on cards: when a resting pointer opens a preview. Each card is 100 px wide, the first one at x = 0. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { cancelHoverIntent, watchHoverIntent } from '../../src/islands/media/hover-intent.ts'

const originalDocumentDescriptor = Object.getOwnPropertyDescriptor(globalThis, 'document')
const page = new EventTarget()
const openedCardNames: string[] = []
let hoveredCard: TestCard | null = null

class TestCard extends EventTarget {
  isConnected = true
  readonly name: string
  constructor(name: string) {
    super()
    this.name = name
  }
  matches = () => hoveredCard === this
}

/** Moves the pointer into the card, or to a place without a card. */
function movePointerToCard(card: TestCard | null, loadPromise = Promise.resolve()): void {
  hoveredCard?.dispatchEvent(new Event('pointerleave'))
  hoveredCard = card
  if (!card) return
  watchHoverIntent(card as never, async () => {
    await loadPromise
    return () => openedCardNames.push(card.name)
  })
}
const movePointer = (clientX: number) =>
  page.dispatchEvent(Object.assign(new Event('pointermove'), { clientX, clientY: 0 }))

beforeAll(() => {
  Object.defineProperty(globalThis, 'document', { value: page, configurable: true })
  vi.useFakeTimers()
})
afterEach(() => {
  cancelHoverIntent()
  hoveredCard = null
  openedCardNames.length = 0
  movePointer(0)
})
afterAll(() => {
  vi.useRealTimers()
  if (originalDocumentDescriptor) Object.defineProperty(globalThis, 'document', originalDocumentDescriptor)
  else Reflect.deleteProperty(globalThis, 'document')
})

test('a preview opens once, 450 ms after the pointer has entered its card', async () => {
  movePointerToCard(new TestCard('A'))
  await vi.advanceTimersByTimeAsync(440)
  expect(openedCardNames).toEqual([])
  await vi.advanceTimersByTimeAsync(10)
  expect(openedCardNames).toEqual(['A'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(openedCardNames).toEqual(['A'])
})

test('a pointer that leaves a card and enters it again within the delay starts a new delay', async () => {
  const card = new TestCard('A')
  movePointerToCard(card)
  await vi.advanceTimersByTimeAsync(400)
  movePointerToCard(null)
  movePointerToCard(card)
  await vi.advanceTimersByTimeAsync(440)
  expect(openedCardNames).toEqual([])
  await vi.advanceTimersByTimeAsync(10)
  expect(openedCardNames).toEqual(['A'])
})

test('a pointer that goes on to a second card within the delay opens only the preview of the second card', async () => {
  movePointerToCard(new TestCard('A'))
  await vi.advanceTimersByTimeAsync(400)
  movePointerToCard(new TestCard('B'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openedCardNames).toEqual(['B'])
})

test('no preview opens if the pointer leaves the card, a key is pressed or the page is scrolled while the preview loads', async () => {
  const cancelFunctions = [
    () => movePointerToCard(null),
    () => page.dispatchEvent(new Event('keydown')),
    () => page.dispatchEvent(new Event('scroll')),
  ]
  for (const cancel of cancelFunctions) {
    const { promise, resolve } = Promise.withResolvers<void>()
    movePointerToCard(new TestCard('A'), promise)
    await vi.advanceTimersByTimeAsync(500)
    cancel()
    resolve()
    await vi.advanceTimersByTimeAsync(500)
    movePointer(0)
  }
  expect(openedCardNames).toEqual([])
})

test('if the pointer enters another card while a preview loads, only the preview of the other card opens', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  movePointerToCard(new TestCard('A'), promise)
  await vi.advanceTimersByTimeAsync(500)
  movePointerToCard(new TestCard('B'))
  resolve()
  await vi.advanceTimersByTimeAsync(440)
  expect(openedCardNames).toEqual([])
  await vi.advanceTimersByTimeAsync(10)
  expect(openedCardNames).toEqual(['B'])
})

test('no preview opens if the card is removed from the page or the hover delay is cancelled, and no timer remains', async () => {
  const removedCard = new TestCard('A')
  movePointerToCard(removedCard)
  removedCard.isConnected = false
  await vi.advanceTimersByTimeAsync(1_000)
  movePointerToCard(new TestCard('B'))
  await vi.advanceTimersByTimeAsync(400)
  cancelHoverIntent()
  expect(vi.getTimerCount()).toBe(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openedCardNames).toEqual([])
})

test('no preview opens while the pointer moves slowly and steadily, although each single movement is within the tolerance', async () => {
  movePointerToCard(new TestCard('A'))
  for (let stepIndex = 0; stepIndex < 80; stepIndex++) {
    movePointer(stepIndex * 2)
    await vi.advanceTimersByTimeAsync(16)
  }
  expect(openedCardNames).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(openedCardNames).toEqual(['A'])
})

test('a trembling pointer opens a preview after the delay, even if the previous position of the pointer was far away', async () => {
  movePointer(5_000)
  movePointerToCard(new TestCard('A'))
  for (let stepIndex = 0; stepIndex < 45; stepIndex++) {
    movePointer(50 + (stepIndex % 2) * 4)
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(openedCardNames).toEqual(['A'])
})
