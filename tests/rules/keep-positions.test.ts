/** Positions of the titles and rows that stay visible when a displayed list is loaded again. */
import { describe, expect, it } from 'vitest'
import { keepPositions, keepRowPositions } from '../../src/lib/rules/keep-positions.ts'

const mergeLetters = (displayed: string, reply: string) =>
  keepPositions([...displayed], [...reply], (letter) => letter).join('')
const createRow = (name: string, letters: string) => ({
  name,
  results: [...letters].map((letter) => ({ type: 'movie' as const, id: letter })),
})
const mergeRows = (displayed: Record<string, string>, reply: Record<string, string>) => {
  const createRows = (rows: Record<string, string>) =>
    Object.entries(rows).map(([name, letters]) => createRow(name, letters))
  const mergedRows = keepRowPositions(createRows(displayed), createRows(reply), ({ name }) => name)
  return mergedRows.map(({ name, results }) => `${name}:${results.map(({ id }) => id).join('')}`)
}

describe('the items of a list', () => {
  it('keep their positions when the reply has another order', () => {
    expect(mergeLetters('abcd', 'dbac')).toBe('abcd')
  })

  it('are replaced in place when the reply does not contain them', () => {
    expect(mergeLetters('abcd', 'xbdy')).toBe('xbyd')
  })

  it('are removed when the reply contains no other item, and new items follow at the end', () => {
    expect(mergeLetters('abcd', 'dcb')).toBe('bcd')
    expect(mergeLetters('ab', 'yxba')).toBe('abyx')
    expect(mergeLetters('ab', '')).toBe('')
    expect(mergeLetters('', 'ab')).toBe('ab')
  })

  it('are the objects of the reply', () => {
    const newItem = { id: 1, name: 'new' }
    expect(keepPositions([{ id: 1, name: 'old' }], [newItem], ({ id }) => id)[0]).toBe(newItem)
  })
})

describe('the rows of a list', () => {
  it('keep their positions and their cards when another row of the reply contains the cards', () => {
    expect(mergeRows({ drama: 'abc', crime: 'def' }, { crime: 'ghi', drama: 'adef' })).toEqual([
      'drama:adef',
      'crime:def',
    ])
  })

  it('lose the cards that no row of the reply contains', () => {
    expect(mergeRows({ drama: 'abc', crime: 'def' }, { drama: 'acx', crime: 'fe' })).toEqual([
      'drama:axc',
      'crime:ef',
    ])
  })

  it('are replaced in place when the reply does not contain them, and new rows follow at the end', () => {
    expect(mergeRows({ drama: 'abc' }, { war: 'xy', drama: 'abc' })).toEqual(['drama:abc', 'war:xy'])
    expect(mergeRows({ drama: 'abc', crime: 'def' }, { war: 'xy', crime: 'def' })).toEqual([
      'war:xy',
      'crime:def',
    ])
  })
})
