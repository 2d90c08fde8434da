/**
 * Merges displayed cards and rows of cards with those of a new reply, so that each card and row that stays visible
 * keeps its position.
 */
import { buildTitleKey } from './title-key.ts'

interface Card {
  type: 'movie' | 'tv'
  id: string
}

type GetItemKey<Item> = (item: Item) => string | number | undefined

/** Returns the position of an item in the latest version of a list that contains it; -1 when no version contains it. */
function findLatestPosition<Item>(
  versions: readonly (readonly Item[])[],
  itemKey: ReturnType<GetItemKey<Item>>,
  getKey: GetItemKey<Item>,
): number {
  const hasItemKey = (item: Item) => getKey(item) === itemKey
  return versions.findLast((version) => version.some(hasItemKey))?.findIndex(hasItemKey) ?? -1
}

/**
 * Returns `newItems` in an order in which the displayed items keep their positions. `displayedVersions` are the
 * versions of the list that were displayed during the visit, the current version last. An item that was displayed
 * earlier, for example before its removal was undone, returns to its earlier position. Each other item takes the
 * position of a displayed item that was removed, or is added to the end.
 */
export function keepPositions<Item extends object | string>(
  displayedVersions: readonly (readonly Item[])[],
  newItems: readonly Item[],
  getKey: GetItemKey<Item>,
): Item[] {
  const newItemsByKey = new Map(newItems.map((item) => [getKey(item), item]))
  const itemsByPosition = (displayedVersions.at(-1) ?? []).map((item) => {
    const itemKey = getKey(item)
    const newItem = newItemsByKey.get(itemKey)
    newItemsByKey.delete(itemKey)
    return newItem
  })
  const returningItems: { item: Item; position: number }[] = []
  for (const [itemKey, item] of newItemsByKey) {
    const position = findLatestPosition(displayedVersions, itemKey, getKey)
    if (position < 0) continue
    newItemsByKey.delete(itemKey)
    if (position < itemsByPosition.length && itemsByPosition[position] === undefined)
      itemsByPosition[position] = item
    else returningItems.push({ item, position })
  }
  const addedItems = [...newItemsByKey.values()]
  const mergedItems = [...itemsByPosition.map((item) => item ?? addedItems.shift()), ...addedItems].filter(
    (item) => item !== undefined,
  )
  for (const { item, position } of returningItems.sort((a, b) => a.position - b.position))
    mergedItems.splice(position, 0, item)
  return mergedItems
}

/** Merges the cards of a reply into the displayed cards with `keepPositions`. */
export const keepCardPositions = <Reply extends { results: Card[] }>(
  displayedReplies: readonly Reply[],
  reply: Reply,
): Reply => ({
  ...reply,
  results: keepPositions(
    displayedReplies.map(({ results }) => results),
    reply.results,
    buildTitleKey,
  ),
})

/**
 * Merges rows like `keepPositions`, and then the cards of each row. The server lists each title in one row only, and
 * moves many titles to another row when the order of the rows changes. A displayed card therefore stays in its row if
 * any new row contains the card. A title can then be in two rows until the next visit. Exception: a card returns to its
 * row, and its earlier position is taken by a card that only another new row contains. The second card then leaves the
 * row.
 */
export function keepRowPositions<Row extends { results: Card[] }>(
  displayedVersions: readonly (readonly Row[])[],
  newRows: readonly Row[],
  getRowKey: GetItemKey<Row>,
): Row[] {
  const newCardsByKey = new Map(
    newRows.flatMap(({ results }) => results).map((card) => [buildTitleKey(card), card]),
  )
  return keepPositions(displayedVersions, newRows, getRowKey).map((row) => {
    const displayedCardVersions = displayedVersions.flatMap((rows) =>
      rows.filter((displayedRow) => getRowKey(displayedRow) === getRowKey(row)).map(({ results }) => results),
    )
    const displayedCards = displayedCardVersions.at(-1) ?? []
    const displayedCardKeys = new Set(displayedCards.map(buildTitleKey))
    const replyCardKeys = new Set(row.results.map(buildTitleKey))
    const returningPositions = new Set(
      row.results
        .filter((card) => !displayedCardKeys.has(buildTitleKey(card)))
        .map((card) => findLatestPosition(displayedCardVersions, buildTitleKey(card), buildTitleKey)),
    )
    const keptCards = displayedCards.flatMap((card, position) => {
      const isCardKept = replyCardKeys.has(buildTitleKey(card)) || !returningPositions.has(position)
      return (isCardKept && newCardsByKey.get(buildTitleKey(card))) || []
    })
    const cards = keepPositions(displayedCardVersions, [...keptCards, ...row.results], buildTitleKey)
    return { ...row, results: cards.slice(0, Math.max(displayedCards.length, row.results.length)) }
  })
}
