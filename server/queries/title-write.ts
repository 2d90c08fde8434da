/** Writing titles: what importers change. */
import type { Db } from '../db/open.ts'
import { applyBlockRules } from './block.ts'
import { freeSlugs } from './free-slug.ts'
import { insertRows } from './insert-rows.ts'
import { replaceSeasons } from './season-write.ts'
import { columnsOf, slugWishes } from './title-columns.ts'
import { type Known, matchTitles } from './title-match.ts'
import { replaceParts } from './title-parts.ts'
import type { TitleRecord } from './title-record.ts'

export interface Entry {
  record: TitleRecord
  /** Of the record: equal to the stored one means nothing to do. */
  hash: string
}
/**
 * `kept`: a source that tells more has described the title. `clash`: its ids are those of another title. `repeat`: this run
 * has had the title before.
 */
type Outcome = 'added' | 'changed' | 'same' | 'kept' | 'clash' | 'repeat'
interface Origin {
  source: string
  now: number
  /** Ids of the titles that this run has had; those of the batch are added. */
  met: { has: (id: number) => boolean; add: (id: number) => void }
}

/** What is known of a title by a source further right is not replaced by one further left; others count as leftmost. */
const TELLS_MORE = ['imdb', 'demo', 'tmdb']

/**
 * Adds titles or brings them up to date, and answers what became of each; slug, publication and block of a known title
 * stay. Call it in a transaction, with no title twice.
 */
export async function upsertTitles(db: Db, entries: Entry[], origin: Origin): Promise<Outcome[]> {
  const matches = await matchTitles(
    db,
    entries.map((entry) => entry.record),
  )
  const added: Entry[] = []
  const changed: (Entry & { known: Known })[] = []
  const outcomes = entries.map((entry): Outcome => {
    const known = matches.of(entry.record)
    if (known === 'clash') return 'clash'
    if (!known) {
      added.push(entry)
      return 'added'
    }
    if (origin.met.has(known.title_id)) return 'repeat'
    origin.met.add(known.title_id)
    if (known.source_hash === entry.hash) return 'same'
    if (TELLS_MORE.indexOf(known.source) > TELLS_MORE.indexOf(origin.source)) return 'kept'
    changed.push({ ...entry, known })
    return 'changed'
  })
  const ids = [...(await insertTitles(db, added, origin)), ...(await updateTitles(db, changed, origin))]
  const records = [...added, ...changed].map((entry, at) => ({
    titleId: ids[at] ?? 0,
    record: entry.record,
    fresh: at < added.length,
  }))
  await replaceParts(db, records)
  await replaceSeasons(db, records)
  await applyBlockRules(db, ids)
  for (const id of ids) origin.met.add(id)
  return outcomes
}

async function insertTitles(db: Db, entries: Entry[], { source, now }: Origin): Promise<number[]> {
  const slugs = new Map<TitleRecord, string>()
  for (const type of ['movie', 'tv'] as const) {
    const records = entries.map((entry) => entry.record).filter((record) => record.type === type)
    const free = await freeSlugs(db, { table: 'title', type }, records.map(slugWishes))
    for (const [at, record] of records.entries()) slugs.set(record, free[at] ?? '')
  }
  const rows = entries.map(({ record, hash }) => ({
    ...columnsOf(record, { source, hash, now }),
    slug: slugs.get(record) ?? '',
    created_at: now,
    published: 1,
    blocked: 0,
  }))
  const answers = await insertRows(db, 'title', rows, { returning: ['title_id', 'type', 'slug'] })
  const ids = new Map(answers.map((row) => [`${row['type']} ${row['slug']}`, Number(row['title_id'])]))
  return rows.map((row) => ids.get(`${row.type} ${row.slug}`) ?? 0)
}

/** Ids that the record does not tell stay. */
async function updateTitles(
  db: Db,
  entries: (Entry & { known: Known })[],
  { source, now }: Origin,
): Promise<number[]> {
  for (const { record, hash, known } of entries) {
    const columns = columnsOf(record, { source, hash, now })
    columns.imdb_id ??= known.imdb_id
    columns.tmdb_id ??= known.tmdb_id
    // What an administrator set by hand stays.
    const edited = JSON.parse(known.edited) as Partial<typeof columns>
    await db
      .updateTable('title')
      .set({ ...columns, ...edited })
      .where('title_id', '=', known.title_id)
      .execute()
  }
  return entries.map((entry) => entry.known.title_id)
}
