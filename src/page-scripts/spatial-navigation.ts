/**
 * Spatial navigation: decides which element an arrow key focuses next. The result depends only on the given positions
 * and groups of the elements. A test can therefore check every arrow key on a page without pressing keys.
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
  /**
   * True if the element is in <main>. From an element in <main>, the header is searched only if <main> has no element
   * in this direction, because the header overlaps the page.
   */
  isInMain: boolean
  /**
   * Index of the row of cards or the tab list that contains the element. Left and right move through the
   * group in order.
   */
  group?: number
  /**
   * True if the group or column has scrolled the element out of view. Up and down skip such an element in a group,
   * and in every column except that of the focused element. Left and right skip such an element in any column.
   */
  isClipped?: boolean
  /** True for the element that gets the focus when up or down enters its group, such as the selected tab. */
  isGroupEntry?: boolean
  /**
   * Index of the row whose heading contains the element. In the order of the row, the element comes after the
   * last card.
   */
  rowOfHeading?: number
  /**
   * Index of the card under this button. Only the up key on this card focuses the button, so that no other
   * key stops at it.
   */
  cardIndex?: number
  /**
   * Box of the column that contains the element, if the page has several columns side by side. Up and down
   * stay in the column if possible.
   */
  columnBox?: FocusBox
}

/**
 * Weight of the distance perpendicular to the direction of the key, so that the focus stays in its row or
 * column if possible.
 */
const CROSS_AXIS_WEIGHT = 2
/** Elements that overlap by at most this many pixels count as not overlapping. */
const EDGE_TOLERANCE_PX = 2

export interface SpatialNavigationOptions {
  isRightToLeft: boolean
  /**
   * True in a menu, and in a dialog whose last row is always in view. Up then leads from the first element to
   * the last one, and down from the last one to the first.
   */
  shouldWrap: boolean
}

/** Returns the index of the element that the key focuses; -1 if there is none. */
export function findNextFocus(
  targets: readonly FocusTarget[],
  currentIndex: number,
  key: ArrowKey,
  { isRightToLeft, shouldWrap }: SpatialNavigationOptions,
): number {
  const originTarget = targets[currentIndex]
  if (!originTarget) return -1
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const nextIndex = findInColumn(targets, currentIndex, key)
    return nextIndex === -1 && shouldWrap ? (key === 'ArrowUp' ? targets.length - 1 : 0) : nextIndex
  }
  return findInRow(targets, originTarget.cardIndex ?? currentIndex, key, isRightToLeft)
}

function findInRow(
  targets: readonly FocusTarget[],
  currentIndex: number,
  key: 'ArrowLeft' | 'ArrowRight',
  isRightToLeft: boolean,
): number {
  const originTarget = targets[currentIndex] as FocusTarget
  const isForward = (key === 'ArrowRight') !== isRightToLeft
  const rowGroup = originTarget.group ?? originTarget.rowOfHeading
  if (rowGroup !== undefined) {
    const cardIndexes = targets.flatMap(({ group }, index) => (group === rowGroup ? [index] : []))
    const headingIndex = targets.findIndex(({ rowOfHeading }) => rowOfHeading === rowGroup)
    const rowIndexes = headingIndex === -1 ? cardIndexes : [...cardIndexes, headingIndex]
    const neighbourIndex = rowIndexes[rowIndexes.indexOf(currentIndex) + (isForward ? 1 : -1)]
    if (neighbourIndex !== undefined) return neighbourIndex
    // Before the first card of a row with a heading link, there is no other control, because the cards fill the width
    // of the page. Tabs and the heading link have other controls beside them.
    if (headingIndex !== -1 && currentIndex !== headingIndex) return -1
  }
  const isCandidate = (target: FocusTarget, index: number) =>
    index !== currentIndex &&
    target.cardIndex === undefined &&
    (rowGroup === undefined || target.group !== rowGroup) &&
    !(target.columnBox && target.isClipped)
  return findInMainFirst(targets, originTarget, (searchedIndexes) =>
    findNearest(
      targets,
      searchedIndexes.filter((index) => isCandidate(targets[index] as FocusTarget, index)),
      originTarget.box,
      key,
    ),
  )
}

function findInColumn(
  targets: readonly FocusTarget[],
  currentIndex: number,
  key: 'ArrowUp' | 'ArrowDown',
): number {
  const originTarget = targets[currentIndex] as FocusTarget
  const buttonIndex = targets.findIndex(({ cardIndex }) => cardIndex === currentIndex)
  if (key === 'ArrowUp' && buttonIndex !== -1) return buttonIndex
  if (key === 'ArrowDown' && originTarget.cardIndex !== undefined) return originTarget.cardIndex
  const startIndex = originTarget.cardIndex ?? currentIndex
  const isCandidate = (
    { cardIndex, rowOfHeading, isClipped, group, columnBox }: FocusTarget,
    index: number,
  ) =>
    index !== startIndex &&
    index !== currentIndex &&
    cardIndex === undefined &&
    rowOfHeading === undefined &&
    (!isClipped || (group === undefined && columnBox === originTarget.columnBox))
  const { box } = targets[startIndex] as FocusTarget
  const findOnNextLine = (indexes: readonly number[]) => {
    let candidateIndexes = indexes.filter((index) => isCandidate(targets[index] as FocusTarget, index))
    let foundIndex = findNearest(targets, candidateIndexes, box, key)
    // Searches again between the origin and the found element. A control on a line in between must not be skipped,
    // even if it is at the other end of that line.
    while (foundIndex !== -1) {
      const { box: foundBox } = targets[foundIndex] as FocusTarget
      candidateIndexes = candidateIndexes.filter((index) =>
        isBefore((targets[index] as FocusTarget).box, foundBox, key),
      )
      const closerIndex = findNearest(targets, candidateIndexes, box, key)
      if (closerIndex === -1) break
      foundIndex = closerIndex
    }
    return foundIndex
  }
  const isInOtherColumn = (index: number) => areSideBySide(originTarget.columnBox, targets[index]?.columnBox)
  const indexInColumn = findInMainFirst(targets, originTarget, (indexes) =>
    findOnNextLine(indexes.filter((index) => !isInOtherColumn(index))),
  )
  const nearestIndex =
    indexInColumn === -1 ? findInMainFirst(targets, originTarget, findOnNextLine) : indexInColumn
  const group = targets[nearestIndex]?.group
  if (group === undefined || group === originTarget.group) return nearestIndex
  const entryIndex = targets.findIndex((target) => target.group === group && target.isGroupEntry)
  return entryIndex === -1 ? nearestIndex : entryIndex
}

