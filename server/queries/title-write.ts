/** Inserts and updates titles for importers. */
import type { Db } from '../db/database.ts'
import { applyBlockRules } from './block-rule.ts'
import { insertRows } from './insert-rows.ts'
import { replaceSeasons } from './season-write.ts'
import { findFreeSlugs } from './slug.ts'
import { createSlugCandidates, toTitleRow } from './title-columns.ts'
import { applyTitleEdits, selectTitleEdits } from './title-edit.ts'
import { type KnownTitle, loadTitleMatcher } from './title-match.ts'
import { restoreDeletedTitles } from './title-publishing.ts'
import type { TitleRecord } from './title-record.ts'
import { replaceTitleRelations, type WrittenTitle } from './title-relations.ts'

export interface TitleImportEntry {
  record: TitleRecord
  /** Hash of the record. If it equals the stored hash, the title is unchanged and not written. */
  hash: string
  /** True to restore the title if it is in the bin. */
  isRequested?: boolean
}

type ChangedEntry = TitleImportEntry & { knownTitle: KnownTitle }

/**
 * `added`: the title is new, or was restored from the bin. `kept`: the title comes from a source of higher priority and
 * is not changed. `clash`: the ids of the record contradict each other (see `TitleMatcher`). `repeat`: the title
 * occurred earlier in this import. `deleted`: the title is in the bin and stays there. Changed data is still stored, so
 * that it is current when an administrator restores the title.
 */
type UpsertOutcome = 'added' | 'changed' | 'same' | 'kept' | 'clash' | 'repeat' | 'deleted'
interface CatalogueImportRun {
  source: string
  nowMs: number
  /** Ids of the titles that occurred in this import so far. `upsertTitles` adds the ids of its entries. */
  seenTitleIds: { has: (id: number) => boolean; add: (id: number) => void }
}

/**
 * Import sources by ascending priority. A source never overwrites titles of a source with a higher priority. Unlisted
 * sources have the lowest priority.
 */
const SOURCES_BY_PRIORITY = ['imdb', 'demo', 'tmdb']

/**
 * Inserts or updates titles and returns the outcome of each entry. The slug of existing titles is not changed.
 * `published` changes only when a title is restored from the bin, and `blocked` only to match the block list. Call it
 * in a transaction; no title may occur twice in `entries`.
 */
export async function upsertTitles(
  db: Db,
  entries: TitleImportEntry[],
  importRun: CatalogueImportRun,
): Promise<UpsertOutcome[]> {
  const titleMatcher = await loadTitleMatcher(
    db,
    entries.map((entry) => entry.record),
  )
  const addedEntries: TitleImportEntry[] = []
  const changedEntries: ChangedEntry[] = []
  const restoredTitleIds: number[] = []
  const outcomes = entries.map((entry): UpsertOutcome => {
    const knownTitle = titleMatcher.findMatch(entry.record)
    if (knownTitle === 'clash') return 'clash'
    if (!knownTitle) {
      addedEntries.push(entry)
      return 'added'
    }
    if (importRun.seenTitleIds.has(knownTitle.title_id)) return 'repeat'
    importRun.seenTitleIds.add(knownTitle.title_id)
    const outcome = compareWithKnownTitle(entry, knownTitle, importRun)
    if (outcome === 'changed') changedEntries.push({ ...entry, knownTitle })
    if (knownTitle.deleted_at === null) return outcome
    if (!entry.isRequested) return 'deleted'
    restoredTitleIds.push(knownTitle.title_id)
    return 'added'
  })
  const editedEntries = await applyAdministratorEdits(db, changedEntries)
  const titleIds = [
    ...(await insertTitles(db, addedEntries, importRun)),
    ...(await updateTitles(db, editedEntries, importRun)),
  ]
  const records = [...addedEntries, ...editedEntries].map(
    (entry, index): WrittenTitle => ({
      titleId: titleIds[index] ?? 0,
      record: entry.record,
      isNew: index < addedEntries.length,
    }),
  )
  await replaceTitleRelations(db, records)
  await replaceSeasons(db, records)
  if (restoredTitleIds.length > 0) await restoreDeletedTitles(db, restoredTitleIds, importRun.nowMs)
  await applyBlockRules(db, titleIds)
  for (const titleId of titleIds) importRun.seenTitleIds.add(titleId)
  return outcomes
}

