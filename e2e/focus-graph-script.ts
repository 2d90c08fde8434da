/** Runs in the page: follows every arrow key on every control with the site's own function, without pressing a key. */
import { getNavigationOptions, measureFocusTargets } from '../src/page-scripts/focus-targets.ts'
import { findFocusableElements, findFocusContainer } from '../src/page-scripts/focusable-elements.ts'
import { type ArrowKey, findNextFocus } from '../src/page-scripts/spatial-navigation.ts'

const KEYS: readonly ArrowKey[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const MAX_PRESSES_TO_MAIN_CONTROLS = 8

export interface FocusGraphReport {
  /** Number of controls. */
  controls: number
  problems: string[]
}

/** @public Called in the page. */
export function checkFocusGraph(): FocusGraphReport {
  scrollTo(0, 0)
  const elements = findFocusableElements(findFocusContainer())
  const targets = measureFocusTargets(elements)
  const options = getNavigationOptions(findFocusContainer())
  const findTargetIndex = (index: number, key: ArrowKey) => findNextFocus(targets, index, key, options)
  const edges = elements.map((_, index) =>
    KEYS.map((key) => findTargetIndex(index, key)).filter((next) => next !== -1),
  )
  const presses = countPresses(edges, findFirst(elements))
  const pressesBack = countPresses(reverseEdges(edges), findFirst(elements))
  const problems: string[] = []
  for (const [index, element] of elements.entries()) {
    const name = describeElement(element)
    const count = presses[index]
    if (count === undefined) problems.push(`no key leads to ${name}`)
    else if (count > MAX_PRESSES_TO_MAIN_CONTROLS && isMainControl(element))
      problems.push(`${count} presses to ${name}`)
    if (pressesBack[index] === undefined) problems.push(`no way back from ${name}`)
    if (!isInReach(element)) problems.push(`out of view: ${name}`)
    if (mayBeAsymmetrical(element)) continue
    const rightIndex = findTargetIndex(index, 'ArrowRight')
    if (rightIndex === -1 || mayBeAsymmetrical(elements[rightIndex] as HTMLElement)) continue
    const back = findTargetIndex(rightIndex, 'ArrowLeft')
    if (back !== index)
      problems.push(
        `right of ${name} is ${describeElement(elements[rightIndex])}, left of that ${describeElement(elements[back])}`,
      )
  }
  return { controls: elements.length, problems }
}

/**
 * @public Returns the control that should have the focus after the key, for comparison with a real key press.
 */
export function predictFocus(key: ArrowKey): string {
  const elements = findFocusableElements(findFocusContainer())
  const currentIndex = elements.indexOf(document.activeElement as HTMLElement)
  const options = getNavigationOptions(findFocusContainer())
  const next = findNextFocus(measureFocusTargets(elements), currentIndex, key, options)
  return describeElement(elements[next] ?? document.activeElement)
}

/** @public */
export const describeFocus = (): string => describeElement(document.activeElement as HTMLElement)

function findFirst(elements: readonly HTMLElement[]): number {
  const focused = elements.indexOf(document.activeElement as HTMLElement)
  if (focused !== -1) return focused
  const preferred = elements.findIndex((element) => element.matches('main [data-first]'))
  return preferred === -1
    ? Math.max(
        0,
        elements.findIndex((element) => element.closest('main')),
      )
    : preferred
}

/**
 * Returns the smallest number of presses from `start` to each control; undefined for a control that no keys
 * reach.
 */
function countPresses(edges: readonly number[][], start: number): (number | undefined)[] {
  const presses: (number | undefined)[] = edges.map(() => undefined)
  presses[start] = 0
  const queue = [start]
  for (const index of queue)
    for (const next of edges[index] ?? []) {
      if (presses[next] !== undefined) continue
      presses[next] = (presses[index] ?? 0) + 1
      queue.push(next)
    }
  return presses
}

function reverseEdges(edges: readonly number[][]): number[][] {
  const reversed: number[][] = edges.map(() => [])
  for (const [index, nextIndexes] of edges.entries())
    for (const next of nextIndexes) reversed[next]?.push(index)
  return reversed
}

/** True for controls of the first screen. Items of rows, grids and lists and the controls below a table do not count. */
const isMainControl = (element: HTMLElement) =>
  element.closest('main,dialog,[data-panel]') !== null &&
  !element.closest('li,tbody,[data-table-pages],.row-track,.card-grid,.keypad') &&
  element.getBoundingClientRect().bottom <= innerHeight

/** True unless the control lies beside the page, where scrolling to the focus does not show it. */
function isInReach(element: HTMLElement): boolean {
  const { left, right, width, height } = element.getBoundingClientRect()
  if (element.closest('.row-track,[role=tablist]')) return true
  return width > 0 && height > 0 && right > 0 && left < innerWidth
}

/**
 * True for controls to which Left need not return after Right. For arrow keys, a button over a card is part
 * of the card. Several links of a navigation beside the page have the same tall control as their neighbour.
 */
const mayBeAsymmetrical = (element: HTMLElement) =>
  element.closest('main nav') !== null ||
  (element.matches('li > button') && element.parentElement?.querySelector(':scope > [data-card]') != null)

function describeElement(element: Element | null | undefined): string {
  if (!element) return 'nothing'
  const name = (element.ariaLabel ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)
  return `${element.tagName.toLowerCase()} "${name}" ${element.getAttribute('href') ?? element.id}`.trim()
}
