/** Ctrl+Z and Cmd+Z undo the change that the displayed message reports. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listenToUndoKey } from '../../src/islands/undo-key.ts'

class TestElement {
  readonly isTextField: boolean
  constructor(isTextField: boolean) {
    this.isTextField = isTextField
  }
  matches() {
    return this.isTextField
  }
}
const [cardElement, textField] = [new TestElement(false), new TestElement(true)]

/**
 * Replaces the window by an object with only the members that the handler uses, and starts listening to the keys of
 * Undo. Returns the mock function that a key should call, and functions that press keys and stop listening.
 */
function startListening() {
  const listeners = new Set<(event: object) => void>()
  vi.stubGlobal('Element', TestElement)
  vi.stubGlobal('window', {
    addEventListener: (_kind: string, listener: (event: object) => void) => listeners.add(listener),
    removeEventListener: (_kind: string, listener: (event: object) => void) => listeners.delete(listener),
  })
  const undo = vi.fn()
  const stopListening = listenToUndoKey(undo)
  /** Returns whether the key press was handled. */
  const pressKey = (fields: Partial<KeyboardEvent> & { target?: unknown }) => {
    const modifiers = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
    const preventDefault = vi.fn()
    for (const listener of listeners)
      listener({ code: '', target: cardElement, ...modifiers, ...fields, preventDefault })
    return preventDefault.mock.calls.length > 0
  }
  return { undo, stopListening, pressKey }
}

describe('the keys of Undo', () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each([
    { key: 'z', code: 'KeyZ', ctrlKey: true },
    { key: 'z', code: 'KeyZ', metaKey: true },
    { key: 'z', code: 'KeyW', ctrlKey: true },
    { key: 'ئ', code: 'KeyZ', ctrlKey: true },
  ])('the key press %o calls undo', (keyPress) => {
    const { undo, pressKey } = startListening()
    expect(pressKey(keyPress)).toBe(true)
    expect(undo).toHaveBeenCalledTimes(1)
  })

  it.each([
    { key: 'z', code: 'KeyZ' },
    { key: 'Z', code: 'KeyZ', ctrlKey: true, shiftKey: true },
    { key: 'w', code: 'KeyZ', ctrlKey: true },
    { key: 'z', code: 'KeyZ', ctrlKey: true, target: textField as never },
    { key: 'z', code: 'KeyZ', ctrlKey: true, repeat: true },
    { key: 'z', code: 'KeyZ', ctrlKey: true, defaultPrevented: true },
  ])('the key press %o is left to the browser', (keyPress) => {
    const { undo, pressKey } = startListening()
    expect(pressKey(keyPress)).toBe(false)
    expect(undo).not.toHaveBeenCalled()
  })

  it('the keys have no effect after the message has disappeared', () => {
    const { undo, stopListening, pressKey } = startListening()
    stopListening()
    expect(pressKey({ key: 'z', ctrlKey: true })).toBe(false)
    expect(undo).not.toHaveBeenCalled()
  })
})
