/** What every source of titles is to those who start an import: the command, and the dashboard's jobs. */
import type { Deps } from '../deps.ts'
import type { ImportReport } from './report.ts'

export type Options = Record<string, string | undefined>

/** An option has a value it cannot have; the message names it. */
export class OptionError extends Error {}

export interface Importer {
  /** One line. */
  describe: string
  /** What may be given, and what it means. */
  options: Record<string, string>
  /**
   * Throws with one sentence when it cannot go on; what was written until then is whole and stays. `progress` is called
   * a few times a second; `signal` stops after the batch in hand.
   */
  run: (
    deps: Deps,
    options: Options,
    progress?: (report: ImportReport) => void,
    signal?: AbortSignal,
  ) => Promise<ImportReport>
}

/** Every source takes it. */
export const BATCH_OPTION = {
  'batch-ms': 'how long one batch may hold the database, in ms',
}

/** Throws `OptionError`. Without the option, as long as suits a server that answers viewers meanwhile. */
export function batchMsOf(options: Options): { batchMs?: number } {
  const text = options['batch-ms']
  if (text === undefined) return {}
  return { batchMs: wholeNumber(text, 'batch-ms', 1) }
}

/** Throws `OptionError` unless `text` is a whole number from `least`. */
export function wholeNumber(text: string, option: string, least: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least)) {
    throw new OptionError(`--${option} must be a whole number from ${least}, not "${text}"`)
  }
  return number
}
