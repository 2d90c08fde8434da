import { invertMatrix } from './inverse.ts'

/**
 * EASE (Steck 2019, "Embarrassingly Shallow Autoencoders for Sparse Data"): an item-item regression B with a zero diagonal,
 * in closed form: P = (X'X + ridge I)^-1 and B_ij = -P_ij / P_jj. Most servers have few profiles and many titles, so the
 * inverse is computed over the smaller dimension. With K = (XX' + ridge I)^-1, the same B is B_ij = x_i' K x_j / (1 - x_j' K
 * x_j).
 */
export interface EaseWeights {
  /**
   * With side `profiles`: cells[j * profiles + u] = (K x_j)_u / (1 - x_j'K x_j). With side `titles`: cells[i * titles
   * + j] = B_ij.
   */
  readonly side: 'profiles' | 'titles'
  readonly cells: Float32Array
}

interface InteractionMatrix {
  readonly profiles: number
  readonly keys: Uint32Array
  readonly rowStart: Uint32Array
  readonly rowCols: Uint32Array
  readonly rowValues: Float32Array
  readonly colStart: Uint32Array
  readonly colEntries: Uint32Array
  readonly colRows: Uint32Array
}

export function trainEase(matrix: InteractionMatrix, ridge: number): EaseWeights {
  return matrix.profiles <= matrix.keys.length ? trainByProfiles(matrix, ridge) : trainByTitles(matrix, ridge)
}

function trainByProfiles(matrix: InteractionMatrix, ridge: number): EaseWeights {
  const profileCount = matrix.profiles
  const gram = new Float64Array(profileCount * profileCount)
  for (let j = 0; j < matrix.keys.length; j++)
    for (let a = matrix.colStart[j]!; a < matrix.colStart[j + 1]!; a++)
      for (let b = matrix.colStart[j]!; b < matrix.colStart[j + 1]!; b++)
        gram[matrix.colRows[a]! * profileCount + matrix.colRows[b]!]! +=
          matrix.rowValues[matrix.colEntries[a]!]! * matrix.rowValues[matrix.colEntries[b]!]!
  for (let u = 0; u < profileCount; u++) gram[u * profileCount + u]! += ridge
  const inverseGram = invertMatrix(gram, profileCount)
  const cells = new Float32Array(profileCount * matrix.keys.length)
  const column = new Float64Array(profileCount)
  for (let j = 0; j < matrix.keys.length; j++) {
    column.fill(0)
    for (let entry = matrix.colStart[j]!; entry < matrix.colStart[j + 1]!; entry++) {
      const value = matrix.rowValues[matrix.colEntries[entry]!]!
      const rowStart = matrix.colRows[entry]! * profileCount
      for (let u = 0; u < profileCount; u++) column[u]! += value * inverseGram[rowStart + u]!
    }
    let selfScore = 0
    for (let entry = matrix.colStart[j]!; entry < matrix.colStart[j + 1]!; entry++)
      selfScore += matrix.rowValues[matrix.colEntries[entry]!]! * column[matrix.colRows[entry]!]!
    for (let u = 0; u < profileCount; u++) cells[j * profileCount + u] = column[u]! / (1 - selfScore)
  }
  return { side: 'profiles', cells }
}

function trainByTitles(matrix: InteractionMatrix, ridge: number): EaseWeights {
  const titleCount = matrix.keys.length
  const gram = new Float64Array(titleCount * titleCount)
  for (let u = 0; u < matrix.profiles; u++)
    for (let a = matrix.rowStart[u]!; a < matrix.rowStart[u + 1]!; a++) {
      const rowStart = matrix.rowCols[a]! * titleCount
      const value = matrix.rowValues[a]!
      for (let b = matrix.rowStart[u]!; b < matrix.rowStart[u + 1]!; b++)
        gram[rowStart + matrix.rowCols[b]!]! += value * matrix.rowValues[b]!
    }
  for (let i = 0; i < titleCount; i++) gram[i * titleCount + i]! += ridge
  const inverseGram = invertMatrix(gram, titleCount)
  const cells = new Float32Array(titleCount * titleCount)
  for (let i = 0; i < titleCount; i++)
    for (let j = 0; j < titleCount; j++)
      if (i !== j)
        cells[i * titleCount + j] = -inverseGram[i * titleCount + j]! / inverseGram[j * titleCount + j]!
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
      for (let j = 0; j < sideLength; j++) scores[j]! += weight * cells[column * sideLength + j]!
    return
  }
  const profileWeights = new Float64Array(sideLength)
  for (const { column, weight } of anchors)
    for (let entry = matrix.colStart[column]!; entry < matrix.colStart[column + 1]!; entry++)
      profileWeights[matrix.colRows[entry]!]! += weight * matrix.rowValues[matrix.colEntries[entry]!]!
  for (let j = 0; j < matrix.keys.length; j++) {
    let sum = 0
    for (let u = 0, entry = j * sideLength; u < sideLength; u++, entry++)
      sum += profileWeights[u]! * cells[entry]!
    scores[j]! += sum
  }
}

/** Returns B[from][to]: the weight that an interaction with column `from` has in the score of column `to`. */
export function computeEaseWeight(
  matrix: InteractionMatrix & { readonly titles: EaseWeights },
  from: number,
  to: number,
): number {
  const { side, cells } = matrix.titles
  if (from === to) return 0
  if (side === 'titles') return cells[from * matrix.keys.length + to]!
  let sum = 0
  for (let entry = matrix.colStart[from]!; entry < matrix.colStart[from + 1]!; entry++)
    sum +=
      matrix.rowValues[matrix.colEntries[entry]!]! * cells[to * matrix.profiles + matrix.colRows[entry]!]!
  return sum
}
