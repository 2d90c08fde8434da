/** The options of a TMDB import, and the context that its steps share. */
import type { ImportReport } from '../import-report.ts'
import {
  type ImporterDeps,
  ImporterOptionError,
  type ImporterOptions,
  parseWholeNumberOption,
} from '../importer.ts'
import type { TmdbCheckpoint } from './checkpoint.ts'
import type { CheckpointBatches } from './checkpoint-batches.ts'
import type { TmdbClient } from './client.ts'

export const DEFAULT_TITLE_LIMIT = 2_000
export const DEFAULT_PEOPLE_PER_TITLE = 10

export interface TmdbEndpoints {
  /** Base URL of the API. */
  apiUrl: string
  /** Base URL of the daily id exports. */
  filesUrl: string
  /** Set in tests, which do not need the wait between requests that TMDB requires. */
  requestRate?: { requestsPerSecond: number; initialBackoffMs: number }
}
interface TmdbImportPlan {
  titleLimit: number
  /** Number of cast members per title that are looked up. */
  peoplePerTitle: number
  movieIds: number[]
  seriesIds: number[]
  /** True to import all titles again, and not only those that have changed. */
  isFullImport: boolean
}
export interface TmdbImportContext {
  deps: ImporterDeps
  plan: TmdbImportPlan
  client: TmdbClient
  checkpoint: TmdbCheckpoint
  batches: CheckpointBatches
  report: ImportReport
  options: ImporterOptions
  endpoints: TmdbEndpoints
  reportProgress?: ((report: ImportReport) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Reads the options. Throws `ImporterOptionError`. */
export function readImportPlan(options: ImporterOptions): TmdbImportPlan {
  const fullOption = options['full'] ?? 'no'
  if (fullOption !== 'yes' && fullOption !== 'no')
    throw new ImporterOptionError(`--full must be yes or no, not "${fullOption}"`)
  const readIds = (optionName: string) =>
    options[optionName]?.split(',').map((id) => parseWholeNumberOption(id.trim(), optionName, 1)) ?? []
  return {
    titleLimit: parseWholeNumberOption(options['limit'] ?? String(DEFAULT_TITLE_LIMIT), 'limit', 1),
    peoplePerTitle: parseWholeNumberOption(
      options['people'] ?? String(DEFAULT_PEOPLE_PER_TITLE),
      'people',
      0,
    ),
    movieIds: readIds('movies'),
    seriesIds: readIds('series'),
    isFullImport: fullOption === 'yes',
  }
}
