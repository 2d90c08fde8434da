/** The interface of a catalogue importer, as the import command and the dashboard jobs use it. */
import type { Config } from '../core/config.ts'
import type { Database } from '../db/database.ts'
import type { ImportReport } from './import-report.ts'

/** The dependencies of the server that importers use. */
export interface ImporterDeps {
  config: Config
  database: Database
  /** Current time in milliseconds since 1970. */
  now: () => number
}

export type ImporterOptions = Record<string, string | undefined>

/**
 * Thrown when an importer cannot continue. The message gives the reason. It is shown in the dashboard, so it must not
 * contain the paths of the server's own folders.
 */
export class ImporterError extends Error {}

/** Thrown when an option has an invalid value. The message names the option. */
export class ImporterOptionError extends ImporterError {}

export interface CatalogueImporter {
  /** One line of help text. */
  description: string
  /** Help text of each option, by option name. */
  options: Record<string, string>
  /**
   * Imports the source and returns the report. Throws `ImporterError` when it cannot continue; batches that are already
   * committed stay. `reportProgress` is called after each batch, and during longer steps. When `signal` is aborted, the
   * import stops after the current batch.
   */
  run: (
    deps: ImporterDeps,
    options: ImporterOptions,
    reportProgress?: (report: ImportReport) => void,
    signal?: AbortSignal,
  ) => Promise<ImportReport>
}

/** The option that every importer accepts. */
export const BATCH_MS_OPTION = {
  'batch-ms': 'target duration of one database batch, in ms',
}

/**
 * Reads the `batch-ms` option. Returns an empty object if the option is absent, so that the pipeline uses its default.
 * Throws `ImporterOptionError` if the value is not a positive whole number.
 */
export function readBatchOptions(options: ImporterOptions): { batchMs?: number } {
  const batchMsText = options['batch-ms']
  if (batchMsText === undefined) return {}
  return { batchMs: parseWholeNumberOption(batchMsText, 'batch-ms', 1) }
}

/**
 * Parses a whole number. Throws `ImporterOptionError` if `text` is not a whole number, or if the number is less than
 * `minimum`.
 */
export function parseWholeNumberOption(text: string, optionName: string, minimum: number): number {
  const wholeNumber = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(wholeNumber >= minimum)) {
    throw new ImporterOptionError(
      `--${optionName} must be a whole number of at least ${minimum}, not "${text}"`,
    )
  }
  return wholeNumber
}
