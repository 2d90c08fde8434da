/** Moving and hiding home rows. */
import { describe, expect, it } from 'vitest'
import { type HomeRow, orderHomeRows } from '../../src/lib/rules/home-rows.ts'
import { moveDisplayedHomeRow, moveHomeRow } from '../../src/lib/rules/move-home-row.ts'

const rows = orderHomeRows([])
const listRowNames = (homeRows: readonly { row: string }[]) => homeRows.map(({ row }) => row)

describe('moving home rows', () => {
  it('swaps a row with its neighbour, and does not move the first row up', () => {
    expect(listRowNames(moveHomeRow(rows, 'picks', -1)).slice(0, 2)).toEqual(['picks', 'continue'])
    expect(moveHomeRow(rows, 'continue', -1)).toEqual(rows)
  })

  it('moves a row up or down past the next displayed row, and skips the rows that are not displayed', () => {
    const displayedRows = new Set(['continue', 'movies', 'new', 'genres'])
    const move = (row: HomeRow, direction: 1 | -1) =>
      listRowNames(moveDisplayedHomeRow(rows, displayedRows, row, direction)).filter((name) =>
        displayedRows.has(name),
      )
    expect(move('movies', -1)).toEqual(['movies', 'continue', 'new', 'genres'])
    expect(move('movies', 1)).toEqual(['continue', 'new', 'movies', 'genres'])
    expect(move('genres', -1)).toEqual(['continue', 'movies', 'genres', 'new'])
    expect(move('continue', -1)).toEqual(['continue', 'movies', 'new', 'genres'])
    expect(move('genres', 1)).toEqual(['continue', 'movies', 'new', 'genres'])
  })
})
