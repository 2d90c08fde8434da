/** Reads the named lists of profiles as entries of the Marquee export format. */
import type { Db } from '../../db/database.ts'
import type { ExportEntry } from '../../importers/history/marquee-entries.ts'
import { selectEnglishTitleNames } from '../../queries/history-export.ts'
import { readExportedListTitles, selectExportedLists } from '../../queries/named-list-export.ts'
import { truncateListDescription, truncateListName } from '../lists/list-text.ts'
import { type ExportedProfile, toExportTime } from './history-entries.ts'

/**
 * Yields the lists of all profiles, and then their titles. Names and descriptions are truncated to the limits of the
 * format, because a longer text would end the export with an error. Earlier versions of the server could store longer
 * texts.
 */
export async function* readListEntries(
  db: Db,
  profiles: readonly ExportedProfile[],
): AsyncGenerator<ExportEntry> {
  for (const { profileId, name: profileName } of profiles)
    for (const list of await selectExportedLists(db, profileId))
      yield {
        kind: 'named_list',
        name: truncateListName(list.name),
        description: truncateListDescription(list.description),
        shared: list.shared === 1,
        on_home: list.on_home === 1,
        filter_type: list.filter_type as 'movie' | 'tv' | null,
        filter_query: list.filter_query,
        ...(profileName !== undefined && { profile: profileName }),
      }
  for (const { profileId, audience, name: profileName } of profiles)
    for (const { list_id, name } of await selectExportedLists(db, profileId))
      for await (const rows of readExportedListTitles(db, audience, list_id)) {
        const titleNamesById = await selectEnglishTitleNames(db, [
          ...new Set(rows.map((row) => row.title_id)),
        ])
        for (const { type, year, imdb_id, tmdb_id, ...row } of rows)
          yield {
            kind: 'list_title',
            type: type as 'movie' | 'tv',
            title: titleNamesById.get(row.title_id) ?? row.original_title,
            year,
            imdb_id,
            tmdb_id,
            name: truncateListName(name),
            added_at: toExportTime(row.added_at),
            ...(profileName !== undefined && { profile: profileName }),
          }
      }
}
