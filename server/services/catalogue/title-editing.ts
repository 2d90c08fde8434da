/** Editing of titles by administrators. Imports keep edited fields. Each edit can be undone separately. */

import type { AdminTitle } from '../../../src/lib/contract/admin-titles.ts'
import { MOVIE_GENRE_IDS, TV_GENRE_IDS } from '../../../src/lib/rules/genres.ts'
import { trimToVisibleText } from '../../../src/lib/rules/profile-name.ts'
import { TITLE_FIELDS, type TitleField } from '../../../src/lib/rules/title-fields.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { CATALOGUE_IMPORT_LOCK } from '../../importers/import-titles.ts'
import type { TitleRow } from '../../queries/title.ts'
import {
  deleteTitleEdit,
  findTakenIdField,
  loadEditableRecord,
  selectTitleEdits,
  storeEditableRecord,
  upsertTitleEdit,
} from '../../queries/title-edit.ts'
import {
  type EditableRecord,
  type FieldValue,
  readTitleField,
  replaceTitleField,
} from '../../queries/title-fields.ts'
import { selectTitleForAdmin, updateTitle } from '../../queries/title-publishing.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { loadAdminTitle } from './admin-title.ts'
import { verifyRemoteArtPath } from './artwork.ts'
import { parseId } from './titles.ts'

type LocalisedTexts = { lang: string; text: string | null }[]
interface TitleChange {
  published?: boolean | undefined
  titles?: LocalisedTexts | undefined
  overviews?: LocalisedTexts | undefined
  /** Path of a poster from `listTitlePosters`; null for the drawn poster. */
  poster?: string | null | undefined
  trailer?: string | null | undefined
  imdb_id?: string | null | undefined
  tmdb_id?: number | null | undefined
  genres?: number[] | undefined
  rated?: string | null | undefined
  safe_for_kids?: boolean | undefined
  parental_guide?: AdminTitle['parental_guide'] | undefined
}

/**
 * Edits a title. Throws 404 for an unknown or deleted title. Throws 422 for a value that does not fit the title, and
 * for an id that another title has.
 */
export async function editTitle(
  context: RequestContext,
  titleId: string,
  change: TitleChange,
): Promise<AdminTitle> {
  const { deps } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
    const row = await requireEditableTitle(trx, titleId)
    const valuesByField = collectFieldValues(deps, row, change)
    const record = await loadEditableRecord(trx, row)
    const editsByField = new Map(
      (await selectTitleEdits(trx, [row.title_id])).get(row.title_id)?.map((edit) => [edit.field, edit]),
    )
    const formerEdits = JSON.parse(row.edited) as Record<string, unknown>
    let editedRecord = record
    for (const [field, value] of valuesByField) {
      const isImportedValueKnown = !Object.hasOwn(formerEdits, field)
      const importedValue = editsByField.has(field)
        ? editsByField.get(field)?.imported
        : isImportedValueKnown
          ? readTitleField(record, field)
          : undefined
      const isEdited = editsByField.has(field) || !isImportedValueKnown
      editedRecord = replaceTitleField(editedRecord, field, value, { isEdited })
      await upsertTitleEdit(trx, row.title_id, { field, value, imported: importedValue }, deps.now())
    }
    await storeEditedTitle(trx, row, editedRecord, deps.now())
    await updateTitle(trx, row.title_id, {
      edited: JSON.stringify(omitKeys(formerEdits, valuesByField.keys())),
      ...(change.published !== undefined && { published: change.published ? 1 : 0 }),
    })
    await recordCallerAction(trx, context, { action: 'title_edit', target: titleId })
  })
  deps.bus.publish('catalogue', { kind: 'title_edit', media_ids: [titleId] })
  return loadAdminTitle(context, titleId)
}

/**
 * Sets a field back to the imported value. If this value is not stored, the next import sets it. Throws 404 for an
 * unknown or deleted title, and when the field was not edited.
 */
