/**
 * Returns the inverse of a symmetric positive definite matrix (row-major, n x n), by Cholesky decomposition (Golub & Van Loan
 * 4.2). The computation takes n^3 / 2 multiply-adds. All of them are dot products of contiguous rows, four rows at a time.
 * Overwrites `matrix`.
 * @throws RangeError when the matrix is not positive definite.
 */
export function invertMatrix(matrix: Float64Array, n: number): Float64Array<ArrayBuffer> {
  factorise(matrix, n)
  const columns = invertFactor(matrix, n)
  return computeOuterProduct(columns, n)
}

/**
 * Receives the results of `dotFourRows`. All calls share this buffer, because returning an array would allocate one per call.
 */
const dotResults = new Float64Array(4)

function dotFourRows(
  a: Float64Array,
  row: number,
  b: Float64Array,
  rows: number,
  stride: number,
  length: number,
): void {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  const r1 = rows + stride
  const r2 = r1 + stride
  const r3 = r2 + stride
  for (let k = 0; k < length; k++) {
    const x = a[row + k]!
    s0 += x * b[rows + k]!
    s1 += x * b[r1 + k]!
    s2 += x * b[r2 + k]!
    s3 += x * b[r3 + k]!
  }
  dotResults[0] = s0
  dotResults[1] = s1
  dotResults[2] = s2
  dotResults[3] = s3
}

function dotRow(a: Float64Array, row: number, b: Float64Array, otherRow: number, length: number): number {
  let sum = 0
  for (let k = 0; k < length; k++) sum += a[row + k]! * b[otherRow + k]!
  return sum
}

/**
 * Replaces the lower triangle of `m` by L with L L' = m. Four rows are processed together, so that each row of L is read only
 * once.
 */
function factorise(m: Float64Array, n: number): void {
  for (let block = 0; block < n; block += 4) {
    const rows = Math.min(4, n - block)
    for (let j = 0; j < block; j++) {
      const pivot = m[j * n + j]!
      if (rows === 4) dotFourRows(m, j * n, m, block * n, n, j)
      for (let r = 0; r < rows; r++) {
        const at = (block + r) * n
        const sum = rows === 4 ? dotResults[r]! : dotRow(m, j * n, m, at, j)
        m[at + j] = (m[at + j]! - sum) / pivot
      }
    }
    for (let i = block; i < block + rows; i++)
      for (let j = block; j <= i; j++) {
        const remainder = m[i * n + j]! - dotRow(m, i * n, m, j * n, j)
        if (i !== j) m[i * n + j] = remainder / m[j * n + j]!
        else if (remainder > 0) m[i * n + i] = Math.sqrt(remainder)
        else throw new RangeError('The matrix is not positive definite.')
      }
  }
}

/**
 * Returns the transposed inverse of the lower triangular matrix L: row i is column i of the inverse, and is zero before index
 * i.
 */
function invertFactor(l: Float64Array, n: number): Float64Array {
  const z = new Float64Array(n * n)
  for (let block = 0; block < n; block += 4) {
    const rows = Math.min(4, n - block)
    for (let k = block; k < n; k++) {
      const pivot = l[k * n + k]!
      if (rows === 4) dotFourRows(l, k * n + block, z, block * n + block, n, k - block)
      for (let r = 0; r < rows; r++) {
        const i = block + r
        if (k < i) continue
        const sum = rows === 4 ? dotResults[r]! : dotRow(l, k * n + block, z, i * n + block, k - block)
        z[i * n + k] = ((k === i ? 1 : 0) - sum) / pivot
      }
    }
  }
  return z
}

/** Returns z z', where row i of z is zero before index i. */
function computeOuterProduct(z: Float64Array, n: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(n * n)
  for (let block = 0; block < n; block += 4) {
    const rows = Math.min(4, n - block)
    for (let j = 0; j < block + rows; j++) {
      const from = Math.max(j, block)
      if (rows === 4) dotFourRows(z, j * n + from, z, block * n + from, n, n - from)
      for (let r = 0; r < rows; r++) {
        const i = block + r
        const sum = rows === 4 ? dotResults[r]! : dotRow(z, j * n + from, z, i * n + from, n - from)
        out[i * n + j] = sum
        out[j * n + i] = sum
      }
    }
  }
  return out
}