function compareWithKnownTitle(
  entry: TitleImportEntry,
  knownTitle: KnownTitle,
  importRun: CatalogueImportRun,
): 'changed' | 'same' | 'kept' {
  if (knownTitle.source_hash === entry.hash) return 'same'
  const hasPreferredSource =
    SOURCES_BY_PRIORITY.indexOf(knownTitle.source) > SOURCES_BY_PRIORITY.indexOf(importRun.source)
  return hasPreferredSource ? 'kept' : 'changed'
}

async function insertTitles(
  db: Db,
  entries: TitleImportEntry[],
  { source, nowMs }: CatalogueImportRun,
): Promise<number[]> {
  const slugsByRecord = new Map<TitleRecord, string>()
  for (const type of ['movie', 'tv'] as const) {
    const records = entries.map((entry) => entry.record).filter((record) => record.type === type)
    const uniqueSlugs = await findFreeSlugs(db, { table: 'title', type }, records.map(createSlugCandidates))
    for (const [index, record] of records.entries()) slugsByRecord.set(record, uniqueSlugs[index] ?? '')
  }
  const rows = entries.map(({ record, hash }) => ({
    ...toTitleRow(record, { source, hash, nowMs }),
    slug: slugsByRecord.get(record) ?? '',
    created_at: nowMs,
    published: 1,
    blocked: 0,
  }))
  const insertedRows = await insertRows(db, 'title', rows, { returning: ['title_id', 'type', 'slug'] })
  const idsByTypeAndSlug = new Map(
    insertedRows.map((row) => [`${row['type']} ${row['slug']}`, Number(row['title_id'])]),
  )
  return rows.map((row) => idsByTypeAndSlug.get(`${row.type} ${row.slug}`) ?? 0)
}

/**
 * Returns the entries with the values that administrators have set instead of the imported values. Also stores the
 * imported values of the edited fields.
 */
async function applyAdministratorEdits(db: Db, entries: ChangedEntry[]): Promise<ChangedEntry[]> {
  const editsByTitleId = await selectTitleEdits(
    db,
    entries.map(({ knownTitle }) => knownTitle.title_id),
  )
  const editedEntries: ChangedEntry[] = []
  for (const entry of entries) {
    const { title_id: titleId } = entry.knownTitle
    const record = await applyTitleEdits(db, titleId, entry.record, editsByTitleId.get(titleId) ?? [])
    editedEntries.push({ ...entry, record })
  }
  return editedEntries
}

/** Updates existing titles. Ids that are missing in a record are kept. */
async function updateTitles(
  db: Db,
  entries: ChangedEntry[],
  { source, nowMs }: CatalogueImportRun,
): Promise<number[]> {
  for (const { record, hash, knownTitle } of entries) {
    const titleColumns = toTitleRow(record, { source, hash, nowMs })
    titleColumns.imdb_id ??= knownTitle.imdb_id
    titleColumns.tmdb_id ??= knownTitle.tmdb_id
    titleColumns.tvdb_id ??= knownTitle.tvdb_id
    // `knownTitle.edited` contains edits from before `title_edit` existed. They take precedence over the imported
    // values.
    const editedColumns = JSON.parse(knownTitle.edited) as Partial<typeof titleColumns>
    await db
      .updateTable('title')
      .set({ ...titleColumns, ...editedColumns })
      .where('title_id', '=', knownTitle.title_id)
      .execute()
  }
  return entries.map((entry) => entry.knownTitle.title_id)
}
