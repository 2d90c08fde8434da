/**
 * Runs in the page. For every control and arrow key, determines with the site's own function where the key moves the
 * focus. No key is pressed.
 */
import { getNavigationOptions, measureFocusTargets } from '../src/page-scripts/focus-targets.ts'
import { findFocusableElements, findFocusContainer } from '../src/page-scripts/focusable-elements.ts'
import { findNextElement, searchElements } from '../src/page-scripts/next-element.ts'
import { type ArrowKey, findNextFocus } from '../src/page-scripts/spatial-navigation.ts'

const ARROW_KEYS: readonly ArrowKey[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const MAX_PRESSES_TO_MAIN_CONTROLS = 8
/**
 * The keys of at least this number of controls (or of all controls, if there are fewer) are compared with a search
 * among all controls.
 */
const MIN_COMPARED_CONTROL_COUNT = 12

export interface FocusGraphReport {
  /** Number of controls that can have the focus. */
  controlCount: number
  problems: string[]
}

/** @public Called in the page. */
export function checkFocusGraph(): FocusGraphReport {
  scrollTo(0, 0)
  const elements = findFocusableElements(findFocusContainer())
  const focusTargets = measureFocusTargets(elements)
  const navigationOptions = getNavigationOptions(findFocusContainer())
  const findTargetIndex = (index: number, key: ArrowKey) =>
    findNextFocus(focusTargets, index, key, navigationOptions)
  const edges = elements.map((_, index) =>
    ARROW_KEYS.map((key) => findTargetIndex(index, key)).filter((targetIndex) => targetIndex !== -1),
  )
  const pressCounts = countPresses(edges, findInitialFocusIndex(elements))
  const returnPressCounts = countPresses(reverseEdges(edges), findInitialFocusIndex(elements))
  const problems = findSearchDifferences(elements)
  for (const [index, element] of elements.entries()) {
    const elementName = describeElement(element)
    const pressCount = pressCounts[index]
    if (pressCount === undefined) problems.push(`no key leads to ${elementName}`)
    else if (pressCount > MAX_PRESSES_TO_MAIN_CONTROLS && isMainControl(element))
      problems.push(`${pressCount} presses to ${elementName}`)
    if (returnPressCounts[index] === undefined) problems.push(`no way back from ${elementName}`)
    if (!canScrollIntoView(element)) problems.push(`out of view: ${elementName}`)
    if (mayBeAsymmetrical(element)) continue
    const rightIndex = findTargetIndex(index, 'ArrowRight')
    if (rightIndex === -1 || mayBeAsymmetrical(elements[rightIndex] as HTMLElement)) continue
    const returnIndex = findTargetIndex(rightIndex, 'ArrowLeft')
    if (returnIndex !== index)
      problems.push(
        `right of ${elementName} is ${describeElement(elements[rightIndex])}, left of that ${describeElement(elements[returnIndex])}`,
      )
  }
  return { controlCount: elements.length, problems }
}

/**
 * Returns a problem for each key for which the site's function finds another control than a search among all controls.
 */
function findSearchDifferences(elements: HTMLElement[]): string[] {
  const container = findFocusContainer()
  const step = Math.max(1, Math.floor(elements.length / MIN_COMPARED_CONTROL_COUNT))
  return elements
    .filter((_, index) => index % step === 0)
    .flatMap((element) =>
      ARROW_KEYS.flatMap((key) => {
        const foundElement = findNextElement(container, element, key)
        const expectedElement = searchElements(container, [...elements], element, key)
        if (foundElement === expectedElement) return []
        return [
          `${key} from ${describeElement(element)} finds ${describeElement(foundElement)} instead of ${describeElement(expectedElement)}`,
        ]
      }),
    )
}

/**
 * @public Returns the description of the control that should have the focus after the key. A test compares it with the
 * result of a real key press.
 */
export function predictFocus(key: ArrowKey): string {
  const elements = findFocusableElements(findFocusContainer())
  const currentIndex = elements.indexOf(document.activeElement as HTMLElement)
  const navigationOptions = getNavigationOptions(findFocusContainer())
  const nextIndex = findNextFocus(measureFocusTargets(elements), currentIndex, key, navigationOptions)
  return describeElement(elements[nextIndex] ?? document.activeElement)
}

/** @public */
export const describeFocus = (): string => describeElement(document.activeElement as HTMLElement)

function findInitialFocusIndex(elements: readonly HTMLElement[]): number {
  const focusedIndex = elements.indexOf(document.activeElement as HTMLElement)
  if (focusedIndex !== -1) return focusedIndex
  const preferredIndex = elements.findIndex((element) => element.matches('main [data-first]'))
  return preferredIndex === -1
    ? Math.max(
        0,
        elements.findIndex((element) => element.closest('main')),
      )
    : preferredIndex
}

/**
 * Returns the smallest number of presses from `startIndex` to each control; undefined for a control that no keys
 * reach.
 */
function countPresses(edges: readonly number[][], startIndex: number): (number | undefined)[] {
  const pressCounts: (number | undefined)[] = edges.map(() => undefined)
  pressCounts[startIndex] = 0
  const pendingIndexes = [startIndex]
  for (const index of pendingIndexes)
    for (const nextIndex of edges[index] ?? []) {
      if (pressCounts[nextIndex] !== undefined) continue
      pressCounts[nextIndex] = (pressCounts[index] ?? 0) + 1
      pendingIndexes.push(nextIndex)
    }
  return pressCounts
}

function reverseEdges(edges: readonly number[][]): number[][] {
  const reversedEdges: number[][] = edges.map(() => [])
  for (const [index, nextIndexes] of edges.entries())
    for (const nextIndex of nextIndexes) reversedEdges[nextIndex]?.push(index)
  return reversedEdges
}

/**
 * True for controls of the first screen in the main content, a dialog or a panel. Excluded are the keys of a keypad,
 * items of rows, grids, lists and tables, and the controls below a table.
 */
const isMainControl = (element: HTMLElement) =>
  element.closest('main,dialog,[data-panel]') !== null &&
  !element.closest('li,tbody,[data-table-pages],.row-track,.card-grid,.keypad') &&
  element.getBoundingClientRect().bottom <= innerHeight

/**
 * False for a hidden control, and for a control to the left or right of the window. The page does not scroll sideways
 * to such a control when it gets the focus. Rows and tab lists scroll sideways, so their controls can be reached.
 */
function canScrollIntoView(element: HTMLElement): boolean {
  const { left, right, width, height } = element.getBoundingClientRect()
  if (element.closest('.row-track,[role=tablist]')) return true
  return width > 0 && height > 0 && right > 0 && left < innerWidth
}

/**
 * True for controls for which Right and then Left need not lead back to the same control. These are buttons over a
 * card, which arrow keys treat as part of the card, and links of a navigation at the side. Right leads from several of
 * these links to the same tall control, and Left returns to only one of them.
 */
const mayBeAsymmetrical = (element: HTMLElement) =>
  element.closest('main nav') !== null ||
  (element.matches('li > button') && element.parentElement?.querySelector(':scope > [data-card]') != null)

function describeElement(element: Element | null | undefined): string {
  if (!element) return 'nothing'
  const name = (element.ariaLabel ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)
  return `${element.tagName.toLowerCase()} "${name}" ${element.getAttribute('href') ?? element.id}`.trim()
}
