/** A title as administrators see it, with the values of its editable fields. */

import type { AdminTitle } from '../../../src/lib/contract/admin-titles.ts'
import { LOCALES } from '../../../src/lib/i18n/locales.ts'
import { TITLE_FIELDS, type TitleField } from '../../../src/lib/rules/title-fields.ts'
import { DAY_MS, toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { TitleType } from '../../queries/title.ts'
import { loadEditableRecord, selectTitleEdits, type TitleEdit } from '../../queries/title-edit.ts'
import { readTitleField } from '../../queries/title-fields.ts'
import { selectTitleForAdmin } from '../../queries/title-publishing.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { loadSettingValue } from '../operations/settings.ts'
import { loadCards } from './cards.ts'
import { parseId } from './titles.ts'

/** Returns the time that a deleted title stays in the bin, in milliseconds. */
export const loadBinPeriodMs = async ({ database }: Deps) =>
  (await loadSettingValue(database.primary, 'bin_days')) * DAY_MS

export async function loadAdminTitle(
  { deps, caller }: Omit<RequestContext, 'request'>,
  titleId: string,
): Promise<AdminTitle> {
  const { primary } = deps.database
  const row = await selectTitleForAdmin(primary, parseId(titleId))
  if (!row) throw new Problem('not_found')
  const [card] = await loadCards(deps, [row], getTitleLanguage(caller))
  const editableRecord = await loadEditableRecord(primary, row)
  const edits = (await selectTitleEdits(primary, [row.title_id])).get(row.title_id) ?? []
  const restorableUntilMs = row.deleted_at === null ? null : row.deleted_at + (await loadBinPeriodMs(deps))
  const readTextsByLocale = (kind: 'title' | 'overview') =>
    LOCALES.map((lang) => ({
      lang,
      text: readTitleField(editableRecord, `${kind}_${lang}`) as string | null,
    }))
  return {
    id: String(row.title_id),
    type: row.type as TitleType,
    slug: row.slug,
    title: card?.title ?? row.original_title,
    original_title: row.original_title,
    year: row.year,
    imdb_id: row.imdb_id,
    tmdb_id: row.tmdb_id,
    titles: readTextsByLocale('title'),
    overviews: readTextsByLocale('overview'),
    genres: editableRecord.genres,
    rated: row.rated,
    trailer: row.trailer,
    poster_path: card?.poster_path ?? null,
    published: row.published === 1,
    blocked: row.blocked === 1,
    safe_for_kids: row.safe_for_kids === 1,
    parental_guide: editableRecord.parental_guide,
    edited: listEditedFields(edits, row.edited),
    can_refresh: deps.config.tmdbApiToken !== undefined && (row.tmdb_id ?? row.imdb_id) !== null,
    source: row.source,
    created_at: toIsoTime(row.created_at),
    updated_at: toIsoTime(row.updated_at),
    restorable_until: toIsoTimeOrNull(restorableUntilMs),
  }
}

/**
 * Lists the edited fields of a title. `formerEditsJson` is the JSON of the column `edited`, in which earlier versions
 * stored edits.
 */
function listEditedFields(edits: TitleEdit[], formerEditsJson: string): TitleField[] {
  const editedFields = new Set([
    ...edits.map(({ field }) => field),
    ...Object.keys(JSON.parse(formerEditsJson) as object),
  ])
  return TITLE_FIELDS.filter((field) => editedFields.has(field))
}
