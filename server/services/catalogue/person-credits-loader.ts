/**
 * Loads the credits of all people into memory, and tracks the people whose credits have changed since the
 * load.
 */
import { setImmediate } from 'node:timers/promises'
import { getCrewJobGroup } from '../../../src/lib/rules/job-groups.ts'
import { type PersonCredits, PersonCreditsBuilder } from '../../browse/person-credits.ts'
import type { Database } from '../../db/database.ts'
import { selectCatalogueChanges, selectCatalogueVersion } from '../../queries/browse.ts'
import {
  selectBlockedPersonIds,
  selectCreditsAfter,
  selectLastPersonId,
  selectPersonIdsOfTitles,
} from '../../queries/person.ts'
import { splitDocIds } from '../../queries/search-index.ts'

const CREDITS_PER_PAGE = 4_000
/** Number of people whose rows are read before other requests are handled. SQLite reads them in a few milliseconds. */
const PEOPLE_PER_PAGE = 20_000
/**
 * The credits are loaded again if more changes than MAX_NEW_CHANGES were made since the last request, or if
 * more people than MAX_CHANGED_PEOPLE have changed since the load.
 */
const MAX_NEW_CHANGES = 500
const MAX_CHANGED_PEOPLE = 5_000
/** Shortest interval between two loads. A load takes some seconds for a million titles. */
const MIN_LOAD_INTERVAL_MS = 60_000
export interface LoadedCredits {
  credits: PersonCredits
  /** People who are blocked, or whose row or credits have changed. Their credits must be read from the database. */
  changedPersonIds: ReadonlySet<number>
}

interface TrackedCredits extends LoadedCredits {
  changedPersonIds: Set<number>
  maxChangedPersonCount: number
  /** `changedPersonIds` contains the people of all changes between the load and this version of the catalogue. */
  version: number
}

export class PersonCreditsLoader {
  /** The reader on SQLite, and the primary on PostgreSQL, because a replica may lag. */
  readonly #db: Database['reader']
  #loadedCredits: TrackedCredits | null = null
  #loadPromise: Promise<void> | null = null
  #lastLoadMs = Number.NEGATIVE_INFINITY

  constructor({ kind, reader, primary }: Database) {
    this.#db = kind === 'sqlite' ? reader : primary
  }

  /** Loads the credits if they are not loaded yet. */
  async load(): Promise<void> {
    if (this.#loadedCredits) return
    this.#loadPromise ??= this.#loadAllCredits().finally(() => {
      this.#loadPromise = null
      this.#lastLoadMs = performance.now()
    })
    await this.#loadPromise
  }

  /**
   * Returns the credits, and the people whose credits have changed between the load and this call. Returns null if the
   * credits are not loaded or too many people have changed. The credits are then loaded in the background, at most once
   * in MIN_LOAD_INTERVAL_MS.
   */
  async getCurrentCredits(): Promise<LoadedCredits | null> {
    const loadedCredits = this.#loadedCredits
    if (loadedCredits && (await this.#trackChanges(loadedCredits))) return loadedCredits
    if (this.#loadedCredits === loadedCredits) this.#loadedCredits = null
    if (performance.now() - this.#lastLoadMs > MIN_LOAD_INTERVAL_MS) this.load().catch(() => {})
    return null
  }

  /**
   * Adds the people of new changes to `changedPersonIds`. Returns false when there are so many changes that the credits
   * must be loaded again.
   */
  async #trackChanges(trackedCredits: TrackedCredits): Promise<boolean> {
    // Requests run concurrently: another request may raise the version of the credits during the query.
    const { version: trackedVersion } = trackedCredits
    const version = await selectCatalogueVersion(this.#db)
    if (version === trackedVersion) return true
    // A lower version shows that an older database was restored.
    if (version < trackedVersion) return false
    const changes = await selectCatalogueChanges(this.#db, trackedVersion, MAX_NEW_CHANGES + 1)
    if (
      changes.length > MAX_NEW_CHANGES ||
      trackedCredits.changedPersonIds.size > trackedCredits.maxChangedPersonCount
    )
      return false
    const { titleIds, personIds } = splitDocIds(changes.map((change) => change.doc_id))
    const changedIds = [...personIds, ...(await selectPersonIdsOfTitles(this.#db, titleIds))]
    for (const id of changedIds) trackedCredits.changedPersonIds.add(id)
    trackedCredits.version = Math.max(trackedCredits.version, version, changes.at(-1)?.version ?? 0)
    return true
  }

  /**
   * Reads people in pages, because no index finds blocked people, and a single statement over all people would block
   * the event loop.
   */
  async #loadBlockedPeople(): Promise<Set<number>> {
    const blockedPersonIds = new Set<number>()
    const lastPersonId = await selectLastPersonId(this.#db)
    for (let afterPersonId = 0; afterPersonId < lastPersonId; afterPersonId += PEOPLE_PER_PAGE) {
      const personIds = await selectBlockedPersonIds(this.#db, {
        afterPersonId,
        lastPersonId: afterPersonId + PEOPLE_PER_PAGE,
      })
      for (const id of personIds) blockedPersonIds.add(id)
      await setImmediate()
    }
    return blockedPersonIds
  }

  async #loadAllCredits(): Promise<void> {
    const version = await selectCatalogueVersion(this.#db)
    const changedPersonIds = await this.#loadBlockedPeople()
    const builder = new PersonCreditsBuilder((job) => getCrewJobGroup(job) !== undefined)
    for (let afterCredit = { person_id: 0, title_id: 0, job: '' }; ; ) {
      const credits = await selectCreditsAfter(this.#db, afterCredit, CREDITS_PER_PAGE)
      for (const credit of credits) builder.add(credit)
      const lastCredit = credits.at(-1)
      if (!lastCredit) break
      afterCredit = lastCredit
      await setImmediate()
    }
    const maxChangedPersonCount = changedPersonIds.size + MAX_CHANGED_PEOPLE
    this.#loadedCredits = { credits: builder.finish(), changedPersonIds, maxChangedPersonCount, version }
  }
}
