/** Loads the browse indexes from the database and applies the changes of titles to them. */
import { setImmediate } from 'node:timers/promises'
import { MOVIE_GENRES, TV_GENRES } from '../../../src/lib/rules/genres.ts'
import { NETWORKS } from '../../../src/lib/rules/title-options.ts'
import { BrowseIndex } from '../../browse/browse-index.ts'
import type { Database } from '../../db/database.ts'
import {
  selectBrowseTitles,
  selectCatalogueState,
  selectLastCatalogueChangeMs,
  selectPreviousTitleId,
  selectSortTitles,
  selectTitleChanges,
} from '../../queries/browse.ts'
import type { TitleType } from '../../queries/title.ts'

const TITLES_PER_PAGE = 500
/** Above this number of changes the whole index is reloaded in the background. */
const MAX_INCREMENTAL_CHANGES = 500
/**
 * Changes that are up to this much older than the latest applied change are read again, because PostgreSQL may commit
 * an earlier change later. SQLite has only one writer, so its changes are committed in order.
 */
const REREAD_PERIOD_MS_BY_DATABASE_KIND = { sqlite: 0, postgres: 15_000 }
/**
 * Maximum number of changes that a load remembers as applied. Remembered changes are not applied twice when they are
 * read again.
 */
const MAX_REMEMBERED_CHANGES = 5_000

export interface LoadedIndexes {
  movie: BrowseIndex
  tv: BrowseIndex
  /** All changes up to this state of the catalogue have been applied; null when the state is unknown. */
  catalogueState: string | null
  /** Changes up to this time have been applied. */
  untilMs: number
  /** Revision of each applied change, by document id. Contains only the changes that may be read again. */
  appliedRevisions: Map<number, number>
}

export class BrowseLoader {
  readonly #kind: Database['kind']
  readonly #reader: Database['reader']
  /**
   * Database from which changes are read. On SQLite, this is the reader, which sees each commit immediately and does
   * not wait for writers. On PostgreSQL, this is the primary, because a replica may lag.
   */
  readonly #changesDb: Database['reader']

  readonly #options: { hasDemoClips: boolean }

  constructor({ kind, reader, primary }: Database, options: { hasDemoClips: boolean }) {
    this.#options = options
    this.#kind = kind
    this.#reader = reader
    this.#changesDb = kind === 'sqlite' ? reader : primary
  }

  async load(): Promise<LoadedIndexes> {
    const catalogueState = await selectCatalogueState(this.#changesDb)
    const untilMs = await selectLastCatalogueChangeMs(this.#changesDb)
    const recentChanges = await this.#selectChanges(untilMs, MAX_REMEMBERED_CHANGES)
    // After a large import, a replica may not have the imported rows yet. The rows are therefore read from the primary,
    // and the changes of the import count as applied. Otherwise these changes would be read again, and would cause
    // another reload.
    const isAfterImport = recentChanges.length > MAX_INCREMENTAL_CHANGES
    const db = isAfterImport ? this.#changesDb : this.#reader
    const createFilterValues = (genres: readonly number[]) => ({ genres, networks: NETWORKS })
    const indexes: LoadedIndexes = {
      movie: new BrowseIndex(createFilterValues(MOVIE_GENRES)),
      tv: new BrowseIndex(createFilterValues(TV_GENRES)),
      // A replica may not have the latest changes, so the state of its rows is unknown.
      catalogueState: isAfterImport || this.#kind === 'sqlite' ? catalogueState : null,
      untilMs,
      appliedRevisions: new Map(
        isAfterImport ? recentChanges.map((change) => [change.doc_id, change.revision]) : [],
      ),
    }
    await loadTitles(db, indexes, this.#options)
    for (const type of ['movie', 'tv'] as const) await this.#applyTitleOrder(indexes, type, db)
    return indexes
  }

  /**
   * Applies the changes since the last read. Returns false when there are more than MAX_INCREMENTAL_CHANGES changes,
   * because a reload is then faster.
   * Changes are read only if the state of the catalogue has changed. If every call read them, a statement that changed
   * all titles would cause one reload after another.
   */
  async applyChanges(indexes: LoadedIndexes): Promise<boolean> {
    const catalogueState = await selectCatalogueState(this.#changesDb)
    if (catalogueState === indexes.catalogueState) return true
    const changeLimit = indexes.appliedRevisions.size + MAX_INCREMENTAL_CHANGES + 1
    const changes = await this.#selectChanges(indexes.untilMs, changeLimit)
    const newChanges = changes.filter(
      (change) => indexes.appliedRevisions.get(change.doc_id) !== change.revision,
    )
    if (newChanges.length > MAX_INCREMENTAL_CHANGES) return false
    await this.#reindexTitles(
      indexes,
      newChanges.map((change) => change.doc_id / 2),
    )
    indexes.untilMs = Math.max(indexes.untilMs, changes.at(-1)?.changed_at ?? 0)
    indexes.appliedRevisions = new Map(changes.map((change) => [change.doc_id, change.revision]))
    for (const type of ['movie', 'tv'] as const)
      if (indexes[type].needsRebuild) await this.#applyTitleOrder(indexes, type, this.#reader)
    indexes.catalogueState = catalogueState
    return true
  }

  #selectChanges(untilMs: number, changeLimit: number) {
    return selectTitleChanges(
      this.#changesDb,
      untilMs - REREAD_PERIOD_MS_BY_DATABASE_KIND[this.#kind],
      changeLimit,
    )
  }

  async #reindexTitles(indexes: LoadedIndexes, titleIds: number[]): Promise<void> {
    const titles = await selectBrowseTitles(this.#changesDb, { ids: titleIds }, this.#options)
    for (const title of titles)
      indexes[title.type].upsertTitle(title, await selectPreviousTitleId(this.#changesDb, title))
    const foundIds = new Set(titles.map((title) => title.title_id))
    for (const id of titleIds) {
      if (foundIds.has(id)) continue
      indexes.movie.removeTitle(id)
      indexes.tv.removeTitle(id)
    }
  }

  async #applyTitleOrder(indexes: LoadedIndexes, type: TitleType, db: Database['reader']): Promise<void> {
    const movedIds = await indexes[type].rebuildOrders(await loadIdsInTitleOrder(db, type), async () =>
      setImmediate(),
    )
    await this.#reindexTitles(indexes, movedIds)
  }
}

async function loadTitles(
  db: Database['reader'],
  indexes: LoadedIndexes,
  options: { hasDemoClips: boolean },
): Promise<void> {
  for (let afterId = 0; ; ) {
    const titles = await selectBrowseTitles(db, { afterTitleId: afterId, limit: TITLES_PER_PAGE }, options)
    const lastTitle = titles.at(-1)
    if (!lastTitle) return
    for (const title of titles) indexes[title.type].loadTitle(title)
    afterId = lastTitle.title_id
    await setImmediate()
  }
}

async function loadIdsInTitleOrder(db: Database['reader'], type: TitleType): Promise<number[]> {
  const titleIds: number[] = []
  for (let afterRow: { sort_title: string; title_id: number } | null = null; ; ) {
    const rows = await selectSortTitles(db, type, { after: afterRow, limit: TITLES_PER_PAGE })
    for (const row of rows) titleIds.push(row.title_id)
    const lastRow = rows.at(-1)
    if (!lastRow) return titleIds
    afterRow = lastRow
    await setImmediate()
  }
}
