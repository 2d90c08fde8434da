/**
 * Records the searches of kids profiles for their parents. The browser sends a search for each typed letter. Writing
 * every search would cost more than the search itself, because every database connection reads its cached pages again
 * after a write. A search is therefore written up to WRITE_DELAY_MS later, and only if the child has not typed further.
 */
import { isMissingReference, runOptionalWrite } from '../../core/database-unavailable.ts'
import { type Log, toErrorFields } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import {
  isSearchReplaced,
  isSearchShortened,
  type RecordedSearch,
  recordSearch,
} from '../../queries/family-activity.ts'

/** Longest time between a search and its write. Until the write, only this process can show the search to parents. */
const WRITE_DELAY_MS = 2_000

export class SearchRecorder {
  readonly #database: Database
  readonly #log: Log
  #pendingSearches: RecordedSearch[] = []
  #timer: NodeJS.Timeout | undefined
  #lastWritePromise: Promise<void> = Promise.resolve()

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  record(search: RecordedSearch): void {
    if (this.#pendingSearches.some((pendingSearch) => isSearchShortened(pendingSearch, search))) return
    this.#pendingSearches = this.#pendingSearches.filter(
      (pendingSearch) => !isSearchReplaced(pendingSearch, search),
    )
    this.#pendingSearches.push(search)
    this.#timer ??= setTimeout(() => void this.write(), WRITE_DELAY_MS).unref()
  }

  /** Writes the searches that are not written yet. A search that cannot be written is lost. Never rejects. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const searches = this.#pendingSearches
    this.#pendingSearches = []
    this.#lastWritePromise = this.#lastWritePromise.then(() => this.#writeSearches(searches))
    return this.#lastWritePromise
  }

  async #writeSearches(searches: readonly RecordedSearch[]): Promise<void> {
    if (searches.length === 0) return
    try {
      await runOptionalWrite(() =>
        this.#database.primary.transaction().execute(async (trx) => {
          for (const search of searches) await recordSearch(trx, search)
        }),
      )
    } catch (error) {
      const isProfileErased = isMissingReference(error)
      if (!isProfileErased) this.#log.error('searches were not recorded', toErrorFields(error))
      else if (searches.length > 1) for (const search of searches) await this.#writeSearches([search])
    }
  }
}
