/**
 * Finds documents in the posting lists of the last rebuild. Lists are united, intersected and filtered by audience
 * without reading the rows of the documents. Documents that have changed since the rebuild are left out.
 */
import {
  decodePostingList,
  EMPTY_POSTING_LIST,
  hasBit,
  intersectPostingLists,
  type PostingList,
  setBit,
  unitePostingLists,
  visitRanks,
} from './posting-list.ts'
import { PostingListCache } from './posting-list-cache.ts'
import { getDocId, getSlotKind } from './slot.ts'
import { getKindOfTable, toPrefixToken } from './sqlite-base-build.ts'
import { getPostingTable, type SearchTable } from './sqlite-schema.ts'
import type { PrepareStatement } from './sqlite-write.ts'
import {
  type IndexState,
  type SearchKind,
  searchKinds,
  type TableSet,
  type TokenExpression,
} from './types.ts'

type IsVisible = (docId: number) => boolean
type SearchToken = Extract<TokenExpression, { token: string }>
type StoredPostingList = { token: string; ranks: Uint8Array }

/** Maximum memory of the cached lists of tokens. */
const MAX_LIST_BYTES = 32_000_000
/**
 * Maximum memory of the cached unions. Unions have a cache of their own: a union is either needed again soon or never,
 * so it must not displace the lists of tokens.
 */
const MAX_UNION_BYTES = 4_000_000

/** The documents of one kind. */
class KindDocuments {
  readonly slots: Float64Array
  /** Bitmap of the ranks of documents that have changed or were removed since the rebuild; null when there are none. */
  changedBitmap: Uint32Array | null = null
  /**
   * One entry per audience, with the predicate of the audience as key. The map is weak, because the predicate keeps
   * catalogue data in memory.
   */
  readonly #visibleRanksByAudience = new WeakMap<IsVisible, VisibleRanks>()

  constructor(slots: Float64Array) {
    this.slots = slots
  }

  /**
   * Returns the ranks of `foundSlots`, which must be ascending. Slots that are not part of the last rebuild are left
   * out.
   */
  findRanks(foundSlots: readonly number[]): number[] {
    const ranks: number[] = []
    let rank = 0
    for (const slot of foundSlots) {
      rank = this.#findPosition(slot, rank)
      if (this.slots[rank] === slot) ranks.push(rank)
    }
    return ranks
  }

  /** Returns the index of the first slot that is at least `slot`. The search starts at the index `startRank`. */
  #findPosition(slot: number, startRank: number): number {
    let [low, high] = [startRank, this.slots.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.slots[middle] as number) < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  markSlotChanged(slot: number): void {
    const [rank] = this.findRanks([slot])
    if (rank === undefined) return
    this.changedBitmap ??= new Uint32Array((this.slots.length + 31) >>> 5)
    setBit(this.changedBitmap, rank)
  }

  getVisibleRanks(isVisible: IsVisible): VisibleRanks {
    const cachedRanks = this.#visibleRanksByAudience.get(isVisible)
    if (cachedRanks) return cachedRanks
    const visibleRanks = new VisibleRanks(this.slots, isVisible)
    this.#visibleRanksByAudience.set(isVisible, visibleRanks)
    return visibleRanks
  }
}

/** Caches which documents an audience may see. Calls `isVisible` only once for each document. */
class VisibleRanks {
  readonly #slots: Float64Array
  readonly #isVisible: IsVisible
  readonly #knownBitmap: Uint32Array
  readonly #visibleBitmap: Uint32Array

  constructor(slots: Float64Array, isVisible: IsVisible) {
    this.#slots = slots
    this.#isVisible = isVisible
    this.#knownBitmap = new Uint32Array((slots.length + 31) >>> 5)
    this.#visibleBitmap = new Uint32Array(this.#knownBitmap.length)
  }

