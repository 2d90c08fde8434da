/**
 * Spatial navigation: decides which element an arrow key focuses next. The result depends only on the
 * positions of all elements, so that a test can check every key of a page without pressing it.
 */

/** A rectangle in CSS pixels. */
export interface FocusBox {
  left: number
  right: number
  top: number
  bottom: number
}
export type ArrowKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

export interface FocusTarget {
  box: FocusBox
  /** Elements of the header are considered only when <main> has none in this direction, because the header overlaps the page. */
  isInMain: boolean
  /**
   * Index of the row of cards or the tab list that contains the element. Left and right move through the
   * group in order.
   */
  group?: number
  /**
   * True if the group or column has scrolled the element out of view. It is reached only from its own group
   * or column.
   */
  isClipped?: boolean
  /** True for the element of its group that up and down lead to, such as the selected tab. */
  isEntry?: boolean
  /**
   * Index of the row whose heading contains the element. In the order of the row, the element comes after the
   * last card.
   */
  headingOf?: number
  /**
   * Index of the card under this button. Only the up key on this card focuses the button, so that no other
   * key stops at it.
   */
  card?: number
  /**
   * Box of the column that contains the element, if the page has several columns side by side. Up and down
   * stay in the column if possible.
   */
  column?: FocusBox
}

/**
 * Weight of the distance perpendicular to the direction of the key, so that the focus stays in its row or
 * column if possible.
 */
const CROSS_AXIS_WEIGHT = 2
/** Elements that overlap by at most this many pixels count as not overlapping. */
const EDGE_TOLERANCE_PX = 2

export interface NavigationOptions {
  /** True on right-to-left pages. */
  isRtl: boolean
  /**
   * True in a menu, and in a dialog whose last row is always in view. Up then leads from the first element to
   * the last one, and down from the last one to the first.
   */
  wraps: boolean
}

/** Returns the index of the element that the key focuses; -1 if there is none. */
export function findNextFocus(
  targets: readonly FocusTarget[],
  currentIndex: number,
  key: ArrowKey,
  { isRtl, wraps }: NavigationOptions,
): number {
  const origin = targets[currentIndex]
  if (!origin) return -1
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const nextIndex = findInColumn(targets, currentIndex, key)
    return nextIndex === -1 && wraps ? (key === 'ArrowUp' ? targets.length - 1 : 0) : nextIndex
  }
  return findInRow(targets, origin.card ?? currentIndex, key, isRtl)
}

function findInRow(
  targets: readonly FocusTarget[],
  currentIndex: number,
  key: 'ArrowLeft' | 'ArrowRight',
  isRtl: boolean,
): number {
  const origin = targets[currentIndex] as FocusTarget
  const isForward = (key === 'ArrowRight') !== isRtl
  const row = origin.group ?? origin.headingOf
  if (row !== undefined) {
    const cards = targets.flatMap(({ group }, index) => (group === row ? [index] : []))
    const heading = targets.findIndex(({ headingOf }) => headingOf === row)
    const sequence = heading === -1 ? cards : [...cards, heading]
    const neighbour = sequence[sequence.indexOf(currentIndex) + (isForward ? 1 : -1)]
    if (neighbour !== undefined) return neighbour
    // At the end of a row of cards the focus stays, because the cards fill the width of the page. Tabs and
    // the heading of a row have other controls beside them.
    if (heading !== -1 && currentIndex !== heading) return -1
  }
  const isCandidate = (target: FocusTarget, index: number) =>
    index !== currentIndex &&
    target.card === undefined &&
    (row === undefined || target.group !== row) &&
    !(target.column && target.isClipped)
  return findFirstInMain(targets, origin, (candidates) =>
    findNearest(
      targets,
      candidates.filter((index) => isCandidate(targets[index] as FocusTarget, index)),
      origin.box,
      key,
    ),
  )
}

function findInColumn(
  targets: readonly FocusTarget[],
  currentIndex: number,
  key: 'ArrowUp' | 'ArrowDown',
): number {
  const origin = targets[currentIndex] as FocusTarget
  const button = targets.findIndex(({ card }) => card === currentIndex)
  if (key === 'ArrowUp' && button !== -1) return button
  if (key === 'ArrowDown' && origin.card !== undefined) return origin.card
  const start = origin.card ?? currentIndex
  const isCandidate = ({ card, headingOf, isClipped, group, column }: FocusTarget, index: number) =>
    index !== start &&
    index !== currentIndex &&
    card === undefined &&
    headingOf === undefined &&
    (!isClipped || (group === undefined && column === origin.column))
  const { box } = targets[start] as FocusTarget
  const findNextLine = (indexes: readonly number[]) => {
    let candidates = indexes.filter((index) => isCandidate(targets[index] as FocusTarget, index))
    let foundIndex = findNearest(targets, candidates, box, key)
    // Searches again between the origin and the found element, so that a control on a line in between is not
    // skipped, even at the other end of that line.
    while (foundIndex !== -1) {
      const { box: foundBox } = targets[foundIndex] as FocusTarget
      candidates = candidates.filter((index) => isBefore((targets[index] as FocusTarget).box, foundBox, key))
      const closer = findNearest(targets, candidates, box, key)
      if (closer === -1) break
      foundIndex = closer
    }
    return foundIndex
  }
  const isInOtherColumn = (index: number) => areColumns(origin.column, targets[index]?.column)
  const inColumn = findFirstInMain(targets, origin, (indexes) =>
    findNextLine(indexes.filter((index) => !isInOtherColumn(index))),
  )
  const nearest = inColumn === -1 ? findFirstInMain(targets, origin, findNextLine) : inColumn
  const group = targets[nearest]?.group
  if (group === undefined || group === origin.group) return nearest
  const entry = targets.findIndex((target) => target.group === group && target.isEntry)
  return entry === -1 ? nearest : entry
}

