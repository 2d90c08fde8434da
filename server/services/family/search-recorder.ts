/**
 * Records the searches of kids profiles for their parents. Each letter typed sends a search. Writing each would cost more than
 * the search: after a write, every connection reads its cached pages again. A search is therefore written some time after it
 * was sent, and only if it was not typed further meanwhile.
 */
import { isMissingReference, runOptionalWrite } from '../../core/database-unavailable.ts'
import { type Log, toErrorFields } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { isTypedFurther, type RecordedSearch, recordSearch } from '../../queries/family-activity.ts'

/** Another process shows a search to parents after this time at the latest. */
const WRITE_DELAY_MS = 2_000

export class SearchRecorder {
  readonly #database: Database
  readonly #log: Log
  #pending: RecordedSearch[] = []
  #timer: NodeJS.Timeout | undefined
  #written: Promise<void> = Promise.resolve()

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  record(search: RecordedSearch): void {
    this.#pending = this.#pending.filter((pendingSearch) => !isTypedFurther(pendingSearch, search))
    this.#pending.push(search)
    this.#timer ??= setTimeout(() => void this.write(), WRITE_DELAY_MS).unref()
  }

  /** Writes the searches that are not written yet. Those that cannot be written are left out. Never rejects. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const searches = this.#pending
    this.#pending = []
    this.#written = this.#written.then(() => this.#writeAll(searches))
    return this.#written
  }

  async #writeAll(searches: readonly RecordedSearch[]): Promise<void> {
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
      else if (searches.length > 1) for (const search of searches) await this.#writeAll([search])
    }
  }
}
