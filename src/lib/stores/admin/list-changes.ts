/** Changes of lists that the dashboard replaces as a whole, such as the stream resolvers. */

interface ListItem {
  id: string
}
/** A function that returns a changed copy of a list. It may receive a newer list than the displayed one. */
export type ListChange<Item extends ListItem> = (items: readonly Item[]) => Item[]

/**
 * Returns the change that moves an item up (`step` -1) or down (`step` 1). The first item cannot move up, and the last
 * item cannot move down.
 */
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