/** True if two boxes are columns side by side. On narrow screens, one of them is below the other. */
const areColumns = (a: FocusBox | undefined, b: FocusBox | undefined) =>
  a !== undefined &&
  b !== undefined &&
  computeOverlap(a, b) > EDGE_TOLERANCE_PX &&
  computeGap(a.left, a.right, b.left, b.right) > 0

/** True if `box` ends before `otherBox` starts, in the direction of the key. */
const isBefore = (box: FocusBox, otherBox: FocusBox, key: 'ArrowUp' | 'ArrowDown') =>
  key === 'ArrowDown'
    ? box.bottom <= otherBox.top + EDGE_TOLERANCE_PX
    : box.top >= otherBox.bottom - EDGE_TOLERANCE_PX

/** Searches <main> first when the origin is in it, and then all elements. */
function findFirstInMain(
  targets: readonly FocusTarget[],
  origin: FocusTarget,
  find: (indexes: number[]) => number,
): number {
  const indexes = [...targets.keys()]
  const inMain = origin.isInMain ? find(indexes.filter((index) => targets[index]?.isInMain)) : -1
  return inMain === -1 ? find(indexes) : inMain
}

/**
 * Returns the candidate nearest to the box in this direction, or -1 if there is none. A candidate may overlap
 * the box slightly.
 */
function findNearest(
  targets: readonly FocusTarget[],
  candidates: readonly number[],
  box: FocusBox,
  key: ArrowKey,
): number {
  let nearest = -1
  let minDistance = Number.POSITIVE_INFINITY
  for (const index of candidates) {
    const distance = computeDistance(box, (targets[index] as FocusTarget).box, key)
    if (distance !== null && distance < minDistance) {
      nearest = index
      minDistance = distance
    }
  }
  return nearest
}

/** Returns the weighted distance in pixels, or null if the box does not lie in this direction. */
function computeDistance(origin: FocusBox, box: FocusBox, direction: ArrowKey): number | null {
  const gapAhead = {
    ArrowLeft: origin.left - box.right,
    ArrowRight: box.left - origin.right,
    ArrowUp: origin.top - box.bottom,
    ArrowDown: box.top - origin.bottom,
  }[direction]
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown'
  const crossGap = isVertical
    ? computeGap(origin.left, origin.right, box.left, box.right)
    : computeGap(origin.top, origin.bottom, box.top, box.bottom)
  /*
   * From a button inside a field, such as Clear, the key towards the rest of the field leads back to the
   * field.
   */
  if (!isVertical && isInside(origin, box)) {
    const offset = box.left + box.right - origin.left - origin.right
    return (direction === 'ArrowRight' ? offset : -offset) > 0 ? 0 : null
  }
  const maxOverlap = -0.25 * (isVertical ? origin.bottom - origin.top : origin.right - origin.left)
  if (gapAhead < maxOverlap) return null
  /* Left and right stay on the same line. Up and down reach the other lines. */
  if (!isVertical && computeOverlap(origin, box) <= EDGE_TOLERANCE_PX) return null
  const centreOffset = isVertical
    ? Math.abs(origin.left + origin.right - box.left - box.right) / 2
    : Math.abs(origin.top + origin.bottom - box.top - box.bottom) / 2
  return Math.max(0, gapAhead) + CROSS_AXIS_WEIGHT * crossGap + centreOffset / 10
}

export const isInside = (innerBox: FocusBox, outer: FocusBox): boolean =>
  innerBox.left >= outer.left &&
  innerBox.right <= outer.right &&
  innerBox.top >= outer.top &&
  innerBox.bottom <= outer.bottom

/** Returns by how many pixels two boxes overlap vertically; negative if one is below the other. */
const computeOverlap = (a: FocusBox, b: FocusBox): number =>
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)

/** Returns the gap between two ranges, or 0 if they overlap. */
function computeGap(aStart: number, aEnd: number, bStart: number, bEnd: number): number {
  return Math.max(0, bStart - aEnd, aStart - bEnd)
}
