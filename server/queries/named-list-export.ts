/** Reads the named lists of a profile for export. Lists are in order of creation, titles in the order of their list. */
import type { Db } from '../db/database.ts'
import { selectOwnLists } from './named-list.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

/** Exported columns by table; tests/server/account-export.test.ts compares them with the schema. */
export const NAMED_LIST_EXPORT_COLUMNS: Record<string, readonly string[]> = {
  named_list: ['profile_id', 'name', 'description', 'shared', 'on_home', 'filter_type', 'filter_query'],
  named_list_entry: ['profile_id', 'title_id', 'added_at'],
}

const PAGE_ROWS = 500

export const selectExportedLists = selectOwnLists

/** Yields the titles of a list in pages, without titles that the audience may not see. */
export async function* readExportedListTitles(db: Db, audience: Audience, listId: string) {
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const rows = await queryVisibleTitles(db, audience)
      .innerJoin('named_list_entry as entry', 'entry.title_id', 'title.title_id')
      .where('entry.list_id', '=', listId)
      .select([
        'title.title_id',
        'title.type',
        'title.year',
        'title.imdb_id',
        'title.tmdb_id',
        'title.original_title',
        'entry.added_at',
      ])
      .orderBy('entry.position')
      .orderBy('title.title_id')
      .limit(PAGE_ROWS)
      .offset(offset)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) return
  }
}
