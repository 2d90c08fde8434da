/**
 * Feeds the browse index of each type from the database, and keeps it at what the catalogue says: every change is noted by
 * the database itself (`catalogue_change`), and the notes since the last look are read before a list is answered.
 */
import { setImmediate } from 'node:timers/promises'
import { MOVIE_GENRES, TV_GENRES } from '../../src/lib/rules/genres.ts'
import { NETWORKS } from '../../src/lib/rules/limits.ts'
import { BrowseIndex } from '../browse/browse-index.ts'
import type { BrowseAnswer, BrowseRequest } from '../browse/types.ts'
import type { Database } from '../db/open.ts'
import { browseTitles, idsByTitle, lastChange, titleBefore, titleChanges } from '../queries/browse.ts'
import type { TitleType } from '../queries/catalogue.ts'

const PAGE = 500
/** More changes than these at once: everything is read anew, behind the requests. */
const AT_ONCE_MOST = 500
/** PostgreSQL commits out of order: notes this old are looked at again. SQLite has one writer. */
const LATE_MS = { sqlite: 0, postgres: 15_000 }
/** Notes just before a load that are remembered as read; a larger import is read anew until it is this old. */
const REMEMBERED_MOST = 5_000
export interface Browse {
  /** Reads the titles into memory, which the first list would otherwise wait for. */
  warm(): Promise<void>
  page(type: TitleType, request: BrowseRequest): Promise<BrowseAnswer>
  /** Whether a title of one type (or, left out, of any) fits; use it before anything else is waited for. */
  fits(
    type: TitleType | undefined,
    asked: Pick<BrowseRequest, 'audience' | 'filters'>,
  ): Promise<(titleId: number) => boolean>
}

interface Loaded {
  movie: BrowseIndex
  tv: BrowseIndex
  /** Notes were read up to here, in ms. */
  until: number
  /** Revisions read of the notes that may be met again. */
  known: Map<number, number>
}

export function createBrowse({ kind, reader, primary }: Database): Browse {
  /** SQLite's reader sees what is committed at once and waits for no writer; a replica of PostgreSQL may lag. */
  const notes = kind === 'sqlite' ? reader : primary
  let loaded: Promise<Loaded> | null = null
  let reloading: Promise<void> | null = null
  let looking: Promise<void> | null = null

  async function refresh(state: Loaded): Promise<void> {
    const most = state.known.size + AT_ONCE_MOST + 1
    const changes = await titleChanges(notes, state.until - LATE_MS[kind], most)
    const news = changes.filter((one) => state.known.get(one.doc_id) !== one.revision)
    if (news.length > AT_ONCE_MOST) return reload()
    await rewrite(
      state,
      news.map((one) => one.doc_id / 2),
    )
    state.until = Math.max(state.until, changes.at(-1)?.changed_at ?? 0)
    state.known = new Map(changes.map((one) => [one.doc_id, one.revision]))
    for (const type of ['movie', 'tv'] as const) if (state[type].unsettled) await settle(state, type)
  }
  async function rewrite(state: Loaded, ids: number[]): Promise<void> {
    const titles = await browseTitles(notes, { ids })
    for (const title of titles) state[title.type].put(title, await titleBefore(notes, title))
    const there = new Set(titles.map((title) => title.title_id))
    for (const id of ids) {
      if (there.has(id)) continue
      state.movie.remove(id)
      state.tv.remove(id)
    }
  }
  async function settle(state: Loaded, type: TitleType, source = reader): Promise<void> {
    const moved = await state[type].settle(await allByTitle(source, type), async () => setImmediate())
    await rewrite(state, moved)
  }
  async function load(): Promise<Loaded> {
    const filterable = (genres: readonly number[]) => ({ genres, networks: NETWORKS })
    const until = await lastChange(notes)
    const recent = await titleChanges(notes, until - LATE_MS[kind], REMEMBERED_MOST)
    // Just imported: read where it was written, as a replica may lag, so that these notes need no second look.
    const imported = recent.length > AT_ONCE_MOST
    const source = imported ? notes : reader
    const state: Loaded = {
      movie: new BrowseIndex(filterable(MOVIE_GENRES)),
      tv: new BrowseIndex(filterable(TV_GENRES)),
      until,
      known: new Map(imported ? recent.map((one) => [one.doc_id, one.revision]) : []),
    }
    for (let after = 0; ; ) {
      const titles = await browseTitles(source, { after, limit: PAGE })
      const last = titles.at(-1)
      if (!last) break
      for (const title of titles) state[title.type].load(title)
      after = last.title_id
      await setImmediate()
    }
    for (const type of ['movie', 'tv'] as const) await settle(state, type, source)
    return state
  }
  /** The lists answer from what they had until the new state is whole. */
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
  async function fresh(): Promise<Loaded> {
    loaded ??= load().catch((error: unknown) => {
      loaded = null
      throw error
    })
    const state = await loaded
    if (reloading) return state
    // A look that began before this request may have missed what the caller has just done.
    if (looking) await looking
    looking ??= refresh(state).finally(() => {
      looking = null
    })
    await looking
    return state
  }
  return {
    async warm() {
      await fresh()
    },
    page: async (type, request) => (await fresh())[type].page(request),
    async fits(type, asked) {
      const state = await fresh()
      if (type) return state[type].fits(asked)
      const [movie, tv] = [state.movie.fits(asked), state.tv.fits(asked)]
      return (titleId) => movie(titleId) || tv(titleId)
    },
  }
}

async function allByTitle(db: Database['reader'], type: TitleType): Promise<number[]> {
  const ids: number[] = []
  for (let after: { sort_title: string; title_id: number } | null = null; ; ) {
    const rows = await idsByTitle(db, type, { after, limit: PAGE })
    for (const row of rows) ids.push(row.title_id)
    const last = rows.at(-1)
    if (!last) return ids
    after = last
    await setImmediate()
  }
}
