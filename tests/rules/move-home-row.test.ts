/** Moving and hiding home rows. */
import { describe, expect, it } from 'vitest'
import { orderHomeRows } from '../../src/lib/rules/home-rows.ts'
import { hideHomeRow, moveHomeRow, moveVisibleHomeRow } from '../../src/lib/rules/move-home-row.ts'

const rows = orderHomeRows([])
const names = (list: readonly { row: string }[]) => list.map(({ row }) => row)

describe('moving home rows', () => {
  it('exchanges a row with its neighbour', () => {
    expect(names(moveHomeRow(rows, 'picks', -1)).slice(0, 2)).toEqual(['picks', 'continue'])
    expect(moveHomeRow(rows, 'continue', -1)).toEqual(rows)
  })

  it('passes hidden rows when a row changes its place on the page', () => {
    const hidden = hideHomeRow(rows, 'picks')
    expect(names(moveVisibleHomeRow(hidden, 'movies', -1)).slice(0, 3)).toEqual([
      'movies',
      'continue',
      'picks',
    ])
    expect(names(moveVisibleHomeRow(hidden, 'continue', 1)).slice(0, 3)).toEqual([
      'picks',
      'movies',
      'continue',
    ])
    expect(moveVisibleHomeRow(hidden, 'continue', -1)).toEqual(hidden)
  })
})
