/**
 * Keeps the search index at what the catalogue says. The database notes every change of a title or a person in the
 * transaction that makes it (`search_pending`), whoever makes it; here the notes are read and the documents written anew.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Database, Db } from '../db/open.ts'
import {
  castOf,
  countDocuments,
  countPending,
  idsAfter,
  markAllApplied,
  markApplied,
  pendingChanges,
  personDoc,
  titleDoc,
} from '../queries/search-index.ts'
import {
  indexSchema,
  indexState,
  rebuildIndex,
  removeDocs,
  upsertDocs,
  warmSearch,
} from '../search/engine.ts'
import { alone, aloneInTurn } from './lease.ts'
import { personDocs, titleDocs } from './search-docs.ts'

/** Changes read in one go; a search waits for one such batch, what is left is written behind it. */
const BATCH = 24
/** How long a search waits for what is left. */
const WAIT_MS = 200
/** Documents written in one go: some ten milliseconds. */
const AT_ONCE = 32
/** From so many changes on, and a quarter of all documents, building anew is cheaper. */
const REBUILD_FROM = 1_000
const PAGE = 200
/** Of all processes, one writes the index at a time: an older text never replaces a newer one. */
const WRITER = 'search-index'

export interface SearchIndex {
  /** Brings the index up to date as far as it is quickly done; the rest goes on behind. */
  catchUp(): Promise<void>
  /** Builds it from nothing; searches see the old one until the new one is whole. Answers how many documents it holds. */
  rebuild(progress?: (done: number, total: number) => Promise<void>): Promise<number>
  /** Reads the vocabulary, which the first misspelt search would otherwise wait for. */
  warm(): Promise<void>
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>
}

/** Creates what is missing of the index's tables. */
async function createTables({ kind, search }: Database): Promise<void> {
  const statements = indexSchema(kind)
  if (!('transaction' in search)) {
    for (const statement of statements) search.exec(statement)
    return
  }
  await search.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtext('search_index_schema'))")
    for (const statement of statements) await tx.query(statement)
  })
}

/** Opens the index; one that is lost, or was left half built, is built anew behind the first requests. */
export async function openSearchIndex(database: Database): Promise<SearchIndex> {
  await createTables(database)
  const { version, building } = await indexState(database.search)
  const index = createSearchIndex(database)
  if (building || (version === 0 && (await countDocuments(database.primary)) > 0)) {
    index.rebuild().catch(() => {})
  }
  return index
}

function createSearchIndex(database: Database): SearchIndex {
  const { kind, primary, reader, search } = database
  const notes = kind === 'sqlite' ? reader : primary
  let behind: Promise<void> | null = null
  let rebuilding: Promise<number> | null = null
  let applying: Promise<boolean | undefined> | null = null

  /** False when nothing is left, or another process is at it. */
  async function applyBatch(): Promise<boolean> {
    if ((await pendingChanges(notes, 1)).length === 0) return false
    while (applying) await applying.catch(() => {})
    applying = alone(primary, WRITER, writeBatch).finally(() => {
      applying = null
    })
    return (await applying) ?? false
  }
  async function writeBatch(): Promise<boolean> {
    const changes = await pendingChanges(primary, BATCH)
    if (changes.length === 0) return false
    await writeDocs(
      database,
      changes.map((change) => change.doc_id),
    )
    await markApplied(primary, changes)
    return changes.length === BATCH
  }
  async function finish(): Promise<void> {
    const pending = await countPending(primary, REBUILD_FROM)
    if (pending >= REBUILD_FROM && !rebuilding) {
      const all = await countDocuments(primary)
      if ((await countPending(primary, all)) >= all / 4) await index.rebuild()
    }
    while (await applyBatch()) await setImmediate()
  }
  const index: SearchIndex = {
    async catchUp() {
      if (!behind && !rebuilding) {
        const more = (await countPending(notes, REBUILD_FROM)) > BATCH || (await applyBatch())
        if (more && !behind) {
          behind = finish().finally(() => {
            behind = null
          })
          behind.catch(() => {})
        }
      }
      if (behind) await Promise.race([behind.catch(() => {}), setTimeout(WAIT_MS, null, { ref: false })])
    },
    rebuild(progress) {
      rebuilding ??= aloneInTurn(primary, WRITER, () => build(database, progress)).finally(() => {
        rebuilding = null
      })
      return rebuilding
    },
    warm: () => warmSearch(search),
    async idle() {
      await behind
      await rebuilding
    },
  }
  return index
}

async function build(
  { primary, search }: Database,
  progress?: (done: number, total: number) => Promise<void>,
): Promise<number> {
  const total = await countDocuments(primary)
  await markAllApplied(primary)
  const count = await rebuildIndex(
    search,
    everything(primary, (done) => progress?.(done, total)),
  )
  await warmSearch(search)
  return count
}

async function* everything(db: Db, tell: (done: number) => Promise<void> | undefined) {
  let done = 0
  for (const table of ['title', 'person'] as const) {
    const docsOf = table === 'title' ? titleDocs : personDocs
    for (let after = 0; ; ) {
      const ids = await idsAfter(db, table, after, PAGE)
      const last = ids.at(-1)
      if (last === undefined) break
      yield* await docsOf(db, ids)
      after = last
      done += ids.length
      await tell(done)
      await setImmediate()
    }
  }
}

/** A title brings its cast along: whom one may know of follows from what they are seen in. */
async function writeDocs({ primary, search }: Database, docIds: number[]): Promise<void> {
  const titles = docIds.filter((id) => id % 2 === 0).map((id) => id / 2)
  const people = new Set(docIds.filter((id) => id % 2 === 1).map((id) => (id - 1) / 2))
  for (const credit of await castOf(primary, titles)) people.add(credit.person_id)
  const docs = [...(await titleDocs(primary, titles)), ...(await personDocs(primary, [...people]))]
  const written = new Set(docs.map((doc) => doc.doc_id))
  const gone = [...titles.map(titleDoc), ...[...people].map(personDoc)].filter((id) => !written.has(id))
  if (gone.length > 0) await removeDocs(search, gone)
  for (let from = 0; from < docs.length; from += AT_ONCE) {
    await upsertDocs(search, docs.slice(from, from + AT_ONCE))
    await setImmediate()
  }
}
