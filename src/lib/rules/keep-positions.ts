/** Merges displayed cards and rows of cards with their new version, so that nothing that stays visible moves. */
import { buildTitleKey } from './title-key.ts'

interface Card {
  type: 'movie' | 'tv'
  id: string
}

/**
 * Returns the items of `newItems`. Items that are displayed keep their position. Each other item takes the position of
 * a displayed item that was removed, or is added to the end.
 */
export function keepPositions<Item>(
  displayedItems: readonly Item[],
  newItems: readonly Item[],
  getKey: (item: Item) => string | number | undefined,
): Item[] {
  const newItemsByKey = new Map(newItems.map((item) => [getKey(item), item]))
  const keptItems = displayedItems.map((item) => {
    const itemKey = getKey(item)
    const newItem = newItemsByKey.get(itemKey)
    newItemsByKey.delete(itemKey)
    return newItem
  })
  const addedItems = [...newItemsByKey.values()]
  return [...keptItems.map((item) => item ?? addedItems.shift()), ...addedItems].filter(
    (item) => item !== undefined,
  )
}

/** Merges the cards of a reply into the displayed cards with `keepPositions`. */
export const keepCardPositions = <Reply extends { results: Card[] }>(
  displayed: Reply,
  reply: Reply,
): Reply => ({ ...reply, results: keepPositions(displayed.results, reply.results, buildTitleKey) })

/**
 * Returns the rows of `newRows`. Rows that are displayed keep their position. Their cards keep their position if any
 * new row contains them: the server lists each title in one row only, and moves many titles to another row when the
 * order of the rows changes. Until the next visit, such a title can therefore be in two rows.
 */
export function keepRowPositions<Row extends { results: Card[] }>(
  displayedRows: readonly Row[],
  newRows: readonly Row[],
  getRowKey: (row: Row) => string | number | undefined,
): Row[] {
  const displayedCardsByRowKey = new Map(displayedRows.map((row) => [getRowKey(row), row.results]))
  const newCardsByKey = new Map(
    newRows.flatMap(({ results }) => results).map((card) => [buildTitleKey(card), card]),
  )
  return keepPositions(displayedRows, newRows, getRowKey).map((row) => {
    const displayedCards = displayedCardsByRowKey.get(getRowKey(row)) ?? []
    const keptCards = displayedCards.flatMap((card) => newCardsByKey.get(buildTitleKey(card)) ?? [])
    const cards = keepPositions(displayedCards, [...keptCards, ...row.results], buildTitleKey)
    return { ...row, results: cards.slice(0, Math.max(displayedCards.length, row.results.length)) }
  })
}
