/**
 * Finds documents of the last rebuild. Frequent tokens and prefixes have posting lists, whose documents are intersected and
 * filtered by audience without reading rows; rare ones are looked up in FTS5. Documents that have changed since are left out.
 */
import type { DatabaseSync } from 'node:sqlite'
import {
  createPostingList,
  decodePostingList,
  getSizeBytes,
  hasBit,
  intersectLists,
  type PostingList,
  setBit,
  uniteLists,
  visitRanks,
} from './posting-list.ts'
import { getDocId, getKind } from './slot.ts'
import { getKindOfTable, getPrefixLengths, toPrefixToken } from './sqlite-base-build.ts'
import { findFtsSlots } from './sqlite-fts.ts'
import { getBaseTable, type SearchTable } from './sqlite-schema.ts'
import { PrefixExpander } from './sqlite-terms.ts'
import type { PrepareStatement } from './sqlite-write.ts'
import {
  type IndexState,
  type SearchKind,
  searchKinds,
  type TableSet,
  type TokenExpression,
} from './types.ts'

type IsVisible = (docId: number) => boolean
type Token = Extract<TokenExpression, { token: string }>

/** Maximum memory of the cached posting lists. */
const MAX_CACHE_BYTES = 16_000_000
/** Memory of a cached list besides its ranks. */
const CACHE_ENTRY_BYTES = 200
/** Maximum number of rare tokens in one query of FTS5. */
const MAX_QUERY_TOKENS = 200

/** The documents of one kind. */
class BaseKind {
  readonly slots: Float64Array
  /** Documents that have changed or were removed since the rebuild; null without any. */
  changed: Uint32Array | null = null
  /** One entry per audience; ends with the predicate, which holds the catalogue in memory. */
  readonly #audiences = new WeakMap<IsVisible, VisibleRanks>()

  constructor(slots: Float64Array) {
    this.slots = slots
  }

  /** Returns the ranks of ascending slots. Slots that are not among the documents have none. */
  findRanks(foundSlots: readonly number[]): number[] {
    const ranks: number[] = []
    let from = 0
    for (const slot of foundSlots) {
      from = this.#findPosition(slot, from)
      if (this.slots[from] === slot) ranks.push(from)
    }
    return ranks
  }

  /** Returns the position of the first slot that is at least `slot`. */
  #findPosition(slot: number, from: number): number {
    let [low, high] = [from, this.slots.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.slots[middle] as number) < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  markChanged(slot: number): void {
    const [rank] = this.findRanks([slot])
    if (rank === undefined) return
    this.changed ??= new Uint32Array((this.slots.length + 31) >>> 5)
    setBit(this.changed, rank)
  }

  getVisibleRanks(isVisible: IsVisible): VisibleRanks {
    const knownRanks = this.#audiences.get(isVisible)
    if (knownRanks) return knownRanks
    const visibleRanks = new VisibleRanks(this.slots, isVisible)
    this.#audiences.set(isVisible, visibleRanks)
    return visibleRanks
  }
}

/** Which documents an audience may see. Each document is asked for once. */
class VisibleRanks {
  readonly #slots: Float64Array
  readonly #isVisible: IsVisible
  readonly #known: Uint32Array
  readonly #visible: Uint32Array

  constructor(slots: Float64Array, isVisible: IsVisible) {
    this.#slots = slots
    this.#isVisible = isVisible
    this.#known = new Uint32Array((slots.length + 31) >>> 5)
    this.#visible = new Uint32Array(this.#known.length)
  }

