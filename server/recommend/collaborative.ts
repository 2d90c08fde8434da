import { limits, tuning } from './constants.ts'
import { type EaseWeights, trainEase } from './ease.ts'
import type { TrainingInteraction } from './types.ts'

/**
 * The collaborative model: a sparse matrix of interactions, without profile ids. Rows are profiles in no particular
 * order. Columns are titles that at least `minSupport` profiles interacted with. The first column is the title with the
 * most profiles. The field names are part of the model file format (pack.ts).
 */
export interface CollaborativeModel {
  readonly profiles: number
  /** Title key of each column. */
  readonly keys: Uint32Array
  /**
   * Entries sorted by profile, and oldest first within a profile. The entries of profile u are rowStarts[u] to
   * rowStarts[u + 1] - 1. Entry e has the column rowColumns[e] and the value rowValues[e].
   */
  readonly rowStarts: Uint32Array
  readonly rowColumns: Uint32Array
  readonly rowValues: Float32Array
  /** For each entry, the number of earlier entries of the same profile. Entries with equal times have equal numbers. */
  readonly rowSteps: Uint32Array
  /**
   * The same entries by column. Column c has the positions columnStarts[c] to columnStarts[c + 1] - 1 in
   * `columnEntries` and `columnRows`. `columnEntries` contains the index of the entry in the row arrays, and
   * `columnRows` its profile.
   */
  readonly columnStarts: Uint32Array
  readonly columnEntries: Uint32Array
  readonly columnRows: Uint32Array
  readonly titles: EaseWeights
}

export interface CollaborativeOptions {
  readonly ridge: number
  readonly minSupport: number
}

type ProfileInteractionsByTitle = Map<number, TrainingInteraction>

/**
 * Groups interactions by profile. If a profile interacted with a title several times, only the latest interaction is
 * kept. If several interactions are the latest, the interaction with the highest value is kept.
 */
function groupByProfile(
  interactions: Iterable<TrainingInteraction>,
): Map<number, ProfileInteractionsByTitle> {
  const interactionsByProfile = new Map<number, ProfileInteractionsByTitle>()
  for (const interaction of interactions) {
    const profileInteractions =
      interactionsByProfile.get(interaction.profile) ?? new Map<number, TrainingInteraction>()
    interactionsByProfile.set(interaction.profile, profileInteractions)
    const previousInteraction = profileInteractions.get(interaction.titleKey)
    if (
      !previousInteraction ||
      interaction.at > previousInteraction.at ||
      (interaction.at === previousInteraction.at && interaction.value > previousInteraction.value)
    )
      profileInteractions.set(interaction.titleKey, interaction)
  }
  return interactionsByProfile
}

/**
 * Returns the keys of the titles that at least `minSupport` profiles interacted with, most profiles first. The number
 * of titles is limited, so that the trained weights have at most `limits.maxModelCells` cells.
 */
function selectColumnTitleKeys(
  profileRows: readonly ProfileInteractionsByTitle[],
  minSupport: number,
): number[] {
  const supportByKey = new Map<number, number>()
  for (const profileRow of profileRows)
    for (const titleKey of profileRow.keys())
      supportByKey.set(titleKey, (supportByKey.get(titleKey) ?? 0) + 1)
  const supportedTitles = [...supportByKey].filter(([, count]) => count >= minSupport)
  supportedTitles.sort((a, b) => b[1] - a[1] || a[0] - b[0])
  const maxMatrixSide = Math.sqrt(limits.maxModelCells)
  const maxColumns =
    profileRows.length < maxMatrixSide
      ? Math.floor(limits.maxModelCells / Math.max(1, profileRows.length))
      : maxMatrixSide
  return supportedTitles.slice(0, maxColumns).map(([titleKey]) => titleKey)
}

/** Trains the collaborative model on all interactions, which may be in any order. */
export function trainCollaborativeModel(
  interactions: Iterable<TrainingInteraction>,
  options: CollaborativeOptions = tuning,
): CollaborativeModel {
  const profileRows = [...groupByProfile(interactions)]
    .sort((a, b) => a[0] - b[0])
    .map(([, profileRow]) => profileRow)
  const titleKeys = selectColumnTitleKeys(profileRows, options.minSupport)
  const columnByKey = new Map(titleKeys.map((titleKey, column) => [titleKey, column]))
  const rowStarts = new Uint32Array(profileRows.length + 1)
  const entryColumns: number[] = []
  const entryValues: number[] = []
  const entrySteps: number[] = []
  profileRows.forEach((profileRow, profile) => {
    const interactions = [...profileRow.values()].sort((a, b) => a.at - b.at || a.titleKey - b.titleKey)
    let step = 0
    let previousAtMs = Number.NaN
    for (const interaction of interactions) {
      const column = columnByKey.get(interaction.titleKey)
      if (column === undefined) continue
      if (interaction.at !== previousAtMs) step = entryColumns.length - rowStarts[profile]!
      previousAtMs = interaction.at
      entryColumns.push(column)
      entrySteps.push(step)
      entryValues.push(Math.max(0, interaction.value))
    }
    rowStarts[profile + 1] = entryColumns.length
  })
  const matrixRows = {
    profiles: profileRows.length,
    keys: Uint32Array.from(titleKeys),
    rowStarts,
    rowColumns: Uint32Array.from(entryColumns),
    rowValues: Float32Array.from(entryValues),
    rowSteps: Uint32Array.from(entrySteps),
  }
  const matrix = { ...matrixRows, ...transposeMatrix(matrixRows) }
  return { ...matrix, titles: trainEase(matrix, options.ridge) }
}

function transposeMatrix(
  matrixRows: Pick<CollaborativeModel, 'profiles' | 'keys' | 'rowStarts' | 'rowColumns'>,
) {
  const columnStarts = new Uint32Array(matrixRows.keys.length + 1)
  for (const column of matrixRows.rowColumns) columnStarts[column + 1]!++
  for (let column = 0; column < matrixRows.keys.length; column++)
    columnStarts[column + 1]! += columnStarts[column]!
  const nextPositionByColumn = columnStarts.slice()
  const columnEntries = new Uint32Array(matrixRows.rowColumns.length)
  const columnRows = new Uint32Array(matrixRows.rowColumns.length)
  for (let profile = 0; profile < matrixRows.profiles; profile++)
    for (let entry = matrixRows.rowStarts[profile]!; entry < matrixRows.rowStarts[profile + 1]!; entry++) {
      const columnPosition = nextPositionByColumn[matrixRows.rowColumns[entry]!]!++
      columnEntries[columnPosition] = entry
      columnRows[columnPosition] = profile
    }
  return { columnStarts, columnEntries, columnRows }
}
