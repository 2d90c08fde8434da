/** Moving and hiding home rows. */
import { describe, expect, it } from 'vitest'
import { orderHomeRows } from '../../src/lib/rules/home-rows.ts'
import { hideHomeRow, moveHomeRow, moveVisibleHomeRow } from '../../src/lib/rules/move-home-row.ts'

const rows = orderHomeRows([])
const listRowNames = (homeRows: readonly { row: string }[]) => homeRows.map(({ row }) => row)

describe('moving home rows', () => {
  it('swaps a row with its neighbour, and does not move the first row up', () => {
    expect(listRowNames(moveHomeRow(rows, 'picks', -1)).slice(0, 2)).toEqual(['picks', 'continue'])
    expect(moveHomeRow(rows, 'continue', -1)).toEqual(rows)
  })

  it('skips hidden rows when a row moves up or down on the page', () => {
    const rowsWithHiddenPicks = hideHomeRow(rows, 'picks')
    expect(listRowNames(moveVisibleHomeRow(rowsWithHiddenPicks, 'movies', -1)).slice(0, 3)).toEqual([
      'movies',
      'continue',
      'picks',
    ])
    expect(listRowNames(moveVisibleHomeRow(rowsWithHiddenPicks, 'continue', 1)).slice(0, 3)).toEqual([
      'picks',
      'movies',
      'continue',
    ])
    expect(moveVisibleHomeRow(rowsWithHiddenPicks, 'continue', -1)).toEqual(rowsWithHiddenPicks)
  })
})
