/**
 * Returns the inverse of a symmetric positive definite matrix (row-major, n x n), by Cholesky decomposition (Golub &
 * Van Loan 4.2). The computation takes n^3 / 2 multiply-adds. All of them are dot products of contiguous rows, most of
 * them with four rows at a time. Overwrites `matrix`.
 * @throws RangeError when the matrix is not positive definite.
 */
export function invertMatrix(matrix: Float64Array, size: number): Float64Array<ArrayBuffer> {
  factoriseMatrix(matrix, size)
  const columns = invertFactor(matrix, size)
  return computeOuterProduct(columns, size)
}

/**
 * Receives the results of `computeFourRowProducts`. All calls share this buffer, because returning an array would
 * allocate one per call.
 */
const rowProducts = new Float64Array(4)

function computeFourRowProducts(
  matrixA: Float64Array,
  rowOffset: number,
  matrixB: Float64Array,
  firstRowOffset: number,
  stride: number,
  length: number,
): void {
  let sum0 = 0
  let sum1 = 0
  let sum2 = 0
  let sum3 = 0
  const rowOffset1 = firstRowOffset + stride
  const rowOffset2 = rowOffset1 + stride
  const rowOffset3 = rowOffset2 + stride
  for (let index = 0; index < length; index++) {
    const valueA = matrixA[rowOffset + index]!
    sum0 += valueA * matrixB[firstRowOffset + index]!
    sum1 += valueA * matrixB[rowOffset1 + index]!
    sum2 += valueA * matrixB[rowOffset2 + index]!
    sum3 += valueA * matrixB[rowOffset3 + index]!
  }
  rowProducts[0] = sum0
  rowProducts[1] = sum1
  rowProducts[2] = sum2
  rowProducts[3] = sum3
}

function computeRowProduct(
  matrixA: Float64Array,
  rowOffset: number,
  matrixB: Float64Array,
  otherRowOffset: number,
  length: number,
): number {
  let sum = 0
  for (let index = 0; index < length; index++)
    sum += matrixA[rowOffset + index]! * matrixB[otherRowOffset + index]!
  return sum
}

/**
 * Replaces the lower triangle of `matrix` by L with L L' = `matrix`. Four rows are processed together, so that an
 * earlier row of L is read once for all four.
 */
function factoriseMatrix(matrix: Float64Array, size: number): void {
  for (let blockStart = 0; blockStart < size; blockStart += 4) {
    const rowCount = Math.min(4, size - blockStart)
    for (let column = 0; column < blockStart; column++) {
      const pivot = matrix[column * size + column]!
      if (rowCount === 4)
        computeFourRowProducts(matrix, column * size, matrix, blockStart * size, size, column)
      for (let rowInBlock = 0; rowInBlock < rowCount; rowInBlock++) {
        const rowOffset = (blockStart + rowInBlock) * size
        const dotProduct =
          rowCount === 4
            ? rowProducts[rowInBlock]!
            : computeRowProduct(matrix, column * size, matrix, rowOffset, column)
        matrix[rowOffset + column] = (matrix[rowOffset + column]! - dotProduct) / pivot
      }
    }
    for (let row = blockStart; row < blockStart + rowCount; row++)
      for (let column = blockStart; column <= row; column++) {
        const remainder =
          matrix[row * size + column]! - computeRowProduct(matrix, row * size, matrix, column * size, column)
        if (row !== column) matrix[row * size + column] = remainder / matrix[column * size + column]!
        else if (remainder > 0) matrix[row * size + row] = Math.sqrt(remainder)
        else throw new RangeError('The matrix is not positive definite.')
      }
  }
}

/**
 * Returns the transposed inverse of the lower triangular matrix L: row i is column i of the inverse, and is zero before
 * index i.
 */
function invertFactor(lowerFactor: Float64Array, size: number): Float64Array {
  const inverseRows = new Float64Array(size * size)
  for (let blockStart = 0; blockStart < size; blockStart += 4) {
    const rowCount = Math.min(4, size - blockStart)
    for (let column = blockStart; column < size; column++) {
      const pivot = lowerFactor[column * size + column]!
      if (rowCount === 4)
        computeFourRowProducts(
          lowerFactor,
          column * size + blockStart,
          inverseRows,
          blockStart * size + blockStart,
          size,
          column - blockStart,
        )
      for (let rowInBlock = 0; rowInBlock < rowCount; rowInBlock++) {
        const row = blockStart + rowInBlock
        if (column < row) continue
        const dotProduct =
          rowCount === 4
            ? rowProducts[rowInBlock]!
            : computeRowProduct(
                lowerFactor,
                column * size + blockStart,
                inverseRows,
                row * size + blockStart,
                column - blockStart,
              )
        inverseRows[row * size + column] = ((column === row ? 1 : 0) - dotProduct) / pivot
      }
    }
  }
  return inverseRows
}

/** Returns Z Z', where row i of Z (`inverseRows`) is zero before index i. */
function computeOuterProduct(inverseRows: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const product = new Float64Array(size * size)
  for (let blockStart = 0; blockStart < size; blockStart += 4) {
    const rowCount = Math.min(4, size - blockStart)
    for (let column = 0; column < blockStart + rowCount; column++) {
      const startIndex = Math.max(column, blockStart)
      if (rowCount === 4)
        computeFourRowProducts(
          inverseRows,
          column * size + startIndex,
          inverseRows,
          blockStart * size + startIndex,
          size,
          size - startIndex,
        )
      for (let rowInBlock = 0; rowInBlock < rowCount; rowInBlock++) {
        const row = blockStart + rowInBlock
        const dotProduct =
          rowCount === 4
            ? rowProducts[rowInBlock]!
            : computeRowProduct(
                inverseRows,
                column * size + startIndex,
                inverseRows,
                row * size + startIndex,
                size - startIndex,
              )
        product[row * size + column] = dotProduct
        product[column * size + row] = dotProduct
      }
    }
  }
  return product
}
