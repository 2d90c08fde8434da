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
