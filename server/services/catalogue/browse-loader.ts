/** Loads the browse indexes from the database and applies the changes of titles to them. */
import { setImmediate } from 'node:timers/promises'
import { MOVIE_GENRE_IDS, TV_GENRE_IDS } from '../../../src/lib/rules/genres.ts'
import { NETWORKS } from '../../../src/lib/rules/title-options.ts'
import { BrowseIndex } from '../../browse/browse-index.ts'
import { type SortName, sortByName, type TitlePlace } from '../../browse/title-order.ts'
import type { BrowseTitle } from '../../browse/types.ts'
import { growArray } from '../../core/grow-array.ts'
import type { Database } from '../../db/database.ts'
import {
  selectBrowseTitles,
  selectCatalogueVersion,
  selectPreviousTitleId,
  selectSortNames,
  selectTitleChanges,
  selectTitlesAlphabetically,
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

/** The order of the titles of a type by their names in a language. */
export interface LoadedTitleOrder {
  type: TitleType
  language: string
  /** Version of the catalogue before the names were read. */
  version: number
  sortedIds: Uint32Array
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

  /** Loads the indexes. Also builds the title orders that `previousIndexes` contain. */
  async load(previousIndexes: LoadedIndexes | null = null): Promise<LoadedIndexes> {
    // The version is read first, so that changes during the load are applied afterwards.
    const version = await selectCatalogueVersion(this.#db)
    const createFilterValues = (genres: readonly number[]) => ({ genres, networks: NETWORKS })
    const indexes: LoadedIndexes = {
      movie: new BrowseIndex(createFilterValues(MOVIE_GENRE_IDS)),
      tv: new BrowseIndex(createFilterValues(TV_GENRE_IDS)),
      version,
    }
    await loadTitles(this.#db, indexes, this.#options)
    for (const type of ['movie', 'tv'] as const) {
      await this.#applyTitleOrder(indexes, type)
      for (const language of previousIndexes?.[type].titleOrders.keys() ?? [])
        indexes[type].addTitleOrder(language, await this.#loadSortedIds(type, language))
    }
    return indexes
  }

  /** Loads the order of the titles by their names in a language. */
  async loadTitleOrder(type: TitleType, language: string): Promise<LoadedTitleOrder> {
    const version = await selectCatalogueVersion(this.#db)
    return { type, language, version, sortedIds: await this.#loadSortedIds(type, language) }
  }

  /**
   * Adds an order to the indexes and applies the changes since the order was loaded. Returns false when there are more
   * than MAX_INCREMENTAL_CHANGES changes. Must not run at the same time as `applyChanges`.
   */
  async addTitleOrder(
    indexes: LoadedIndexes,
    { type, language, version, sortedIds }: LoadedTitleOrder,
  ): Promise<boolean> {
    indexes[type].addTitleOrder(language, sortedIds)
    const changes = await selectTitleChanges(this.#db, version, MAX_INCREMENTAL_CHANGES + 1)
    if (changes.length > MAX_INCREMENTAL_CHANGES) return false
    await this.#reindexTitles(
      indexes,
      changes.map((change) => change.doc_id / 2),
    )
    return true
  }

  /** Returns the ids of all titles of a type in the order of their names in a language. */
  async #loadSortedIds(type: TitleType, language: string): Promise<Uint32Array> {
    const sortNames: SortName[] = []
    for (let afterTitleId = 0; ; ) {
      const page = { type, afterTitleId, limit: TITLES_PER_PAGE }
      const sortNamesOfPage = await selectSortNames(this.#db, language, page)
      const lastSortName = sortNamesOfPage.at(-1)
      if (!lastSortName) return sortByName(sortNames, language, async () => setImmediate())
      sortNames.push(...sortNamesOfPage)
      afterTitleId = lastSortName.title_id
      await setImmediate()
    }
  }

  /**
   * Applies the changes since the last read. Returns false when there are more than MAX_INCREMENTAL_CHANGES changes,
   * because a reload is then faster. Also returns false when the version has decreased, which shows that an older
   * database was restored.
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
    for (const type of ['movie', 'tv'] as const) {
      if (indexes[type].needsRebuild) await this.#applyTitleOrder(indexes, type)
      for (const titleOrder of indexes[type].titleOrders.values()) titleOrder.mergeMovedRows()
    }
    indexes.version = Math.max(version, changes.at(-1)?.version ?? 0)
    return true
  }

  async #reindexTitles(indexes: LoadedIndexes, titleIds: number[]): Promise<void> {
    const titles = await selectBrowseTitles(this.#db, { ids: titleIds }, this.#options)
    const placesByTitleId = await this.#findTitlePlaces(indexes, titles)
    for (const title of titles)
      indexes[title.type].upsertTitle(
        title,
        await selectPreviousTitleId(this.#db, title),
        placesByTitleId.get(title.title_id),
      )
    const foundIds = new Set(titles.map((title) => title.title_id))
    for (const id of titleIds) {
      if (foundIds.has(id)) continue
      indexes.movie.removeTitle(id)
      indexes.tv.removeTitle(id)
    }
  }

  /** Returns the place of each title in each of the title orders, by title id and language. */
  async #findTitlePlaces(
    indexes: LoadedIndexes,
    titles: readonly BrowseTitle[],
  ): Promise<Map<number, Map<string, TitlePlace>>> {
    const placesByTitleId = new Map(titles.map(({ title_id }) => [title_id, new Map<string, TitlePlace>()]))
    for (const [type, typeTitles] of Map.groupBy(titles, (title) => title.type)) {
      for (const [language, titleOrder] of [...indexes[type].titleOrders]) {
        const loadNames = (ids: number[]) => selectSortNames(this.#db, language, { ids })
        const sortNames = await loadNames(typeTitles.map(({ title_id }) => title_id))
        for (const [titleId, place] of await titleOrder.findPlaces(sortNames, loadNames))
          placesByTitleId.get(titleId)?.set(language, place)
      }
    }
    return placesByTitleId
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

async function loadIdsInTitleOrder(db: Database['reader'], type: TitleType): Promise<Uint32Array> {
  let titleIds = new Uint32Array(TITLES_PER_PAGE)
  let idCount = 0
  for (let afterRow: { sort_title: string; title_id: number } | null = null; ; ) {
    const rows = await selectTitlesAlphabetically(db, type, { after: afterRow, limit: TITLES_PER_PAGE })
    const lastRow = rows.at(-1)
    if (!lastRow) return titleIds.subarray(0, idCount)
    if (idCount + rows.length > titleIds.length) titleIds = growArray(titleIds, idCount + rows.length)
    for (const row of rows) titleIds[idCount++] = row.title_id
    afterRow = lastRow
    await setImmediate()
  }
}
