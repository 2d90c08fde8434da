/**
 * Simulates a key press on the focused element. Browsers run default actions only for trusted key events,
 * which scripts cannot create. If no handler has prevented the event, this module performs the default
 * actions that a remote control needs.
 */

const SCROLL_STEP_PX = 120
const VERTICAL_STEPS_BY_KEY: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 }
const ARROW_STEPS_BY_KEY: Record<string, -1 | 1> = { ...VERTICAL_STEPS_BY_KEY, ArrowLeft: -1, ArrowRight: 1 }

/** Presses and releases a key. `holdMs` is the time between the two events. */
export function pressKey(key: string, holdMs = 0): void {
  const target = getTargetElement()
  const isKeyUnhandled = dispatchKey(target, 'keydown', key)
  if (isKeyUnhandled) performDefaultAction(target, key)
  if (holdMs > 0) setTimeout(() => dispatchKey(getTargetElement(), 'keyup', key), holdMs)
  else dispatchKey(getTargetElement(), 'keyup', key)
}

const getTargetElement = () => document.activeElement ?? document.body

function dispatchKey(target: Element, type: 'keydown' | 'keyup', key: string): boolean {
  return target.dispatchEvent(
    new KeyboardEvent(type, { key, bubbles: true, cancelable: true, composed: true }),
  )
}

function performDefaultAction(target: Element, key: string): void {
  if (key === 'Enter') activateElement(target)
  const step = ARROW_STEPS_BY_KEY[key]
  if (step === undefined) return
  if (target instanceof HTMLInputElement) applyArrowKeyToInput(target, key, step)
  else if (target instanceof HTMLSelectElement && key in VERTICAL_STEPS_BY_KEY) selectOption(target, step)
  else if (key in VERTICAL_STEPS_BY_KEY) window.scrollBy({ top: step * SCROLL_STEP_PX })
}

function activateElement(target: Element): void {
  // Only a trusted key event opens the list of a select, so each press selects the next option instead.
  if (target instanceof HTMLSelectElement) selectOption(target, 1, true)
  else if (target instanceof HTMLInputElement && !target.matches('[type=button],[type=submit]'))
    target.form?.requestSubmit()
  else if (target instanceof HTMLElement && !target.matches('textarea,body')) target.click()
}

function selectOption(select: HTMLSelectElement, step: -1 | 1, shouldWrap = false): void {
  const optionCount = select.options.length
  const nextIndex = select.selectedIndex + step
  if (!shouldWrap && (nextIndex < 0 || nextIndex >= optionCount)) return
  select.selectedIndex = (nextIndex + optionCount) % optionCount
  dispatchChangeEvents(select)
}

function applyArrowKeyToInput(input: HTMLInputElement, key: string, step: -1 | 1): void {
  if (input.type === 'range') {
    const isMirrored = !(key in VERTICAL_STEPS_BY_KEY) && getComputedStyle(input).direction === 'rtl'
    const shouldIncrease = key in VERTICAL_STEPS_BY_KEY ? step < 0 : step > 0 !== isMirrored
    if (shouldIncrease) input.stepUp()
    else input.stepDown()
    dispatchChangeEvents(input)
  } else if (input.type === 'radio') {
    const radioGroup = [
      ...document.querySelectorAll<HTMLInputElement>('input[type=radio]:not(:disabled)'),
    ].filter(({ name, form }) => name === input.name && form === input.form)
    const nextOption = radioGroup[(radioGroup.indexOf(input) + step + radioGroup.length) % radioGroup.length]
    nextOption?.focus()
    nextOption?.click()
  } else if (!(key in VERTICAL_STEPS_BY_KEY) && input.selectionStart !== null) {
    const isForward = step > 0 !== (getComputedStyle(input).direction === 'rtl')
    const caretIndex = Math.max(0, input.selectionStart + (isForward ? 1 : -1))
    input.setSelectionRange(caretIndex, caretIndex)
  }
}

function dispatchChangeEvents(element: HTMLElement): void {
  element.dispatchEvent(new Event('input', { bubbles: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}
