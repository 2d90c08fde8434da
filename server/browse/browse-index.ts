/**
 * Every list of titles, at any size: columns in memory, filters as passes over them, orders kept sorted. Pure: who feeds it
 * is services/browse-index.ts. One index holds the titles of one type.
 */
import { Columns } from './columns.ts'
import { matchRows } from './match.ts'
import { KEYS, placesOf, sortedRows, walk } from './order.ts'
import { type Postings, postingsOf } from './postings.ts'
import type { RowSet } from './row-set.ts'
import { type BrowseAnswer, type BrowseRequest, type BrowseTitle, ORDERS, type Order } from './types.ts'

/** Rows kept apart before they are merged into the sorted bulk. */
const MOVED_MOST = 512
/** Rows written since the postings were made, which every filter looks at. */
const WRITTEN_MOST = 20_000
/** Answers to filters kept until something changes: one bit a title each. */
const KEPT_BYTES = 32_000_000
/** Rows that are cheaper to walk over than the matching ones are to gather; and matching ones that are gathered at most. */
const WALKED_MOST = 20_000
const GATHERED_MOST = 100_000

/** `from` and `to`: places among the rows that fit, the last one not included. */
interface Wanted {
  order: Order
  fits: (row: number) => boolean
  /** All rows that fit, ascending. */
  fitting: () => Uint32Array
  all: number
  from: number
  to: number
}

interface Filterable {
  genres: readonly number[]
  networks: readonly string[]
}

export class BrowseIndex {
  readonly #columns: Columns
  readonly #orders = new Map<Order, Uint32Array>()
  /** Rows that are new or changed their place, with the sort title and the number of the change. */
  readonly #moved = new Map<number, { title: string; change: number }>()
  #changes = 0
  readonly #sortedMoved = new Map<Order, number[]>()
  readonly #matches = new Map<string, RowSet>()
  #postings: Postings | null = null
  /** Rows that the postings may have wrong, with the number of the writing. */
  readonly #written = new Map<number, number>()
  #writings = 0

  constructor(filterable: Filterable) {
    this.#columns = new Columns(filterable)
  }

  get size(): number {
    return this.#columns.count
  }

  /** True when rows that moved should be settled. */
  get unsettled(): boolean {
    return this.#moved.size > MOVED_MOST || this.#written.size > WRITTEN_MOST
  }

  /** While loading: writes a title without a place in any order, which `settle` gives. */
  load(title: BrowseTitle): void {
    this.#columns.put(title)
  }

