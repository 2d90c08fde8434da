/**
 * Maximum number of rows of an import. The longest known histories have 200,000 rows. Without a limit, a file of 200 MB
 * with very short rows would take several gigabytes in the database.
 */
export const MAX_IMPORT_ROWS = 500_000

/** Thrown when the files of an import have more rows than MAX_IMPORT_ROWS. */
export class TooManyRowsError extends Error {}

/** Limits the rows of all files of an import together. */
export class ImportRowLimit {
  #rowCount = 0

  addRow(): void {
    this.#rowCount += 1
    if (this.#rowCount > MAX_IMPORT_ROWS) throw new TooManyRowsError('the import has too many rows')
  }
}