  has(rank: number): boolean {
    if (hasBit(this.#knownBitmap, rank)) return hasBit(this.#visibleBitmap, rank)
    setBit(this.#knownBitmap, rank)
    const isVisible = this.#isVisible(getDocId(this.#slots[rank] as number))
    if (isVisible) setBit(this.#visibleBitmap, rank)
    return isVisible
  }
}

const toStoredToken = ({ token, prefix }: SearchToken) => (prefix ? toPrefixToken(token) : token)

const countTokens = (expression: TokenExpression): number =>
  'token' in expression
    ? 1
    : ('all' in expression ? expression.all : expression.any).reduce(
        (sum, part) => sum + countTokens(part),
        0,
      )

export class SqliteBase {
  readonly #prepare: PrepareStatement
  readonly #tableSet: TableSet
  readonly #documentsByKind: Record<SearchKind, KindDocuments>
  /** Posting lists of single tokens. The key is the table and the token. */
  readonly #lists = new PostingListCache(MAX_LIST_BYTES)
  /** Unions of the posting lists of several tokens. The key is the table and the tokens. */
  readonly #unions = new PostingListCache(MAX_UNION_BYTES)
  #lastChangeId = 0
  #version = 0

  constructor(prepare: PrepareStatement, tableSet: TableSet) {
    this.#prepare = prepare
    this.#tableSet = tableSet
    const readSlots = (kind: SearchKind) => {
      const row = prepare(`SELECT slots FROM search_slot_${tableSet} WHERE kind = ?`).get(kind)
      return new Float64Array((row?.['slots'] as Uint8Array | undefined)?.slice().buffer ?? [])
    }
    const [movie, tv, actor] = searchKinds.map((kind) => new KindDocuments(readSlots(kind)))
    this.#documentsByKind = { movie, tv, actor } as Record<SearchKind, KindDocuments>
  }

  /** Returns the first `limit` slots of documents that match the expression and that the audience may see. */
  findSlots(
    table: SearchTable,
    expression: TokenExpression,
    { limit, isVisible }: { limit: number; isVisible?: IsVisible | undefined },
  ): number[] {
    const kind = this.#documentsByKind[getKindOfTable(table)]
    const visibleRanks = isVisible && kind.getVisibleRanks(isVisible)
    const foundSlots: number[] = []
    visitRanks(this.#evaluate(table, expression), kind.changedBitmap, (rank) => {
      if (!visibleRanks || visibleRanks.has(rank)) foundSlots.push(kind.slots[rank] as number)
      return foundSlots.length < limit
    })
    return foundSlots
  }

  /**
   * Excludes the documents that changed after the rebuild, up to the version of the given state, from all later
   * lookups.
   */
  applyChanges({ version }: IndexState): void {
    if (version === this.#version) return
    this.#version = version
    const sqlText = `SELECT change_id, slot FROM search_changed_${this.#tableSet} WHERE change_id > ? ORDER BY change_id`
    const rows = this.#prepare(sqlText).all(this.#lastChangeId) as { change_id: number; slot: number }[]
    for (const { slot } of rows) this.#documentsByKind[getSlotKind(slot)].markSlotChanged(slot)
    this.#lastChangeId = rows.at(-1)?.change_id ?? this.#lastChangeId
  }

  #evaluate(table: SearchTable, expression: TokenExpression): PostingList {
    if ('token' in expression) return this.#evaluateAny(table, [expression])
    if ('any' in expression) return this.#evaluateAny(table, expression.any)
    const lists: PostingList[] = []
    // Parts with few tokens are evaluated first. Most lookups of several words end at such a part, because it has no
    // match.
    for (const part of expression.all.toSorted((a, b) => countTokens(a) - countTokens(b))) {
      const list = this.#evaluate(table, part)
      if (list.ranks?.length === 0) return list
      lists.push(list)
    }
    return intersectPostingLists(lists)
  }

  #evaluateAny(table: SearchTable, parts: readonly TokenExpression[]): PostingList {
    const lists: PostingList[] = []
    const tokens: SearchToken[] = []
    const addPart = (part: TokenExpression) => {
      if ('any' in part) for (const alternative of part.any) addPart(alternative)
      else if ('all' in part) lists.push(this.#evaluate(table, part))
      else tokens.push(part)
    }
    for (const part of parts) addPart(part)
    if (tokens.length > 0) lists.push(this.#findDocumentsWithAnyToken(table, tokens))
    return unitePostingLists(lists, this.#countDocuments(table))
  }

  /**
   * Returns the documents that have any of the tokens. The result is cached, because each further typed letter looks
   * up mostly the same similar words again.
   */
  #findDocumentsWithAnyToken(table: SearchTable, tokens: readonly SearchToken[]): PostingList {
    const key = `${table} ${tokens.map(toStoredToken).join(' ')}`
    const cachedList = this.#unions.get(key)
    if (cachedList) return cachedList
    const list = unitePostingLists(this.#readLists(table, tokens), this.#countDocuments(table))
    // The list of a single token was already cached by `#readLists`.
    if (tokens.length > 1) this.#unions.add(key, list)
    return list
  }

  /** Returns the list of each token, in no particular order. One statement reads all lists that are not cached. */
  #readLists(table: SearchTable, tokens: readonly SearchToken[]): PostingList[] {
    const lists: PostingList[] = []
    const missingTokens = new Map<string, SearchToken>()
    for (const token of tokens) {
      const list = this.#lists.get(`${table} ${toStoredToken(token)}`)
      if (list) lists.push(list)
      else missingTokens.set(toStoredToken(token), token)
    }
    if (missingTokens.size === 0) return lists
    const sqlText = `SELECT token, ranks FROM ${getPostingTable(table, this.#tableSet)}
      WHERE token IN (SELECT value FROM json_each(?))`
    const rows = this.#prepare(sqlText).all(JSON.stringify([...missingTokens.keys()])) as StoredPostingList[]
    const bytesByToken = new Map(rows.map(({ token, ranks }) => [token, ranks]))
    for (const [storedToken, { token, prefix }] of missingTokens) {
      const bytes = bytesByToken.get(storedToken)
      const list = bytes
        ? this.#decode(table, bytes)
        : prefix
          ? this.#readPrefix(table, token)
          : EMPTY_POSTING_LIST
      this.#lists.add(`${table} ${storedToken}`, list)
      lists.push(list)
    }
    return lists
  }

  /**
   * Returns the union of the lists of all tokens that begin with `prefix`. Used for a prefix that has no stored list.
   */
  #readPrefix(table: SearchTable, prefix: string): PostingList {
    const sqlText = `SELECT token, ranks FROM ${getPostingTable(table, this.#tableSet)} WHERE token >= ? AND token < ?`
    const rows = this.#prepare(sqlText).all(prefix, `${prefix}\u{10ffff}`) as StoredPostingList[]
    const lists = rows.map(({ ranks }) => this.#decode(table, ranks))
    return unitePostingLists(lists, this.#countDocuments(table))
  }

  #decode(table: SearchTable, bytes: Uint8Array): PostingList {
    return decodePostingList(bytes, this.#countDocuments(table))
  }

  #countDocuments(table: SearchTable): number {
    return this.#documentsByKind[getKindOfTable(table)].slots.length
  }
}
