import { bounds, tuning } from './constants.ts'
import { learnTitles, type TitleWeights } from './ease.ts'
import type { Interaction } from './types.ts'

/**
 * What profiles did, without who they are: rows are profiles in no particular order, columns the titles that at
 * least `minSupport` profiles met, most met first.
 */
export interface Crowd {
  readonly profiles: number
  /** Column -> title key. */
  readonly keys: Uint32Array
  /** By profile, oldest first: entry e of profile u is rowCols[e] with rowValues[e]. */
  readonly rowStart: Uint32Array
  readonly rowCols: Uint32Array
  readonly rowValues: Float32Array
  /** When, as a count: entries of the profile that came strictly earlier. What came together has one step. */
  readonly rowSteps: Uint32Array
  /** By column, the entries of the row-wise arrays that hold it, and their profiles. */
  readonly colStart: Uint32Array
  readonly colEntries: Uint32Array
  readonly colRows: Uint32Array
  readonly titles: TitleWeights
}

export interface CrowdOptions {
  readonly ridge: number
  readonly minSupport: number
}

type Row = Map<number, Interaction>

/** One row per profile; when a profile met a title twice, the later meeting counts. */
function rowsOf(interactions: Iterable<Interaction>): Map<number, Row> {
  const rows = new Map<number, Row>()
  for (const met of interactions) {
    const row = rows.get(met.profile) ?? new Map<number, Interaction>()
    rows.set(met.profile, row)
    const known = row.get(met.titleKey)
    if (!known || met.at > known.at || (met.at === known.at && met.value > known.value))
      row.set(met.titleKey, met)
  }
  return rows
}

/** The titles enough profiles met, and no more than memory allows. */
function columnsOf(rows: readonly Row[], minSupport: number): number[] {
  const support = new Map<number, number>()
  for (const row of rows) for (const key of row.keys()) support.set(key, (support.get(key) ?? 0) + 1)
  const known = [...support].filter(([, count]) => count >= minSupport)
  known.sort((a, b) => b[1] - a[1] || a[0] - b[0])
  const side = Math.sqrt(bounds.crowdCells)
  const most = rows.length < side ? Math.floor(bounds.crowdCells / Math.max(1, rows.length)) : side
  return known.slice(0, most).map(([key]) => key)
}

/** Learns from all interactions; the order they come in does not matter. */
export function buildCrowd(interactions: Iterable<Interaction>, options: CrowdOptions = tuning): Crowd {
  const byProfile = [...rowsOf(interactions)].sort((a, b) => a[0] - b[0]).map(([, row]) => row)
  const keys = columnsOf(byProfile, options.minSupport)
  const columnOf = new Map(keys.map((key, column) => [key, column]))
  const rowStart = new Uint32Array(byProfile.length + 1)
  const cols: number[] = []
  const values: number[] = []
  const steps: number[] = []
  byProfile.forEach((row, u) => {
    const met = [...row.values()].sort((a, b) => a.at - b.at || a.titleKey - b.titleKey)
    let step = 0
    let last = Number.NaN
    for (const one of met) {
      const column = columnOf.get(one.titleKey)
      if (column === undefined) continue
      if (one.at !== last) step = cols.length - rowStart[u]!
      last = one.at
      cols.push(column)
      steps.push(step)
      values.push(Math.max(0, one.value))
    }
    rowStart[u + 1] = cols.length
  })
  const rows = {
    profiles: byProfile.length,
    keys: Uint32Array.from(keys),
    rowStart,
    rowCols: Uint32Array.from(cols),
    rowValues: Float32Array.from(values),
    rowSteps: Uint32Array.from(steps),
  }
  const table = { ...rows, ...transpose(rows) }
  return { ...table, titles: learnTitles(table, options.ridge) }
}

function transpose(rows: Pick<Crowd, 'profiles' | 'keys' | 'rowStart' | 'rowCols'>) {
  const colStart = new Uint32Array(rows.keys.length + 1)
  for (const column of rows.rowCols) colStart[column + 1]!++
  for (let column = 0; column < rows.keys.length; column++) colStart[column + 1]! += colStart[column]!
  const at = colStart.slice()
  const colEntries = new Uint32Array(rows.rowCols.length)
  const colRows = new Uint32Array(rows.rowCols.length)
  for (let u = 0; u < rows.profiles; u++)
    for (let entry = rows.rowStart[u]!; entry < rows.rowStart[u + 1]!; entry++) {
      const slot = at[rows.rowCols[entry]!]!++
      colEntries[slot] = entry
      colRows[slot] = u
    }
  return { colStart, colEntries, colRows }
}
