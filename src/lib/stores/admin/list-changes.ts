/** Changes of lists that the dashboard replaces as a whole, such as the stream resolvers. */

interface ListItem {
  id: string
}
/** Returns the list with a change. It may be called with a newer list than the displayed one. */
export type ListChange<Item extends ListItem> = (items: readonly Item[]) => Item[]

/** Moves an item up (-1) or down (1). */
export const moveListItem =
  <Item extends ListItem>(movedId: string, step: -1 | 1): ListChange<Item> =>
  (items) => {
    const index = items.findIndex(({ id }) => id === movedId)
    const [item, neighbour] = [items[index], items[index + step]]
    return item && neighbour ? items.with(index, neighbour).with(index + step, item) : [...items]
  }

export const removeListItem =
  <Item extends ListItem>(removedId: string): ListChange<Item> =>
  (items) =>
    items.filter(({ id }) => id !== removedId)
