import { invertMatrix } from './inverse.ts'

/**
 * EASE (Steck 2019, "Embarrassingly Shallow Autoencoders for Sparse Data"): an item-item regression B with a zero
 * diagonal, in closed form: P = (X'X + ridge I)^-1 and B_ij = -P_ij / P_jj. Most servers have few profiles and many
 * titles, so the inverse is computed over the smaller dimension. With K = (XX' + ridge I)^-1, the same B is B_ij = x_i'
 * K x_j / (1 - x_j' K x_j).
 */
export interface EaseWeights {
  /**
   * The dimension over which the inverse was computed. For `profiles`: cells[j * profiles + u] = (K x_j)_u / (1 - x_j'K
   * x_j). For `titles`: cells[i * titles + j] = B_ij.
   */
  readonly side: 'profiles' | 'titles'
  readonly cells: Float32Array
}

/**
 * The interactions of all profiles, in fields that `CollaborativeModel` describes (collaborative.ts). They are stored
 * twice: by row (profile) and by column (title). `columnRows` contains the profile of each interaction by column.
 */
interface InteractionMatrix {
  readonly profiles: number
  readonly keys: Uint32Array
  readonly rowStarts: Uint32Array
  readonly rowColumns: Uint32Array
  readonly rowValues: Float32Array
  readonly columnStarts: Uint32Array
  readonly columnEntries: Uint32Array
  readonly columnRows: Uint32Array
}

export function trainEase(matrix: InteractionMatrix, ridge: number): EaseWeights {
  return matrix.profiles <= matrix.keys.length ? trainByProfiles(matrix, ridge) : trainByTitles(matrix, ridge)
}

function trainByProfiles(matrix: InteractionMatrix, ridge: number): EaseWeights {
  const profileCount = matrix.profiles
  const gramMatrix = new Float64Array(profileCount * profileCount)
  for (let column = 0; column < matrix.keys.length; column++)
    for (
      let positionA = matrix.columnStarts[column]!;
      positionA < matrix.columnStarts[column + 1]!;
      positionA++
    )
      for (
        let positionB = matrix.columnStarts[column]!;
        positionB < matrix.columnStarts[column + 1]!;
        positionB++
      )
        gramMatrix[matrix.columnRows[positionA]! * profileCount + matrix.columnRows[positionB]!]! +=
          matrix.rowValues[matrix.columnEntries[positionA]!]! *
          matrix.rowValues[matrix.columnEntries[positionB]!]!
  for (let profile = 0; profile < profileCount; profile++)
    gramMatrix[profile * profileCount + profile]! += ridge
  const inverseGram = invertMatrix(gramMatrix, profileCount)
  const cells = new Float32Array(profileCount * matrix.keys.length)
  const profileScores = new Float64Array(profileCount)
  for (let column = 0; column < matrix.keys.length; column++) {
    profileScores.fill(0)
    for (
      let columnPosition = matrix.columnStarts[column]!;
      columnPosition < matrix.columnStarts[column + 1]!;
      columnPosition++
    ) {
      const interactionValue = matrix.rowValues[matrix.columnEntries[columnPosition]!]!
      const rowOffset = matrix.columnRows[columnPosition]! * profileCount
      for (let profile = 0; profile < profileCount; profile++)
        profileScores[profile]! += interactionValue * inverseGram[rowOffset + profile]!
    }
    let selfScore = 0
    for (
      let columnPosition = matrix.columnStarts[column]!;
      columnPosition < matrix.columnStarts[column + 1]!;
      columnPosition++
    )
      selfScore +=
        matrix.rowValues[matrix.columnEntries[columnPosition]!]! *
        profileScores[matrix.columnRows[columnPosition]!]!
    for (let profile = 0; profile < profileCount; profile++)
      cells[column * profileCount + profile] = profileScores[profile]! / (1 - selfScore)
  }
  return { side: 'profiles', cells }
}

function trainByTitles(matrix: InteractionMatrix, ridge: number): EaseWeights {
  const titleCount = matrix.keys.length
  const gramMatrix = new Float64Array(titleCount * titleCount)
  for (let profile = 0; profile < matrix.profiles; profile++)
    for (let entryA = matrix.rowStarts[profile]!; entryA < matrix.rowStarts[profile + 1]!; entryA++) {
      const rowOffset = matrix.rowColumns[entryA]! * titleCount
      const interactionValue = matrix.rowValues[entryA]!
      for (let entryB = matrix.rowStarts[profile]!; entryB < matrix.rowStarts[profile + 1]!; entryB++)
        gramMatrix[rowOffset + matrix.rowColumns[entryB]!]! += interactionValue * matrix.rowValues[entryB]!
    }
  for (let column = 0; column < titleCount; column++) gramMatrix[column * titleCount + column]! += ridge
  const inverseGram = invertMatrix(gramMatrix, titleCount)
  const cells = new Float32Array(titleCount * titleCount)
  for (let row = 0; row < titleCount; row++)
    for (let column = 0; column < titleCount; column++)
      if (row !== column)
        cells[row * titleCount + column] =
          -inverseGram[row * titleCount + column]! / inverseGram[column * titleCount + column]!
  return { side: 'titles', cells }
}

/** Adds the EASE score of each column j to `scores`: the sum of weight * B[anchor][j] over all anchors. */
export function addEaseScores(
  matrix: InteractionMatrix & { readonly titles: EaseWeights },
  anchors: readonly { readonly column: number; readonly weight: number }[],
  scores: Float64Array,
): void {
  const { side, cells } = matrix.titles
  const sideLength = side === 'titles' ? matrix.keys.length : matrix.profiles
  if (side === 'titles') {
    for (const { column, weight } of anchors)
      for (let otherColumn = 0; otherColumn < sideLength; otherColumn++)
        scores[otherColumn]! += weight * cells[column * sideLength + otherColumn]!
    return
  }
  const profileWeights = new Float64Array(sideLength)
  for (const { column, weight } of anchors)
    for (
      let columnPosition = matrix.columnStarts[column]!;
      columnPosition < matrix.columnStarts[column + 1]!;
      columnPosition++
    )
      profileWeights[matrix.columnRows[columnPosition]!]! +=
        weight * matrix.rowValues[matrix.columnEntries[columnPosition]!]!
  for (let column = 0; column < matrix.keys.length; column++) {
    let score = 0
    for (let profile = 0, cellIndex = column * sideLength; profile < sideLength; profile++, cellIndex++)
      score += profileWeights[profile]! * cells[cellIndex]!
    scores[column]! += score
  }
}

/**
 * Returns B[from][to]: the weight that an interaction with column `fromColumn` has in the score of column `toColumn`.
 */
export function computeEaseWeight(
  matrix: InteractionMatrix & { readonly titles: EaseWeights },
  fromColumn: number,
  toColumn: number,
): number {
  const { side, cells } = matrix.titles
  if (fromColumn === toColumn) return 0
  if (side === 'titles') return cells[fromColumn * matrix.keys.length + toColumn]!
  let weight = 0
  for (
    let columnPosition = matrix.columnStarts[fromColumn]!;
    columnPosition < matrix.columnStarts[fromColumn + 1]!;
    columnPosition++
  )
    weight +=
      matrix.rowValues[matrix.columnEntries[columnPosition]!]! *
      cells[toColumn * matrix.profiles + matrix.columnRows[columnPosition]!]!
  return weight
}