  /** Adds a title or writes it anew. `titleBefore`: the id of the one just before it by title, or null for the first. */
  put(title: BrowseTitle, titleBefore: number | null): void {
    const columns = this.#columns
    const row = columns.rowOf(title.title_id)
    const before = row === undefined ? null : this.#keysOf(row)
    const written = columns.put(title)
    this.#writings += 1
    this.#written.set(written, this.#writings)
    this.#matches.clear()
    const above = titleBefore === null ? undefined : columns.rowOf(titleBefore)
    const rank = above === undefined ? -1 : (columns.titleRanks[above] as number)
    // Those that came between the same two settled titles share a rank; their own titles tell them apart.
    if (before === null || !this.#justAbove(written, rank))
      columns.titleRanks[written] = Math.floor(rank) + 0.5
    if (before?.join() === this.#keysOf(written).join()) return
    this.#changes += 1
    this.#moved.set(written, { title: title.sort_title, change: this.#changes })
    this.#sortedMoved.clear()
  }

  remove(titleId: number): void {
    this.#columns.remove(titleId)
    this.#matches.clear()
  }

  /**
   * Sorts everything anew, an order at a time; `pause` lets other work in between. `byTitle`: all ids by title. Answers the
   * ids of titles that moved meanwhile: put them again, for their place among the titles may be another.
   */
  async settle(byTitle: readonly number[], pause: () => Promise<void>): Promise<number[]> {
    const columns = this.#columns
    const started = this.#changes
    const wrote = this.#writings
    this.#postings = await postingsOf(columns, pause)
    for (const [row, writing] of this.#written) if (writing <= wrote) this.#written.delete(row)
    for (const [rank, id] of byTitle.entries()) {
      const row = columns.rowOf(id)
      if (row !== undefined) columns.titleRanks[row] = rank
    }
    for (const order of ORDERS) this.#orders.set(order, await sortedRows(columns, KEYS[order], pause))
    for (const [row, { change }] of this.#moved) if (change <= started) this.#moved.delete(row)
    this.#sortedMoved.clear()
    this.#matches.clear()
    return [...this.#moved.keys()].map((row) => columns.ids[row] as number)
  }

  page({ audience, filters, without, only, order, offset, limit }: BrowseRequest): BrowseAnswer {
    const rows = this.#matching({ audience, filters }, order)
    const columns = this.#columns
    const left = this.#without(rows, without)
    const picked = only && this.#only(rows, only, left)
    const all = picked ? picked.size : rows.size - left.size
    if (offset >= all) return { ids: [], total: all }
    const fits = (row: number) => rows.has(row) && !left.has(row) && (!picked || picked.has(row))
    const plain = left.size === 0 && !picked
    const found = this.#rowsOf({
      order,
      fits: plain ? (row) => rows.has(row) : fits,
      fitting: () => (plain ? rows.rows() : rows.rows().filter(fits)),
      all,
      from: offset,
      to: Math.min(all, offset + limit),
    })
    return { ids: found.map((row) => columns.ids[row] as number), total: all }
  }

  /**
   * Some of the `all` rows that fit. Where many fit, those of a page are soon met on a walk in order; few, or ones that
   * the order has far down, are gathered and sorted.
   */
  #rowsOf({ order, fits, fitting, all, from, to }: Wanted): number[] {
    const met = (to * this.size) / all
    /* Titles that came between the same two have their places by name, which no key tells. */
    const gathers = all <= GATHERED_MOST && !(order.startsWith('title') && this.#moved.size > 0)
    if (!gathers || met <= WALKED_MOST) {
      const found: number[] = []
      let passed = 0
      let walked = 0
      this.#walk(order, (row) => {
        walked += 1
        if (fits(row)) {
          passed += 1
          if (passed > from) found.push(row)
        }
        return passed >= to || (gathers && walked >= 2 * WALKED_MOST)
      })
      if (passed >= to || !gathers) return found
    }
    return placesOf(this.#columns, KEYS[order], { rows: fitting(), from, to })
  }

  /** Whether a title fits: for who chooses among titles by other means. Holds until the next change. */
  fits(asked: Pick<BrowseRequest, 'audience' | 'filters'>): (titleId: number) => boolean {
    const rows = this.#matching(asked, 'popularity.desc')
    return (titleId) => {
      const row = this.#columns.rowOf(titleId)
      return row !== undefined && rows.has(row)
    }
  }

  /** Titles without a date are in no order by that date, and not counted there. */
  #matching(asked: Pick<BrowseRequest, 'audience' | 'filters'>, order: Order): RowSet {
    const dated = order.startsWith('release_date') || order.startsWith('newest_season')
    const key = JSON.stringify([asked, dated && order])
    const known = this.#matches.get(key)
    if (known) return known
    const day = order.startsWith('newest') ? this.#columns.seasons : this.#columns.releases
    const noted = this.#postings && { postings: this.#postings, written: this.#written.keys() }
    const answer = matchRows(this.#columns, asked, { dated: dated ? day : null, noted })
    if ((this.#matches.size + 1) * answer.bytes > KEPT_BYTES) this.#matches.clear()
    this.#matches.set(key, answer)
    return answer
  }

  #without(rows: RowSet, ids: ReadonlySet<number> | undefined): Set<number> {
    const left = new Set<number>()
    for (const id of ids ?? []) {
      const row = this.#columns.rowOf(id)
      if (row !== undefined && rows.has(row)) left.add(row)
    }
    return left
  }

  #only(rows: RowSet, ids: ReadonlySet<number>, left: Set<number>): Set<number> {
    const picked = new Set<number>()
    for (const id of ids) {
      const row = this.#columns.rowOf(id)
      if (row !== undefined && rows.has(row) && !left.has(row)) picked.add(row)
    }
    return picked
  }

  #walk(order: Order, visit: (row: number) => boolean): void {
    const base = this.#orders.get(order) ?? new Uint32Array()
    const has = (row: number) => this.#moved.has(row)
    walk(this.#columns, KEYS[order], { base, moved: { rows: this.#movedBy(order), has } }, visit)
  }

  /** Rows that moved, by the key of an order; equal titles' places by their sort title. */
  #movedBy(order: Order): number[] {
    const known = this.#sortedMoved.get(order)
    if (known) return known
    const key = KEYS[order]
    const columns = this.#columns
    const titleOf = (row: number) => this.#moved.get(row)?.title ?? ''
    const byTitle = (a: number, b: number) =>
      titleOf(a) < titleOf(b) ? -1 : titleOf(a) > titleOf(b) ? 1 : a - b
    const ties: Partial<Record<Order, typeof byTitle>> = {
      'title.asc': byTitle,
      'title.desc': (a, b) => byTitle(b, a),
    }
    const tie = ties[order] ?? ((a: number, b: number) => a - b)
    const rows = [...this.#moved.keys()].filter((row) => !Number.isNaN(key(columns, row)))
    rows.sort((a, b) => key(columns, a) - key(columns, b) || tie(a, b))
    this.#sortedMoved.set(order, rows)
    return rows
  }

  #keysOf(row: number): number[] {
    return ORDERS.map((order) => KEYS[order](this.#columns, row))
  }

  /** Whether a row still comes next after the one of `rank`. */
  #justAbove(row: number, rank: number): boolean {
    const own = this.#columns.titleRanks[row] as number
    return own > rank && own <= Math.floor(rank) + 1
  }
}
