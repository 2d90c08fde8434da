/**
 * The inverse of a symmetric positive definite matrix, row-major n x n, by Cholesky (Golub & Van Loan 4.2).
 * n^3 / 2 multiply-adds, all of them dot products of contiguous rows, four rows at a time.
 * `matrix` is overwritten by its factor. Throws RangeError when the matrix is not positive definite.
 */
export function inverse(matrix: Float64Array, n: number): Float64Array<ArrayBuffer> {
  factorise(matrix, n)
  const columns = invertFactor(matrix, n)
  return outerProduct(columns, n)
}

/** Dot products of one row with four others over [from, to); answers land in `four`. */
const four = new Float64Array(4)

function dots(
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
  four[0] = s0
  four[1] = s1
  four[2] = s2
  four[3] = s3
}

function dot(a: Float64Array, row: number, b: Float64Array, other: number, length: number): number {
  let sum = 0
  for (let k = 0; k < length; k++) sum += a[row + k]! * b[other + k]!
  return sum
}

/** Lower triangle of `m` becomes L with L L' = m. Four rows advance together so that each L row is read once. */
function factorise(m: Float64Array, n: number): void {
  for (let block = 0; block < n; block += 4) {
    const rows = Math.min(4, n - block)
    for (let j = 0; j < block; j++) {
      const pivot = m[j * n + j]!
      if (rows === 4) dots(m, j * n, m, block * n, n, j)
      for (let r = 0; r < rows; r++) {
        const at = (block + r) * n
        const sum = rows === 4 ? four[r]! : dot(m, j * n, m, at, j)
        m[at + j] = (m[at + j]! - sum) / pivot
      }
    }
    for (let i = block; i < block + rows; i++)
      for (let j = block; j <= i; j++) {
        const rest = m[i * n + j]! - dot(m, i * n, m, j * n, j)
        if (i !== j) m[i * n + j] = rest / m[j * n + j]!
        else if (rest > 0) m[i * n + i] = Math.sqrt(rest)
        else throw new RangeError('The matrix is not positive definite.')
      }
  }
}

/** Row i of the answer is column i of the inverse of L (zero before i). */
function invertFactor(l: Float64Array, n: number): Float64Array {
  const z = new Float64Array(n * n)
  for (let block = 0; block < n; block += 4) {
    const rows = Math.min(4, n - block)
    for (let k = block; k < n; k++) {
      const pivot = l[k * n + k]!
      if (rows === 4) dots(l, k * n + block, z, block * n + block, n, k - block)
      for (let r = 0; r < rows; r++) {
        const i = block + r
        if (k < i) continue
        const sum = rows === 4 ? four[r]! : dot(l, k * n + block, z, i * n + block, k - block)
        z[i * n + k] = ((k === i ? 1 : 0) - sum) / pivot
      }
    }
  }
  return z
}

/** z z' with row i of z zero before i. */
function outerProduct(z: Float64Array, n: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(n * n)
  for (let block = 0; block < n; block += 4) {
    const rows = Math.min(4, n - block)
    for (let j = 0; j < block + rows; j++) {
      const from = Math.max(j, block)
      if (rows === 4) dots(z, j * n + from, z, block * n + from, n, n - from)
      for (let r = 0; r < rows; r++) {
        const i = block + r
        const sum = rows === 4 ? four[r]! : dot(z, j * n + from, z, i * n + from, n - from)
        out[i * n + j] = sum
        out[j * n + i] = sum
      }
    }
  }
  return out
}
