import { limits, tuning } from './constants.ts'
import { type EaseWeights, trainEase } from './ease.ts'
import type { TrainingInteraction } from './types.ts'

/**
 * The collaborative model: a sparse matrix of all interactions, without profile ids. Rows are profiles in no particular
 * order. Columns are the titles that at least `minSupport` profiles interacted with, most frequent first. The field names are
 * part of the model file format (pack.ts).
 */
export interface CollaborativeModel {
  readonly profiles: number
  /** Title key of each column. */
  readonly keys: Uint32Array
  /** Entries by profile, oldest first. Entry e of profile u has the column rowCols[e] and the value rowValues[e]. */
  readonly rowStart: Uint32Array
  readonly rowCols: Uint32Array
  readonly rowValues: Float32Array
  /** Position in time: the number of strictly earlier entries of the profile. Simultaneous entries have equal steps. */
  readonly rowSteps: Uint32Array
  /** Entries by column: `colEntries` contains their indexes in the row arrays, and `colRows` the profiles of these entries. */
  readonly colStart: Uint32Array
  readonly colEntries: Uint32Array
  readonly colRows: Uint32Array
  readonly titles: EaseWeights
}

export interface CollaborativeOptions {
  readonly ridge: number
  readonly minSupport: number
}

type ProfileInteractions = Map<number, TrainingInteraction>

/** Groups interactions by profile. If a profile interacted with a title several times, only the latest interaction counts. */
function groupByProfile(interactions: Iterable<TrainingInteraction>): Map<number, ProfileInteractions> {
  const rows = new Map<number, ProfileInteractions>()
  for (const interaction of interactions) {
    const row = rows.get(interaction.profile) ?? new Map<number, TrainingInteraction>()
    rows.set(interaction.profile, row)
    const previousInteraction = row.get(interaction.titleKey)
    if (
      !previousInteraction ||
      interaction.at > previousInteraction.at ||
      (interaction.at === previousInteraction.at && interaction.value > previousInteraction.value)
    )
      row.set(interaction.titleKey, interaction)
  }
  return rows
}

/** Returns the titles that enough profiles interacted with. The number of titles is limited by `limits.maxModelCells`. */
function selectColumns(rows: readonly ProfileInteractions[], minSupport: number): number[] {
  const support = new Map<number, number>()
  for (const row of rows) for (const key of row.keys()) support.set(key, (support.get(key) ?? 0) + 1)
  const supportedTitles = [...support].filter(([, count]) => count >= minSupport)
  supportedTitles.sort((a, b) => b[1] - a[1] || a[0] - b[0])
  const side = Math.sqrt(limits.maxModelCells)
  const maxColumns = rows.length < side ? Math.floor(limits.maxModelCells / Math.max(1, rows.length)) : side
  return supportedTitles.slice(0, maxColumns).map(([key]) => key)
}

/** Trains the collaborative model on all interactions, in any order. */
export function trainCollaborativeModel(
  interactions: Iterable<TrainingInteraction>,
  options: CollaborativeOptions = tuning,
): CollaborativeModel {
  const byProfile = [...groupByProfile(interactions)].sort((a, b) => a[0] - b[0]).map(([, row]) => row)
  const keys = selectColumns(byProfile, options.minSupport)
  const columnByKey = new Map(keys.map((key, column) => [key, column]))
  const rowStart = new Uint32Array(byProfile.length + 1)
  const cols: number[] = []
  const values: number[] = []
  const steps: number[] = []
  byProfile.forEach((row, profile) => {
    const interactions = [...row.values()].sort((a, b) => a.at - b.at || a.titleKey - b.titleKey)
    let step = 0
    let lastAt = Number.NaN
    for (const interaction of interactions) {
      const column = columnByKey.get(interaction.titleKey)
      if (column === undefined) continue
      if (interaction.at !== lastAt) step = cols.length - rowStart[profile]!
      lastAt = interaction.at
      cols.push(column)
      steps.push(step)
      values.push(Math.max(0, interaction.value))
    }
    rowStart[profile + 1] = cols.length
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
  return { ...table, titles: trainEase(table, options.ridge) }
}

function transpose(rows: Pick<CollaborativeModel, 'profiles' | 'keys' | 'rowStart' | 'rowCols'>) {
  const colStart = new Uint32Array(rows.keys.length + 1)
  for (const column of rows.rowCols) colStart[column + 1]!++
  for (let column = 0; column < rows.keys.length; column++) colStart[column + 1]! += colStart[column]!
  const nextPosition = colStart.slice()
  const colEntries = new Uint32Array(rows.rowCols.length)
  const colRows = new Uint32Array(rows.rowCols.length)
  for (let profile = 0; profile < rows.profiles; profile++)
    for (let entry = rows.rowStart[profile]!; entry < rows.rowStart[profile + 1]!; entry++) {
      const position = nextPosition[rows.rowCols[entry]!]!++
      colEntries[position] = entry
      colRows[position] = profile
    }
  return { colStart, colEntries, colRows }
}
