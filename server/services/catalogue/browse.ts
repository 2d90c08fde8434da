/**
 * Loads the browse index of each title type from the database and keeps it up to date. Database triggers record every change
 * in `catalogue_change`; before each request the changes since the last read are applied.
 */
import { setImmediate } from 'node:timers/promises'
import { MOVIE_GENRES, TV_GENRES } from '../../../src/lib/rules/genres.ts'
import { NETWORKS } from '../../../src/lib/rules/limits.ts'
import { BrowseIndex } from '../../browse/browse-index.ts'
import type { BrowseRequest, BrowseResult } from '../../browse/types.ts'
import type { Database } from '../../db/database.ts'
import {
  selectBrowseTitles,
  selectIdsInTitleOrder,
  selectLastCatalogueChangeMs,
  selectPreviousTitleId,
  selectTitleChanges,
} from '../../queries/browse.ts'
import type { TitleType } from '../../queries/title.ts'

const PAGE_SIZE = 500
/** Above this number of changes the whole index is reloaded in the background. */
const MAX_INCREMENTAL_CHANGES = 500
/** PostgreSQL may commit changes out of order, so changes of this period are read again. SQLite has one writer. */
const REREAD_PERIOD_MS = { sqlite: 0, postgres: 15_000 }
/** Changes just before a load that are remembered as applied, at most. */
const MAX_REMEMBERED_CHANGES = 5_000
export interface BrowseService {
  /** Loads the index into memory, so that the first request does not have to. */
  warm(): Promise<void>
  loadPage(type: TitleType, request: BrowseRequest): Promise<BrowseResult>
  /** Resolves to a predicate for ids of titles of `type` (of any type when undefined). Use it before awaiting anything else, because it reflects the index at that time. */
  loadFilter(
    type: TitleType | undefined,
    query: Pick<BrowseRequest, 'audience' | 'filters'>,
  ): Promise<(titleId: number) => boolean>
}

interface LoadedIndexes {
  movie: BrowseIndex
  tv: BrowseIndex
  /** Changes up to this time have been applied. */
  untilMs: number
  /** Applied revisions, by document, of the changes that may be read again. */
  appliedRevisions: Map<number, number>
}

export function createBrowseService({ kind, reader, primary }: Database): BrowseService {
  // The SQLite reader sees commits at once without waiting for writers; a PostgreSQL replica may lag.
  const changesDb = kind === 'sqlite' ? reader : primary
  let loaded: Promise<LoadedIndexes> | null = null
  let reloading: Promise<void> | null = null
  let refreshing: Promise<void> | null = null

  async function refresh(state: LoadedIndexes): Promise<void> {
    const limit = state.appliedRevisions.size + MAX_INCREMENTAL_CHANGES + 1
    const changes = await selectTitleChanges(changesDb, state.untilMs - REREAD_PERIOD_MS[kind], limit)
    const newChanges = changes.filter(
      (change) => state.appliedRevisions.get(change.doc_id) !== change.revision,
    )
    if (newChanges.length > MAX_INCREMENTAL_CHANGES) return reload()
    await reindexTitles(
      state,
      newChanges.map((change) => change.doc_id / 2),
    )
    state.untilMs = Math.max(state.untilMs, changes.at(-1)?.changed_at ?? 0)
    state.appliedRevisions = new Map(changes.map((change) => [change.doc_id, change.revision]))
    for (const type of ['movie', 'tv'] as const)
      if (state[type].needsRebuild) await applyTitleOrder(state, type)
  }
  async function reindexTitles(state: LoadedIndexes, ids: number[]): Promise<void> {
    const titles = await selectBrowseTitles(changesDb, { ids })
    for (const title of titles)
      state[title.type].upsertTitle(title, await selectPreviousTitleId(changesDb, title))
    const foundIds = new Set(titles.map((title) => title.title_id))
    for (const id of ids) {
      if (foundIds.has(id)) continue
      state.movie.removeTitle(id)
      state.tv.removeTitle(id)
    }
  }
  async function applyTitleOrder(state: LoadedIndexes, type: TitleType, db = reader): Promise<void> {
    const movedIds = await state[type].rebuildOrders(await loadIdsByTitle(db, type), async () =>
      setImmediate(),
    )
    await reindexTitles(state, movedIds)
  }
  async function load(): Promise<LoadedIndexes> {
    const filterValues = (genres: readonly number[]) => ({ genres, networks: NETWORKS })
    const untilMs = await selectLastCatalogueChangeMs(changesDb)
    const recentChanges = await selectTitleChanges(
      changesDb,
      untilMs - REREAD_PERIOD_MS[kind],
      MAX_REMEMBERED_CHANGES,
    )
    // After a large import, read from the primary: a replica may lag, and then the changes would have to be read again.
    const isAfterImport = recentChanges.length > MAX_INCREMENTAL_CHANGES
    const db = isAfterImport ? changesDb : reader
    const state: LoadedIndexes = {
      movie: new BrowseIndex(filterValues(MOVIE_GENRES)),
      tv: new BrowseIndex(filterValues(TV_GENRES)),
      untilMs,
      appliedRevisions: new Map(
        isAfterImport ? recentChanges.map((change) => [change.doc_id, change.revision]) : [],
      ),
    }
    for (let after = 0; ; ) {
      const titles = await selectBrowseTitles(db, { after, limit: PAGE_SIZE })
      const last = titles.at(-1)
      if (!last) break
      for (const title of titles) state[title.type].loadTitle(title)
      after = last.title_id
      await setImmediate()
    }
    for (const type of ['movie', 'tv'] as const) await applyTitleOrder(state, type, db)
    return state
  }
  /** Requests use the previous index until the new one is complete. */
  function reload(): void {
    reloading ??= load()
      .then((state) => {
        loaded = Promise.resolve(state)
      })
      .catch(() => {})
      .finally(() => {
        reloading = null
      })
  }
  async function loadCurrent(): Promise<LoadedIndexes> {
    loaded ??= load().catch((error: unknown) => {
      loaded = null
      throw error
    })
    const state = await loaded
    if (reloading) return state
    // A refresh that began before this request may have missed a change that the caller has just made.
    if (refreshing) await refreshing
    refreshing ??= refresh(state).finally(() => {
      refreshing = null
    })
    await refreshing
    return state
  }
  return {
    async warm() {
      await loadCurrent()
    },
    loadPage: async (type, request) => (await loadCurrent())[type].findPage(request),
    async loadFilter(type, query) {
      const state = await loadCurrent()
      if (type) return state[type].createMatcher(query)
      const [movie, tv] = [state.movie.createMatcher(query), state.tv.createMatcher(query)]
      return (titleId) => movie(titleId) || tv(titleId)
    },
  }
}

async function loadIdsByTitle(db: Database['reader'], type: TitleType): Promise<number[]> {
  const ids: number[] = []
  for (let after: { sort_title: string; title_id: number } | null = null; ; ) {
    const rows = await selectIdsInTitleOrder(db, type, { after, limit: PAGE_SIZE })
    for (const row of rows) ids.push(row.title_id)
    const last = rows.at(-1)
    if (!last) return ids
    after = last
    await setImmediate()
  }
}
