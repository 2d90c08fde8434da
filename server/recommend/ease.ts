import { inverse } from './inverse.ts'

/**
 * EASE (Steck 2019): the item-item regression B with a zero diagonal, in closed form from P = (X'X + ridge I)^-1 as
 * B_ij = -P_ij / P_jj. A household server has few profiles and many titles, so P is taken through the smaller side:
 * with K = (XX' + ridge I)^-1 the same B is B_ij = x_i' K x_j / (1 - x_j' K x_j).
 */
export interface TitleWeights {
  /** `profiles`: cells[j * profiles + u] = (K x_j)_u / (1 - x_j'K x_j). `titles`: cells[i * titles + j] = B_ij. */
  readonly side: 'profiles' | 'titles'
  readonly cells: Float32Array
}

interface Table {
  readonly profiles: number
  readonly keys: Uint32Array
  readonly rowStart: Uint32Array
  readonly rowCols: Uint32Array
  readonly rowValues: Float32Array
  readonly colStart: Uint32Array
  readonly colEntries: Uint32Array
  readonly colRows: Uint32Array
}

export function learnTitles(table: Table, ridge: number): TitleWeights {
  return table.profiles <= table.keys.length ? throughProfiles(table, ridge) : throughTitles(table, ridge)
}

function throughProfiles(table: Table, ridge: number): TitleWeights {
  const n = table.profiles
  const gram = new Float64Array(n * n)
  for (let j = 0; j < table.keys.length; j++)
    for (let a = table.colStart[j]!; a < table.colStart[j + 1]!; a++)
      for (let b = table.colStart[j]!; b < table.colStart[j + 1]!; b++)
        gram[table.colRows[a]! * n + table.colRows[b]!]! +=
          table.rowValues[table.colEntries[a]!]! * table.rowValues[table.colEntries[b]!]!
  for (let u = 0; u < n; u++) gram[u * n + u]! += ridge
  const k = inverse(gram, n)
  const cells = new Float32Array(n * table.keys.length)
  const column = new Float64Array(n)
  for (let j = 0; j < table.keys.length; j++) {
    column.fill(0)
    for (let at = table.colStart[j]!; at < table.colStart[j + 1]!; at++) {
      const value = table.rowValues[table.colEntries[at]!]!
      const from = table.colRows[at]! * n
      for (let u = 0; u < n; u++) column[u]! += value * k[from + u]!
    }
    let own = 0
    for (let at = table.colStart[j]!; at < table.colStart[j + 1]!; at++)
      own += table.rowValues[table.colEntries[at]!]! * column[table.colRows[at]!]!
    for (let u = 0; u < n; u++) cells[j * n + u] = column[u]! / (1 - own)
  }
  return { side: 'profiles', cells }
}

function throughTitles(table: Table, ridge: number): TitleWeights {
  const n = table.keys.length
  const gram = new Float64Array(n * n)
  for (let u = 0; u < table.profiles; u++)
    for (let a = table.rowStart[u]!; a < table.rowStart[u + 1]!; a++) {
      const from = table.rowCols[a]! * n
      const value = table.rowValues[a]!
      for (let b = table.rowStart[u]!; b < table.rowStart[u + 1]!; b++)
        gram[from + table.rowCols[b]!]! += value * table.rowValues[b]!
    }
  for (let i = 0; i < n; i++) gram[i * n + i]! += ridge
  const p = inverse(gram, n)
  const cells = new Float32Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) if (i !== j) cells[i * n + j] = -p[i * n + j]! / p[j * n + j]!
  return { side: 'titles', cells }
}

/** Adds sum over anchors of weight * B[anchor][j] to every column j of `out`. */
export function addEase(
  table: Table & { readonly titles: TitleWeights },
  anchors: readonly { readonly column: number; readonly weight: number }[],
  out: Float64Array,
): void {
  const { side, cells } = table.titles
  const n = side === 'titles' ? table.keys.length : table.profiles
  if (side === 'titles') {
    for (const { column, weight } of anchors)
      for (let j = 0; j < n; j++) out[j]! += weight * cells[column * n + j]!
    return
  }
  const query = new Float64Array(n)
  for (const { column, weight } of anchors)
    for (let at = table.colStart[column]!; at < table.colStart[column + 1]!; at++)
      query[table.colRows[at]!]! += weight * table.rowValues[table.colEntries[at]!]!
  for (let j = 0; j < table.keys.length; j++) {
    let sum = 0
    for (let u = 0, at = j * n; u < n; u++, at++) sum += query[u]! * cells[at]!
    out[j]! += sum
  }
}

/** B[one][other]: what a meeting with column `one` says about column `other`. */
export function easeWeight(
  table: Table & { readonly titles: TitleWeights },
  one: number,
  other: number,
): number {
  const { side, cells } = table.titles
  if (one === other) return 0
  if (side === 'titles') return cells[one * table.keys.length + other]!
  let sum = 0
  for (let at = table.colStart[one]!; at < table.colStart[one + 1]!; at++)
    sum += table.rowValues[table.colEntries[at]!]! * cells[other * table.profiles + table.colRows[at]!]!
  return sum
}
