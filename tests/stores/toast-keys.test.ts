/** Keys of a remote control move the focus to the Undo button of a message and back. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listenToToastKeys } from '../../src/islands/toast-keys.ts'

/** Creates a document with only the members that the key handler uses. */
function createTestDocument() {
  const createFocusable = () => {
    const element = Object.assign(new FocusableElement(), { isConnected: true })
    return element
  }
  const listeners = new Set<(event: object) => void>()
  const testDocument = { activeElement: null as unknown, body: {} }
  class FocusableElement {
    focus() {
      testDocument.activeElement = this
    }
  }
  vi.stubGlobal('HTMLElement', FocusableElement)
  vi.stubGlobal('document', testDocument)
  vi.stubGlobal('window', {
    addEventListener: (_kind: string, listener: (event: object) => void) => listeners.add(listener),
    removeEventListener: (_kind: string, listener: (event: object) => void) => listeners.delete(listener),
  })
  const cardElement = createFocusable()
  const undoButton = createFocusable()
  cardElement.focus()
  const pressKey = (key: string) => {
    const event = { key, preventDefault: vi.fn(), stopPropagation: vi.fn() }
    for (const listener of listeners) listener(event)
    return event.preventDefault.mock.calls.length > 0
  }
  return { testDocument, cardElement, undoButton, pressKey }
}

describe('keys of a message with Undo', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('the first Down key moves the focus to the Undo button, and Up moves the focus back', () => {
    const { testDocument, cardElement, undoButton, pressKey } = createTestDocument()
    listenToToastKeys(undoButton as never)
    expect(pressKey('ArrowRight')).toBe(false)
    expect(pressKey('ArrowDown')).toBe(true)
    expect(testDocument.activeElement).toBe(undoButton)
    expect(pressKey('ArrowUp')).toBe(true)
    expect(testDocument.activeElement).toBe(cardElement)
    expect(pressKey('ArrowDown')).toBe(false)
  })

  it('keys no longer move the focus after the message has disappeared', () => {
    const { testDocument, cardElement, undoButton, pressKey } = createTestDocument()
    listenToToastKeys(undoButton as never)()
    expect(pressKey('ArrowDown')).toBe(false)
    expect(testDocument.activeElement).toBe(cardElement)
  })
})
