/** Writes the posting lists of a rebuild. Reads the documents of each token from the FTS5 tables of this rebuild. */
import type { DatabaseSync } from 'node:sqlite'
import { growArray } from '../core/grow-array.ts'
import { createPostingList, encodePostingList } from './posting-list.ts'
import { getSlotRange } from './slot.ts'
import { getBaseTable, getPostingTable, type SearchTable, searchTables } from './sqlite-schema.ts'
import { createTermsTable } from './sqlite-terms.ts'
import { type PrepareStatement, runStatement } from './sqlite-write.ts'
import { type SearchKind, searchKinds, type TableSet } from './types.ts'

/** A prefix with fewer documents than this has no posting list, because uniting the lists of its tokens is fast. */
const MIN_PREFIX_DOCUMENTS = 32
/** Lengths of those prefixes of name tokens that have a posting list. */
const NAME_PREFIX_LENGTHS = [1, 2, 3, 4, 5]
/**
 * Lengths of those prefixes of topic tokens that have a posting list. A topic token is a special character followed by
 * a word. A word is looked up as a prefix only if it has four or more letters, so the shortest prefix that is looked up
 * has five characters.
 */
const TOPIC_PREFIX_LENGTHS = [5, 6]

export const getKindOfTable = (table: SearchTable): SearchKind =>
  table === 'topic_movie' ? 'movie' : table === 'topic_tv' ? 'tv' : table
const getPrefixLengths = (table: SearchTable) =>
  table === 'topic_movie' || table === 'topic_tv' ? TOPIC_PREFIX_LENGTHS : NAME_PREFIX_LENGTHS
export const toPrefixToken = (prefix: string) => `${prefix}*`

type PostingListTarget = {
  prepare: PrepareStatement
  tableSet: TableSet
  table: SearchTable
  documentCount: number
}

function insertPostingList(
  { prepare, tableSet, table, documentCount }: PostingListTarget,
  token: string,
  ranks: Uint32Array,
): void {
  const bytes = encodePostingList(createPostingList(ranks, documentCount), documentCount)
  runStatement(prepare, `INSERT INTO ${getPostingTable(table, tableSet)} VALUES (?, ?)`, token, bytes)
}

/**
 * Collects the documents of all tokens with the same prefix, and writes their list when another prefix
 * follows. Tokens must be added in sorted order.
 */
class PrefixCollector {
  readonly #target: PostingListTarget
  readonly #length: number
  #prefix = ''
  #ranks = new Uint32Array(1_024)
  #count = 0

  constructor(target: PostingListTarget, length: number) {
    this.#target = target
    this.#length = length
  }

  add(token: string, ranks: Uint32Array): void {
    const prefix = token.slice(0, this.#length)
    if (prefix !== this.#prefix) this.finish()
    this.#prefix = prefix
    if (prefix.length < this.#length) return
    const neededRankCount = this.#count + ranks.length
    if (neededRankCount > this.#ranks.length) this.#ranks = growArray(this.#ranks, neededRankCount)
    this.#ranks.set(ranks, this.#count)
    this.#count = neededRankCount
  }

  finish(): void {
    // A prefix that ends within a surrogate pair is not valid text.
    if (this.#count >= MIN_PREFIX_DOCUMENTS && this.#prefix.isWellFormed())
      insertPostingList(this.#target, toPrefixToken(this.#prefix), this.#ranks.subarray(0, this.#count))
    this.#count = 0
  }
}

/**
 * Returns the rank of each found slot, which is the index of the slot in `slots`. Uses exponential search. Both lists
 * are ascending, and `slots` must contain every found slot.
 */
function toRanks(foundSlots: readonly number[], slots: Float64Array): Uint32Array {
  const ranks = new Uint32Array(foundSlots.length)
  let low = 0
  for (const [index, slot] of foundSlots.entries()) {
    let step = 1
    while (low + step < slots.length && (slots[low + step] as number) <= slot) step *= 2
    let high = Math.min(slots.length, low + step)
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((slots[middle] as number) <= slot) low = middle
      else high = middle
    }
    ranks[index] = low
  }
  return ranks
}

function writePostingLists(db: DatabaseSync, target: PostingListTarget, slots: Float64Array): void {
  const { prepare, tableSet, table } = target
  const termInstanceTable = createTermsTable(db, getBaseTable(table, tableSet), 'instance')
  const collectors = getPrefixLengths(table).map((length) => new PrefixCollector(target, length))
  // FTS5 returns the terms in ascending order, and the documents of each term in ascending order.
  const rows = prepare(
    `SELECT term, json_group_array(doc) AS slots FROM ${termInstanceTable} GROUP BY term`,
  ).iterate()
  for (const row of rows as Iterable<{ term: string; slots: string }>) {
    const ranks = toRanks(JSON.parse(row.slots) as number[], slots)
    insertPostingList(target, row.term, ranks)
    for (const collector of collectors) collector.add(row.term, ranks)
  }
  for (const collector of collectors) collector.finish()
}

/** Writes the slots and the posting lists of one set of tables. */
export function writeBase(db: DatabaseSync, prepare: PrepareStatement, tableSet: TableSet): void {
  for (const kind of searchKinds) {
    const range = getSlotRange({ kind, isKidsOnly: false })
    const sqlText = `SELECT json_group_array(slot) AS slots FROM
      (SELECT slot FROM search_doc_${tableSet} WHERE slot BETWEEN ? AND ? ORDER BY slot)`
    const row = prepare(sqlText).get(...range) as { slots: string }
    const slots = Float64Array.from(JSON.parse(row.slots) as number[])
    runStatement(
      prepare,
      `INSERT INTO search_slot_${tableSet} VALUES (?, ?)`,
      kind,
      new Uint8Array(slots.buffer),
    )
    for (const table of searchTables)
      if (getKindOfTable(table) === kind)
        writePostingLists(db, { prepare, tableSet, table, documentCount: slots.length }, slots)
  }
}
