/** Keys of a remote control move the focus to the Undo button of a message and back. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { handleToastKeys } from '../../src/islands/toast-keys.ts'

/** Creates a document with only the members that the key handler uses. */
function createDocument() {
  const createFocusable = () => {
    const element = Object.assign(new FocusableElement(), { isConnected: true })
    return element
  }
  const listeners = new Set<(event: object) => void>()
  const page = { activeElement: null as unknown, body: {} }
  class FocusableElement {
    focus() {
      page.activeElement = this
    }
  }
  vi.stubGlobal('HTMLElement', FocusableElement)
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', {
    addEventListener: (_kind: string, listener: (event: object) => void) => listeners.add(listener),
    removeEventListener: (_kind: string, listener: (event: object) => void) => listeners.delete(listener),
  })
  const card = createFocusable()
  const undo = createFocusable()
  card.focus()
  const pressKey = (key: string) => {
    const event = { key, preventDefault: vi.fn(), stopPropagation: vi.fn() }
    for (const listener of listeners) listener(event)
    return event.preventDefault.mock.calls.length > 0
  }
  return { page, card, undo, press: pressKey }
}

describe('keys of a message with Undo', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('the first Down key moves the focus to the button, and Up returns it', () => {
    const { page, card, undo, press } = createDocument()
    handleToastKeys(undo as never)
    expect(press('ArrowRight')).toBe(false)
    expect(press('ArrowDown')).toBe(true)
    expect(page.activeElement).toBe(undo)
    expect(press('ArrowUp')).toBe(true)
    expect(page.activeElement).toBe(card)
    expect(press('ArrowDown')).toBe(false)
  })

  it('returns the focus when the message disappears while its button has the focus', () => {
    const { page, card, undo, press } = createDocument()
    const stop = handleToastKeys(undo as never)
    press('ArrowDown')
    page.activeElement = page.body
    stop()
    expect(page.activeElement).toBe(card)
    expect(press('ArrowDown')).toBe(false)
  })
})