  has(rank: number): boolean {
    if (hasBit(this.#known, rank)) return hasBit(this.#visible, rank)
    setBit(this.#known, rank)
    const isVisible = this.#isVisible(getDocId(this.#slots[rank] as number))
    if (isVisible) setBit(this.#visible, rank)
    return isVisible
  }
}

const countTokens = (expression: TokenExpression): number =>
  'token' in expression
    ? 1
    : ('all' in expression ? expression.all : expression.any).reduce(
        (sum, part) => sum + countTokens(part),
        0,
      )

export class SqliteBase {
  readonly #sql: PrepareStatement
  readonly #tableSet: TableSet
  readonly #expander: PrefixExpander
  readonly #kinds: Record<SearchKind, BaseKind>
  /** Posting lists by table and token; null for rare tokens. The most recently used ones come last. */
  readonly #lists = new Map<string, PostingList | null>()
  #cachedBytes = 0
  #lastChangeId = 0
  #version = 0

  constructor(db: DatabaseSync, sql: PrepareStatement, tableSet: TableSet) {
    this.#sql = sql
    this.#tableSet = tableSet
    this.#expander = new PrefixExpander(db, sql)
    const readSlots = (kind: SearchKind) => {
      const row = sql(`SELECT slots FROM search_slot_${tableSet} WHERE kind = ?`).get(kind)
      return new Float64Array((row?.['slots'] as Uint8Array | undefined)?.slice().buffer ?? [])
    }
    const [movie, tv, actor] = searchKinds.map((kind) => new BaseKind(readSlots(kind)))
    this.#kinds = { movie, tv, actor } as Record<SearchKind, BaseKind>
  }

  /** Returns the first `limit` slots that match, and that the audience may see. */
  findSlots(
    table: SearchTable,
    expression: TokenExpression,
    { limit, isVisible }: { limit: number; isVisible?: IsVisible | undefined },
  ): number[] {
    const kind = this.#kinds[getKindOfTable(table)]
    const visibleRanks = isVisible && kind.getVisibleRanks(isVisible)
    const found: number[] = []
    visitRanks(this.#evaluate(table, expression), kind.changed, (rank) => {
      if (!visibleRanks || visibleRanks.has(rank)) found.push(kind.slots[rank] as number)
      return found.length < limit
    })
    return found
  }

  /** Leaves out the documents that have changed until `state`. */
  applyChanges({ version }: IndexState): void {
    if (version === this.#version) return
    this.#version = version
    const text = `SELECT change_id, slot FROM search_changed_${this.#tableSet} WHERE change_id > ? ORDER BY change_id`
    const rows = this.#sql(text).all(this.#lastChangeId) as { change_id: number; slot: number }[]
    for (const { slot } of rows) this.#kinds[getKind(slot)].markChanged(slot)
    this.#lastChangeId = rows.at(-1)?.change_id ?? this.#lastChangeId
  }

  #evaluate(table: SearchTable, expression: TokenExpression): PostingList {
    if ('token' in expression) return this.#evaluateAny(table, [expression])
    if ('any' in expression) return this.#evaluateAny(table, expression.any)
    const lists: PostingList[] = []
    // Few tokens come first, because most lookups of several words end there without a match.
    for (const part of expression.all.toSorted((a, b) => countTokens(a) - countTokens(b))) {
      const list = this.#evaluate(table, part)
      if (list.ranks?.length === 0) return list
      lists.push(list)
    }
    return intersectLists(lists)
  }

  #evaluateAny(table: SearchTable, parts: readonly TokenExpression[]): PostingList {
    const lists: PostingList[] = []
    const rareTokens: Token[] = []
    const addPart = (part: TokenExpression) => {
      if ('any' in part) for (const alternative of part.any) addPart(alternative)
      else if ('all' in part) lists.push(this.#evaluate(table, part))
      else addToken(part)
    }
    const addToken = (token: Token) => {
      const list = this.#readStoredList(table, token)
      if (list) lists.push(list)
      else if (!token.prefix || getPrefixLengths(table).includes(token.token.length)) rareTokens.push(token)
      else {
        const expanded = this.#expandPrefix(table, token)
        if ('any' in expanded) addPart(expanded)
        else rareTokens.push(token)
      }
    }
    for (const part of parts) addPart(part)
    for (let from = 0; from < rareTokens.length; from += MAX_QUERY_TOKENS)
      lists.push(this.#findRareTokens(table, rareTokens.slice(from, from + MAX_QUERY_TOKENS)))
    return uniteLists(lists, this.#kinds[getKindOfTable(table)].slots.length)
  }

  #expandPrefix(table: SearchTable, token: Token): TokenExpression {
    // The base is the same until the next rebuild, and so are its terms.
    return this.#expander.expand(getBaseTable(table, this.#tableSet), token, {
      maxStoredPrefix: 0,
      state: this.#tableSet,
    })
  }

  #readStoredList(table: SearchTable, { token, prefix }: Token): PostingList | null {
    const storedToken = prefix ? toPrefixToken(token) : token
    return this.#getCached(`${table} ${storedToken}`, () => {
      const text = `SELECT ranks FROM search_posting_${this.#tableSet} WHERE name = ? AND token = ?`
      const row = this.#sql(text).get(table, storedToken)
      if (!row) return null
      return decodePostingList(row['ranks'] as Uint8Array, this.#kinds[getKindOfTable(table)].slots.length)
    })
  }

  #findRareTokens(table: SearchTable, tokens: readonly Token[]): PostingList {
    const kind = this.#kinds[getKindOfTable(table)]
    const key = `${table}? ${tokens.map(({ token, prefix }) => (prefix ? toPrefixToken(token) : token)).join('|')}`
    const list = this.#getCached(key, () => {
      const expression = { any: [...tokens] }
      const slots = findFtsSlots(this.#sql, getBaseTable(table, this.#tableSet), { expression, limit: -1 })
      return createPostingList(Uint32Array.from(kind.findRanks(slots)), kind.slots.length)
    })
    return list ?? createPostingList(new Uint32Array(), kind.slots.length)
  }

  #getCached(key: string, read: () => PostingList | null): PostingList | null {
    const cached = this.#lists.get(key)
    if (cached !== undefined) {
      this.#lists.delete(key)
      this.#lists.set(key, cached)
      return cached
    }
    const list = read()
    const getBytes = (cachedList: PostingList | null) =>
      CACHE_ENTRY_BYTES + (cachedList ? getSizeBytes(cachedList) : 0)
    this.#lists.set(key, list)
    this.#cachedBytes += getBytes(list)
    for (const [oldKey, oldList] of this.#lists) {
      if (this.#cachedBytes <= MAX_CACHE_BYTES) break
      this.#lists.delete(oldKey)
      this.#cachedBytes -= getBytes(oldList)
    }
    return list
  }
}
