/** Loads the browse indexes from the database and applies the changes of titles to them. */
import { setImmediate } from 'node:timers/promises'
import { MOVIE_GENRES, TV_GENRES } from '../../../src/lib/rules/genres.ts'
import { NETWORKS } from '../../../src/lib/rules/title-options.ts'
import { BrowseIndex } from '../../browse/browse-index.ts'
import type { Database } from '../../db/database.ts'
import {
  selectBrowseTitles,
  selectCatalogueVersion,
  selectPreviousTitleId,
  selectSortTitles,
  selectTitleChanges,
} from '../../queries/browse.ts'
import type { TitleType } from '../../queries/title.ts'

const TITLES_PER_PAGE = 500
/** Above this number of changes the whole index is reloaded in the background. */
const MAX_INCREMENTAL_CHANGES = 500

export interface LoadedIndexes {
  movie: BrowseIndex
  tv: BrowseIndex
  /** All changes up to this version of the catalogue have been applied. */
  version: number
}

export class BrowseLoader {
  /**
   * On SQLite, this is the reader, which sees each commit immediately and does not wait for writers. On PostgreSQL,
   * this is the primary, because a replica may lag behind the version of the catalogue.
   */
  readonly #db: Database['reader']

  readonly #options: { hasDemoClips: boolean }

  constructor({ kind, reader, primary }: Database, options: { hasDemoClips: boolean }) {
    this.#options = options
    this.#db = kind === 'sqlite' ? reader : primary
  }

  async load(): Promise<LoadedIndexes> {
    // The version is read first, so that changes during the load are applied afterwards.
    const version = await selectCatalogueVersion(this.#db)
    const createFilterValues = (genres: readonly number[]) => ({ genres, networks: NETWORKS })
    const indexes: LoadedIndexes = {
      movie: new BrowseIndex(createFilterValues(MOVIE_GENRES)),
      tv: new BrowseIndex(createFilterValues(TV_GENRES)),
      version,
    }
    await loadTitles(this.#db, indexes, this.#options)
    for (const type of ['movie', 'tv'] as const) await this.#applyTitleOrder(indexes, type)
    return indexes
  }

  /**
   * Applies the changes since the last read. Returns false when there are more than MAX_INCREMENTAL_CHANGES changes,
   * because a reload is then faster. Also returns false when the version has decreased, because an older database was
   * then restored.
   */
  async applyChanges(indexes: LoadedIndexes): Promise<boolean> {
    const version = await selectCatalogueVersion(this.#db)
    if (version === indexes.version) return true
    if (version < indexes.version) return false
    const changes = await selectTitleChanges(this.#db, indexes.version, MAX_INCREMENTAL_CHANGES + 1)
    if (changes.length > MAX_INCREMENTAL_CHANGES) return false
    await this.#reindexTitles(
      indexes,
      changes.map((change) => change.doc_id / 2),
    )
    for (const type of ['movie', 'tv'] as const)
      if (indexes[type].needsRebuild) await this.#applyTitleOrder(indexes, type)
    indexes.version = Math.max(version, changes.at(-1)?.version ?? 0)
    return true
  }

  async #reindexTitles(indexes: LoadedIndexes, titleIds: number[]): Promise<void> {
    const titles = await selectBrowseTitles(this.#db, { ids: titleIds }, this.#options)
    for (const title of titles)
      indexes[title.type].upsertTitle(title, await selectPreviousTitleId(this.#db, title))
    const foundIds = new Set(titles.map((title) => title.title_id))
    for (const id of titleIds) {
      if (foundIds.has(id)) continue
      indexes.movie.removeTitle(id)
      indexes.tv.removeTitle(id)
    }
  }

  async #applyTitleOrder(indexes: LoadedIndexes, type: TitleType): Promise<void> {
    const movedIds = await indexes[type].rebuildOrders(await loadIdsInTitleOrder(this.#db, type), async () =>
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