export async function undoTitleEdit(
  context: RequestContext,
  titleId: string,
  field: TitleField,
): Promise<AdminTitle> {
  const { deps } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
    const row = await requireEditableTitle(trx, titleId)
    const edits = (await selectTitleEdits(trx, [row.title_id])).get(row.title_id) ?? []
    const edit = edits.find((candidate) => candidate.field === field)
    const formerEdits = JSON.parse(row.edited) as Record<string, unknown>
    if (!edit && !Object.hasOwn(formerEdits, field)) throw new Problem('not_found')
    if (edit?.imported !== undefined) {
      const record = await loadEditableRecord(trx, row)
      const importedRecord = replaceTitleField(record, field, edit.imported, { isEdited: true })
      await storeEditedTitle(trx, row, importedRecord, deps.now())
    }
    await deleteTitleEdit(trx, row.title_id, field)
    await updateTitle(trx, row.title_id, {
      edited: JSON.stringify(omitKeys(formerEdits, [field])),
      // Without a source hash, the next import writes the title again even if its record has not changed.
      ...(edit?.imported === undefined && { source_hash: '' }),
      updated_at: deps.now(),
    })
    await recordCallerAction(trx, context, { action: 'title_edit_undo', target: titleId })
  })
  deps.bus.publish('catalogue', { kind: 'title_edit', media_ids: [titleId] })
  return loadAdminTitle(context, titleId)
}

export async function requireEditableTitle(db: Db, id: string): Promise<TitleRow> {
  const row = await selectTitleForAdmin(db, parseId(id))
  if (!row || row.deleted_at !== null) throw new Problem('not_found')
  return row
}

async function storeEditedTitle(
  trx: Db,
  row: TitleRow,
  record: EditableRecord,
  nowMs: number,
): Promise<void> {
  const { imdb_id, tmdb_id } = record
  const takenIdField = await findTakenIdField(trx, row, {
    ...(imdb_id !== undefined && imdb_id !== row.imdb_id && { imdb_id }),
    ...(tmdb_id !== undefined && tmdb_id !== row.tmdb_id && { tmdb_id }),
  })
  if (takenIdField) throw createFieldProblem(takenIdField, 'taken')
  await storeEditableRecord(trx, row, record, nowMs)
}

function omitKeys(object: Record<string, unknown>, keys: Iterable<string>): Record<string, unknown> {
  const omittedKeys = new Set(keys)
  return Object.fromEntries(Object.entries(object).filter(([key]) => !omittedKeys.has(key)))
}

/**
 * Returns the value of each changed field. Throws 422 for a value that does not fit the title, and for two
 * texts in one language.
 */
function collectFieldValues(deps: Deps, row: TitleRow, change: TitleChange): Map<TitleField, FieldValue> {
  const valuesByField = new Map<TitleField, FieldValue>()
  const addTexts = (kind: 'title' | 'overview', texts: LocalisedTexts = []) => {
    for (const { lang, text } of texts) {
      const field = TITLE_FIELDS.find((candidate) => candidate === `${kind}_${lang}`)
      if (!field || valuesByField.has(field)) throw createFieldProblem(`${kind}s`, 'twice')
      valuesByField.set(field, trimToVisibleText(text ?? '') || null)
    }
  }
  addTexts('title', change.titles)
  addTexts('overview', change.overviews)
  const { poster, trailer, imdb_id, tmdb_id, genres, rated, safe_for_kids, parental_guide } = change
  if (poster !== undefined) valuesByField.set('poster', parsePoster(deps, row, poster))
  if (genres !== undefined) valuesByField.set('genres', validateGenres(row, genres))
  if (parental_guide !== undefined) valuesByField.set('parental_guide', validateGuide(parental_guide))
  const otherFields = { trailer, imdb_id, tmdb_id, rated, safe_for_kids }
  for (const [field, value] of Object.entries(otherFields))
    if (value !== undefined) valuesByField.set(field as TitleField, value)
  return valuesByField
}

/**
 * Returns the path of a poster at the metadata source. Throws 422 unless this server signed the path for a
 * poster of this title.
 */
function parsePoster(deps: Deps, row: TitleRow, posterPath: string | null): string | null {
  if (posterPath === null) return null
  const [, root, kind = '', owner = '', fileName = '', ...extraSegments] = posterPath.split('/')
  const art =
    root === 'art' && extraSegments.length === 0 ? verifyRemoteArtPath(deps, kind, owner, fileName) : null
  if (art?.kind !== 'poster' || art.key !== String(row.title_id))
    throw createFieldProblem('poster', 'does_not_fit')
  return art.imagePath
}

function validateGenres(row: TitleRow, genres: number[]): number[] {
  const knownGenres: readonly number[] = row.type === 'movie' ? MOVIE_GENRE_IDS : TV_GENRE_IDS
  if (genres.some((id) => !knownGenres.includes(id))) throw createFieldProblem('genres', 'does_not_fit')
  return [...new Set(genres)]
}

function validateGuide(guide: AdminTitle['parental_guide']): AdminTitle['parental_guide'] {
  const categories = guide.map((entry) => entry.category)
  if (new Set(categories).size < categories.length) throw createFieldProblem('parental_guide', 'twice')
  return guide
}
