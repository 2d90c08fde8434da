/** Fields of titles that administrators have set, with the values of the last import (table `title_edit`). */
import { packGuide } from '../../src/lib/rules/maturity.ts'
import { TITLE_FIELDS, type TitleField } from '../../src/lib/rules/title-fields.ts'
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import type { TitleRow } from './title.ts'
import { getEnglishTitle, toSortTitle } from './title-columns.ts'
import { type EditableRecord, type FieldValue, readTitleField, replaceTitleField } from './title-fields.ts'
import type { TitleRecord } from './title-record.ts'
import { replaceNamesTextsGenres } from './title-relations.ts'

export interface TitleEdit {
  field: TitleField
  value: FieldValue
  /** Undefined when the imported value is not known. */
  imported: FieldValue | undefined
}

/** Returns the edits by title id. Titles without edits are absent. */
export async function selectTitleEdits(db: Db, titleIds: number[]): Promise<Map<number, TitleEdit[]>> {
  if (titleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('title_edit')
    .select(['title_id', 'field', 'value', 'imported'])
    .where('title_id', 'in', padToPowerOfTwo(titleIds))
    .orderBy('field')
    .execute()
  const knownFields: readonly string[] = TITLE_FIELDS
  const knownEdits = rows.filter(({ field }) => knownFields.includes(field))
  return new Map(
    [...Map.groupBy(knownEdits, (row) => row.title_id)].map(([titleId, editRows]) => [
      titleId,
      editRows.map(({ field, value, imported }) => ({
        field: field as TitleField,
        value: JSON.parse(value) as FieldValue,
        imported: imported === null ? undefined : (JSON.parse(imported) as FieldValue),
      })),
    ]),
  )
}

export async function upsertTitleEdit(
  db: Db,
  titleId: number,
  { field, value, imported }: TitleEdit,
  nowMs: number,
): Promise<void> {
  const editColumns = {
    value: JSON.stringify(value),
    imported: imported === undefined ? null : JSON.stringify(imported),
    edited_at: nowMs,
  }
  await db
    .insertInto('title_edit')
    .values({ title_id: titleId, field, ...editColumns })
    .onConflict((conflict) => conflict.columns(['title_id', 'field']).doUpdateSet(editColumns))
    .execute()
}

export async function deleteTitleEdit(db: Db, titleId: number, field: TitleField): Promise<void> {
  await db.deleteFrom('title_edit').where('title_id', '=', titleId).where('field', '=', field).execute()
}

/** Returns the record with the edited values, and stores the imported values of the edited fields. */
export async function applyTitleEdits(
  db: Db,
  titleId: number,
  record: TitleRecord,
  edits: TitleEdit[],
): Promise<TitleRecord> {
  let editedRecord = record
  for (const { field, value } of edits) {
    editedRecord = replaceTitleField(editedRecord, field, value)
    await db
      .updateTable('title_edit')
      .set({ imported: JSON.stringify(readTitleField(record, field)) })
      .where('title_id', '=', titleId)
      .where('field', '=', field)
      .execute()
  }
  return editedRecord
}

/** An imported id of a title whose id an administrator has edited. */
export interface ImportedTitleId {
  titleId: number
  id: string | number
}

/** Returns the titles whose imported id is in `externalIds`, if an administrator has replaced this id. */
export async function selectEditedIds(
  db: Db,
  field: 'imdb_id' | 'tmdb_id',
  externalIds: (string | number)[],
): Promise<ImportedTitleId[]> {
  if (externalIds.length === 0) return []
  const rows = await db
    .selectFrom('title_edit')
    .select(['title_id', 'imported'])
    .where('field', '=', field)
    .where('imported', 'in', padToPowerOfTwo(externalIds.map((id) => JSON.stringify(id))))
    .execute()
  return rows.map((row) => ({
    titleId: row.title_id,
    id: JSON.parse(row.imported ?? 'null') as string | number,
  }))
}

/** Reads the editable fields of a stored title. */
export async function loadEditableRecord(db: Db, row: TitleRow): Promise<EditableRecord> {
  const [names, texts, genres] = await Promise.all([
    db
      .selectFrom('title_name')
      .select(['lang', 'text', 'role'])
      .where('title_id', '=', row.title_id)
      .execute(),
    db
      .selectFrom('title_text')
      .select(['lang', 'overview', 'tagline'])
      .where('title_id', '=', row.title_id)
      .execute(),
    db.selectFrom('title_genre').select('genre_id').where('title_id', '=', row.title_id).execute(),
  ])
  return {
    names: names as EditableRecord['names'],
    texts: texts.map(({ lang, overview, tagline }) => ({
      lang,
      ...(overview !== null && { overview }),
      ...(tagline !== null && { tagline }),
    })),
    genres: genres.map((genre) => genre.genre_id),
    ...(row.poster_path !== null && { poster_path: row.poster_path }),
    ...(row.trailer !== null && { trailer: row.trailer }),
    ...(row.imdb_id !== null && { imdb_id: row.imdb_id }),
    ...(row.tmdb_id !== null && { tmdb_id: row.tmdb_id }),
    ...(row.rated !== null && { rated: row.rated as NonNullable<EditableRecord['rated']> }),
    safe_for_kids: row.safe_for_kids === 1,
    parental_guide: JSON.parse(row.parental_guide) as EditableRecord['parental_guide'],
  }
}

/** Stores the editable fields of a title. */
export async function storeEditableRecord(
  db: Db,
  row: TitleRow,
  record: EditableRecord,
  nowMs: number,
): Promise<void> {
  await replaceNamesTextsGenres(db, [{ titleId: row.title_id, record, isNew: false }])
  await db
    .updateTable('title')
    .set({
      sort_title: toSortTitle(getEnglishTitle({ names: record.names, original_title: row.original_title })),
      poster_path: record.poster_path ?? null,
      trailer: record.trailer ?? null,
      imdb_id: record.imdb_id ?? null,
      tmdb_id: record.tmdb_id ?? null,
      rated: record.rated ?? null,
      safe_for_kids: record.safe_for_kids ? 1 : 0,
      parental_guide: JSON.stringify(record.parental_guide),
      guide_levels: packGuide(record.parental_guide),
      updated_at: nowMs,
    })
    .where('title_id', '=', row.title_id)
    .execute()
}

/**
 * Returns which of the ids belongs to another title, which may be hidden or deleted. Returns null when neither id
 * belongs to another title.
 */
export async function findTakenIdField(
  db: Db,
  row: Pick<TitleRow, 'title_id' | 'type'>,
  ids: { imdb_id?: string; tmdb_id?: number },
): Promise<'imdb_id' | 'tmdb_id' | null> {
  const otherTitleQuery = db.selectFrom('title').select('title_id').where('title_id', '!=', row.title_id)
  if (ids.imdb_id && (await otherTitleQuery.where('imdb_id', '=', ids.imdb_id).executeTakeFirst()))
    return 'imdb_id'
  if (!ids.tmdb_id) return null
  const titlesWithTmdbId = otherTitleQuery.where('type', '=', row.type).where('tmdb_id', '=', ids.tmdb_id)
  return (await titlesWithTmdbId.executeTakeFirst()) ? 'tmdb_id' : null
}
