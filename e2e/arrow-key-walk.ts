/** Explores a page with the arrow keys, as with a television remote, and reports controls that the arrows do not reach. */
import { expect, type Page } from '@playwright/test'

export interface ArrowKeyWalk {
  /** Descriptions of the controls on the page. */
  controls: string[]
  /** Descriptions of the controls that no arrow key reached. */
  unreached: string[]
  /** Key presses after which no visible element had the focus. */
  lostFocus: string[]
}

/**
 * Presses each arrow key on each control that was reached so far, until no new control is reached. A long row is represented
 * by its first cards and its last card, a grid by its first cards. Key events are dispatched in the page, because several
 * hundred key presses through the browser's input take minutes.
 */
export function walkWithArrowKeys(page: Page): Promise<ArrowKeyWalk> {
  return page.evaluate(async () => {
    const CONTROL_SELECTOR =
      ':is(a[href],button,input,select,textarea,[tabindex]):not(:disabled,[tabindex="-1"],.theatre [type=range]),[data-card],[role=tab]'
    const ARROW_KEYS = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']
    const CARDS_PER_ROW = 3
    const CARDS_PER_GRID = 14
    const getScope = () => [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body
    const isVisible = (element: HTMLElement) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[inert],[aria-hidden=true]') &&
      element.getBoundingClientRect().width > 1
    /*
     * True for an element that represents its row or grid. Elements below an infinite grid are skipped, as are the other cards
     * of the grid.
     */
    const isRepresentative = (element: HTMLElement) => {
      const row = element.closest('.row-track')
      const items = [...(element.closest('.row-track,.card-grid')?.children ?? [])]
      const index = items.findIndex((item) => item.contains(element))
      if (row) return index < CARDS_PER_ROW || index === items.length - 1
      const grid = document.querySelector(`.card-grid:has(> :nth-child(${CARDS_PER_GRID + 1}))`)
      const isBelowGrid = grid && grid.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
      return index === -1 ? !isBelowGrid : index < CARDS_PER_GRID
    }
    const listControls = () =>
      [...getScope().querySelectorAll<HTMLElement>(CONTROL_SELECTOR)]
        .filter(isVisible)
        .filter(isRepresentative)
    const describeElement = (element: Element | null) =>
      element
        ? `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}" ${element.getAttribute('href') ?? element.id}`
        : 'no element'
    const pressKey = async (control: HTMLElement, key: string) => {
      control.focus({ preventScroll: true, focusVisible: true } as FocusOptions)
      control.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      control.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      await Promise.resolve()
      return document.activeElement as HTMLElement | null
    }
    const reachedControls = new Set<HTMLElement>()
    const queue: HTMLElement[] = []
    const lostFocus: string[] = []
    const markReached = (element: HTMLElement) => {
      if (reachedControls.has(element)) return
      reachedControls.add(element)
      if (isRepresentative(element)) queue.push(element)
    }
    const active = document.activeElement as HTMLElement
    const firstFocused =
      active !== document.body && getScope().contains(active)
        ? active
        : await pressKey(document.body, 'ArrowDown')
    if (firstFocused && firstFocused !== document.body && getScope().contains(firstFocused))
      markReached(firstFocused)
    else lostFocus.push(`first arrow key: ${describeElement(firstFocused)}`)
    const visitControl = async (control: HTMLElement) => {
      /* End moves to the last card of a row, like a held arrow key. */
      const keys = control.matches('.row-track > :first-child [data-card]')
        ? [...ARROW_KEYS, 'End']
        : ARROW_KEYS
      for (const key of keys) {
        const focused = await pressKey(control, key)
        if (!focused || focused === document.body || !isVisible(focused))
          lostFocus.push(`${key} on ${describeElement(control)}: ${describeElement(focused)}`)
        else markReached(focused)
      }
    }
    let remainingRetries = 4
    for (let index = 0; ; index++) {
      if (index === queue.length) {
        /*
         * Scrolling may have loaded more controls, so the last controls are tried again, but not tabs, which would replace the
         * content.
         */
        await new Promise((resolve) => setTimeout(resolve, 250))
        if (remainingRetries-- === 0 || listControls().every((element) => reachedControls.has(element))) break
        const contentControls = [...reachedControls].filter(
          (element) => isRepresentative(element) && !element.matches('[role=tab]'),
        )
        queue.push(...contentControls.slice(-20))
        if (index === queue.length) break
      }
      const control = queue[index] as HTMLElement
      if (control.isConnected && getScope().contains(control)) await visitControl(control)
    }
    const visibleControls = listControls()
    return {
      controls: visibleControls.map(describeElement),
      unreached: visibleControls.filter((element) => !reachedControls.has(element)).map(describeElement),
      lostFocus: lostFocus.slice(0, 10),
    }
  })
}

/** Expects that arrow keys reach every control of the top dialog or the page, and never lose the focus. */
export async function expectReachableByArrowKeys(page: Page, name: string): Promise<void> {
  const { unreached, lostFocus, controls } = await walkWithArrowKeys(page)
  expect.soft(controls.length, name).toBeGreaterThan(0)
  expect.soft({ unreached, lostFocus }, name).toEqual({ unreached: [], lostFocus: [] })
}
