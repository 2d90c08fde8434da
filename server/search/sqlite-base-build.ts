/** Writes the posting lists of a rebuild from its FTS5 tables, which list the documents of each token in order. */
import type { DatabaseSync } from 'node:sqlite'
import { createPostingList, encodePostingList } from './posting-list.ts'
import { getSlotRange } from './slot.ts'
import { getBaseTable, getPostingTable, type SearchTable, searchTables } from './sqlite-schema.ts'
import { createTermsTable } from './sqlite-terms.ts'
import { type PrepareStatement, runStatement } from './sqlite-write.ts'
import { type SearchKind, searchKinds, type TableSet } from './types.ts'

/** Prefixes of fewer documents have no list, because the lists of their tokens are united quickly. */
const MIN_PREFIX_DOCUMENTS = 32
/** Lengths of the prefixes that have a list. Topics begin with a sign, and only words of four letters on are completed. */
const NAME_PREFIXES = [1, 2, 3, 4, 5]
const TOPIC_PREFIXES = [5, 6]

export const getKindOfTable = (table: SearchTable): SearchKind =>
  table === 'topic_movie' ? 'movie' : table === 'topic_tv' ? 'tv' : table
const getPrefixLengths = (table: SearchTable) =>
  table === 'topic_movie' || table === 'topic_tv' ? TOPIC_PREFIXES : NAME_PREFIXES
export const toPrefixToken = (prefix: string) => `${prefix}*`

type Target = { sql: PrepareStatement; tableSet: TableSet; table: SearchTable; documents: number }

function insertList({ sql, tableSet, table, documents }: Target, token: string, ranks: Uint32Array): void {
  const bytes = encodePostingList(createPostingList(ranks, documents), documents)
  runStatement(sql, `INSERT INTO ${getPostingTable(table, tableSet)} VALUES (?, ?)`, token, bytes)
}

/** Collects the documents of the tokens that begin with one prefix after another. */
class PrefixCollector {
  readonly #target: Target
  readonly #length: number
  #prefix = ''
  #ranks = new Uint32Array(1_024)
  #count = 0

  constructor(target: Target, length: number) {
    this.#target = target
    this.#length = length
  }

  add(token: string, ranks: Uint32Array): void {
    const prefix = token.slice(0, this.#length)
    if (prefix !== this.#prefix) this.finish()
    this.#prefix = prefix
    if (prefix.length < this.#length) return
    if (this.#count + ranks.length > this.#ranks.length) {
      const grown = new Uint32Array((this.#count + ranks.length) * 2)
      grown.set(this.#ranks.subarray(0, this.#count))
      this.#ranks = grown
    }
    this.#ranks.set(ranks, this.#count)
    this.#count += ranks.length
  }

  finish(): void {
    // A prefix that ends within a surrogate pair is not valid text.
    if (this.#count >= MIN_PREFIX_DOCUMENTS && this.#prefix.isWellFormed())
      insertList(this.#target, toPrefixToken(this.#prefix), this.#ranks.subarray(0, this.#count))
    this.#count = 0
  }
}

/** Returns the ranks of ascending slots, all of which must be among `slots`, by a search in growing steps. */
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

function writeLists(db: DatabaseSync, target: Target, slots: Float64Array): void {
  const { sql, tableSet, table } = target
  const instances = createTermsTable(db, getBaseTable(table, tableSet), 'instance')
  const collectors = getPrefixLengths(table).map((length) => new PrefixCollector(target, length))
  // FTS5 returns the terms in order, and the documents of each term in order.
  const rows = sql(`SELECT term, json_group_array(doc) AS slots FROM ${instances} GROUP BY term`).iterate()
  for (const row of rows as Iterable<{ term: string; slots: string }>) {
    const ranks = toRanks(JSON.parse(row.slots) as number[], slots)
    insertList(target, row.term, ranks)
    for (const collector of collectors) collector.add(row.term, ranks)
  }
  for (const collector of collectors) collector.finish()
}

/** Writes the slots and the posting lists of one set of tables. */
export function writeBase(db: DatabaseSync, sql: PrepareStatement, tableSet: TableSet): void {
  for (const kind of searchKinds) {
    const range = getSlotRange({ kind, kids: false })
    const text = `SELECT json_group_array(slot) AS slots FROM
      (SELECT slot FROM search_doc_${tableSet} WHERE slot BETWEEN ? AND ? ORDER BY slot)`
    const row = sql(text).get(...range) as { slots: string }
    const slots = Float64Array.from(JSON.parse(row.slots) as number[])
    runStatement(sql, `INSERT INTO search_slot_${tableSet} VALUES (?, ?)`, kind, new Uint8Array(slots.buffer))
    for (const table of searchTables)
      if (getKindOfTable(table) === kind)
        writeLists(db, { sql, tableSet, table, documents: slots.length }, slots)
  }
}