/** True if two boxes are columns side by side. On narrow screens, one of them is below the other. */
const areSideBySide = (a: FocusBox | undefined, b: FocusBox | undefined) =>
  a !== undefined &&
  b !== undefined &&
  computeVerticalOverlapPx(a, b) > EDGE_TOLERANCE_PX &&
  computeGapPx(a.left, a.right, b.left, b.right) > 0

/** True if `box` ends before `otherBox` starts, in the direction of the key. */
const isBefore = (box: FocusBox, otherBox: FocusBox, key: 'ArrowUp' | 'ArrowDown') =>
  key === 'ArrowDown'
    ? box.bottom <= otherBox.top + EDGE_TOLERANCE_PX
    : box.top >= otherBox.bottom - EDGE_TOLERANCE_PX

/** Searches <main> first if the origin is in <main>. If nothing is found, searches all elements. */
function findInMainFirst(
  targets: readonly FocusTarget[],
  originTarget: FocusTarget,
  findIndex: (indexes: number[]) => number,
): number {
  const indexes = [...targets.keys()]
  const indexInMain = originTarget.isInMain
    ? findIndex(indexes.filter((index) => targets[index]?.isInMain))
    : -1
  return indexInMain === -1 ? findIndex(indexes) : indexInMain
}

/**
 * Returns the candidate nearest to the box in this direction, or -1 if there is none. A candidate may overlap up to a
 * quarter of the box.
 */
function findNearest(
  targets: readonly FocusTarget[],
  candidateIndexes: readonly number[],
  box: FocusBox,
  key: ArrowKey,
): number {
  let nearestIndex = -1
  let minDistance = Number.POSITIVE_INFINITY
  for (const index of candidateIndexes) {
    const distance = computeDistance(box, (targets[index] as FocusTarget).box, key)
    if (distance !== null && distance < minDistance) {
      nearestIndex = index
      minDistance = distance
    }
  }
  return nearestIndex
}

/** Returns the weighted distance in pixels, or null if the box does not lie in this direction. */
function computeDistance(originBox: FocusBox, box: FocusBox, direction: ArrowKey): number | null {
  const gapAheadPx = {
    ArrowLeft: originBox.left - box.right,
    ArrowRight: box.left - originBox.right,
    ArrowUp: originBox.top - box.bottom,
    ArrowDown: box.top - originBox.bottom,
  }[direction]
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown'
  const crossGapPx = isVertical
    ? computeGapPx(originBox.left, originBox.right, box.left, box.right)
    : computeGapPx(originBox.top, originBox.bottom, box.top, box.bottom)
  /* From a button inside a field, such as Clear, the arrow key towards the rest of the field focuses the field. */
  if (!isVertical && isInside(originBox, box)) {
    const offsetPx = box.left + box.right - originBox.left - originBox.right
    return (direction === 'ArrowRight' ? offsetPx : -offsetPx) > 0 ? 0 : null
  }
  const maxOverlapPx =
    0.25 * (isVertical ? originBox.bottom - originBox.top : originBox.right - originBox.left)
  if (gapAheadPx < -maxOverlapPx) return null
  /* Left and right stay on the same line. Up and down reach the other lines. */
  if (!isVertical && computeVerticalOverlapPx(originBox, box) <= EDGE_TOLERANCE_PX) return null
  const centreOffsetPx = isVertical
    ? Math.abs(originBox.left + originBox.right - box.left - box.right) / 2
    : Math.abs(originBox.top + originBox.bottom - box.top - box.bottom) / 2
  return Math.max(0, gapAheadPx) + CROSS_AXIS_WEIGHT * crossGapPx + centreOffsetPx / 10
}

export const isInside = (innerBox: FocusBox, outerBox: FocusBox): boolean =>
  innerBox.left >= outerBox.left &&
  innerBox.right <= outerBox.right &&
  innerBox.top >= outerBox.top &&
  innerBox.bottom <= outerBox.bottom

/** Returns by how many pixels two boxes overlap vertically; negative if one is below the other. */
const computeVerticalOverlapPx = (a: FocusBox, b: FocusBox): number =>
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)

/** Returns the gap between two ranges, or 0 if they overlap. */
function computeGapPx(aStart: number, aEnd: number, bStart: number, bEnd: number): number {
  return Math.max(0, bStart - aEnd, aStart - bEnd)
}
