/** Positions of the titles and rows that stay visible when a displayed list is loaded again. */
import { describe, expect, it } from 'vitest'
import { keepPositions, keepRowPositions } from '../../src/lib/rules/keep-positions.ts'

/**
 * Merges each reply into the list that was displayed before, and returns the final list. Each letter of a reply is an
 * item.
 */
const keepLetterPositions = (...replies: string[]) => {
  const versions: string[][] = []
  for (const reply of replies) versions.push(keepPositions(versions, [...reply], (letter) => letter))
  return versions.at(-1)?.join('')
}
const createRow = (name: string, letters: string) => ({
  name,
  results: [...letters].map((letter) => ({ type: 'movie' as const, id: letter })),
})
/**
 * Merges the rows of each reply into the rows that were displayed before. Returns the final rows as `name:items`.
 */
const keepRowsOfReplies = (...replies: Record<string, string>[]) => {
  const versions: ReturnType<typeof createRow>[][] = []
  for (const reply of replies) {
    const newRows = Object.entries(reply).map(([name, letters]) => createRow(name, letters))
    versions.push(keepRowPositions(versions, newRows, ({ name }) => name))
  }
  return versions.at(-1)?.map(({ name, results }) => `${name}:${results.map(({ id }) => id).join('')}`)
}

describe('the items of a list', () => {
  it('the items of a list keep their positions when the reply lists them in a different order', () => {
    expect(keepLetterPositions('abcd', 'dbac')).toBe('abcd')
  })

  it('new items take the positions of the items that the reply no longer contains', () => {
    expect(keepLetterPositions('abcd', 'xbdy')).toBe('xbyd')
  })

  it('a missing item is removed if no new item takes its position, and new items without a free position follow at the end', () => {
    expect(keepLetterPositions('abcd', 'dcb')).toBe('bcd')
    expect(keepLetterPositions('ab', 'yxba')).toBe('abyx')
    expect(keepLetterPositions('ab', '')).toBe('')
    expect(keepLetterPositions('', 'ab')).toBe('ab')
  })

  it('removed items return to their earlier positions in the list when the removal is undone', () => {
    expect(keepLetterPositions('abcd', 'acd', 'abcd')).toBe('abcd')
    expect(keepLetterPositions('abcd', 'ad', 'dcba')).toBe('abcd')
    expect(keepLetterPositions('abcd', 'xcdy', 'abcd')).toBe('abcd')
    expect(keepLetterPositions('abcd', 'wxyz', 'abcd')).toBe('abcd')
    expect(keepLetterPositions('abcde', 'axcde', 'axye', 'axcde', 'abcde')).toBe('abcde')
  })

  it('a removed item returns to its earlier position when the removal is undone, even if a second item was removed before the undo', () => {
    expect(keepLetterPositions('abcd', 'acd', 'ad', 'abd')).toBe('abd')
    expect(keepLetterPositions('abcd', 'xacd', 'xyad', 'yabd')).toBe('abyd')
  })

  it('keepPositions returns the new object of the reply instead of the earlier object with the same id', () => {
    const newItem = { id: 1, name: 'new' }
    expect(keepPositions([[{ id: 1, name: 'old' }]], [newItem], ({ id }) => id)[0]).toBe(newItem)
  })
})

describe('the rows of a page', () => {
  it('rows keep their positions, and cards stay in their rows even if the reply lists them in another row', () => {
    expect(keepRowsOfReplies({ drama: 'abc', crime: 'def' }, { crime: 'ghi', drama: 'adef' })).toEqual([
      'drama:adef',
      'crime:def',
    ])
  })

  it('a card is removed if no row of the reply contains it', () => {
    expect(keepRowsOfReplies({ drama: 'abc', crime: 'def' }, { drama: 'acx', crime: 'fe' })).toEqual([
      'drama:axc',
      'crime:ef',
    ])
  })

  it('when the removal of a card has moved other cards to another row, the undo of the removal restores the earlier cards of each row', () => {
    const initialRows = { drama: 'abc', crime: 'xef' }
    const initialRowTexts = ['drama:abc', 'crime:xef']
    expect(keepRowsOfReplies(initialRows, { drama: 'axc', crime: 'efg' }, initialRows)).toEqual(
      initialRowTexts,
    )
    expect(keepRowsOfReplies(initialRows, { drama: 'ac', crime: 'xef' }, initialRows)).toEqual(
      initialRowTexts,
    )
    expect(keepRowsOfReplies(initialRows, { crime: 'xef' }, initialRows)).toEqual(initialRowTexts)
    expect(keepRowsOfReplies(initialRows, { crime: 'abc', war: 'xef' }, initialRows)).toEqual(initialRowTexts)
  })

  it('new rows take the positions of the rows that the reply no longer contains, and new rows without a free position follow at the end', () => {
    expect(keepRowsOfReplies({ drama: 'abc' }, { war: 'xy', drama: 'abc' })).toEqual(['drama:abc', 'war:xy'])
    expect(keepRowsOfReplies({ drama: 'abc', crime: 'def' }, { war: 'xy', crime: 'def' })).toEqual([
      'war:xy',
      'crime:def',
    ])
  })
})
