/**
 * Adds a title to the catalogue for a file without a title. The title comes from TMDB, or has the names that
 * an administrator enters.
 */
import type {
  FileTitle,
  LibraryChoice,
  LibraryFileEntry,
  ReplacedChoices,
  TmdbTitle,
} from '../../../src/lib/contract/admin-library.ts'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { Problem } from '../../core/problem.ts'
import { importTitles } from '../../importers/import-titles.ts'
import { fetchTmdbTitle } from '../../importers/tmdb/fetch-title.ts'
import { searchTmdb } from '../../importers/tmdb/search.ts'
import {
  ADMINISTRATOR_FILE_SOURCE,
  selectTitlesByExternalIds,
  selectTitlesByFoldedNames,
} from '../../queries/library-match.ts'
import type { TitleType } from '../../queries/title.ts'
import { selectImportedTitle } from '../../queries/title-publishing.ts'
import type { TitleRecord } from '../../queries/title-record.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { restoreTitles } from '../catalogue/publishing.ts'
import { requestTmdb } from '../catalogue/title-refresh.ts'
import type { RequestContext } from '../context.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { requireLibraryFile } from './file-entries.ts'
import { createNamedRecord } from './named-record.ts'
import { chooseTitle, validateChoice } from './title-choices.ts'

interface NewTitle {
  type: TitleType
  scope: LibraryChoice['scope']
  tmdb_id?: number | undefined
  titles: { lang: string; text: string }[]
  year?: number | null | undefined
  season?: number | undefined
  episode?: number | undefined
}

/** Searches TMDB for titles. Throws 409 without a TMDB token, and 502 when TMDB does not respond. */
export async function searchTmdbTitles(
  { deps, caller }: RequestContext,
  { type, search, year }: { type: TitleType; search: string; year?: number | undefined },
): Promise<{ results: TmdbTitle[] }> {
  if (search.trim() === '') return { results: [] }
  const language = getTitleLanguage(caller)
  const tmdbTitles = await requestTmdb(deps, (client) => searchTmdb(client, { type, search, year, language }))
  const knownTitles = await selectTitlesByExternalIds(deps.database.primary, {
    imdbIds: [],
    tmdbIds: tmdbTitles.map(({ id }) => id),
  })
  const titleIdsByTmdbId = new Map(
    knownTitles
      .filter((title) => title.type === type)
      .map((title) => [title.tmdb_id, String(title.title_id)]),
  )
  return {
    results: tmdbTitles.map(({ id, originalTitle, ...tmdbTitle }) => ({
      tmdb_id: id,
      original_title: originalTitle,
      ...tmdbTitle,
      title_id: titleIdsByTmdbId.get(id) ?? null,
    })),
  }
}

/**
 * Adds the title, and assigns the file or its folder to it. Throws 404 for an unknown file. Throws 409 when the
 * catalogue has a title with this name and year, TMDB does not have the title, or its ids belong to another title.
 * Throws 422 when a name or an episode number is missing, or the scope is invalid. For a title of TMDB, also throws
 * like `requestTmdb`.
 */
export async function addTitleFromFile(
  context: RequestContext,
  fileId: string,
  input: NewTitle,
): Promise<{ file: LibraryFileEntry; title: FileTitle; added: boolean; replaced: ReplacedChoices }> {
  const { deps } = context
  const row = await requireLibraryFile(context, fileId)
  validateChoice(context, row, input)
  const record = input.tmdb_id === undefined ? createNamedRecord(input) : await fetchRecord(context, input)
  if (input.tmdb_id === undefined) await rejectKnownTitle(context, record)
  const source = input.tmdb_id === undefined ? ADMINISTRATOR_FILE_SOURCE : 'tmdb'
  const importReport = await importTitles(deps, [{ location: fileId, record }], { source })
  const storedTitle = await selectImportedTitle(deps.database.primary, { ...record, source })
  if (!storedTitle) throw new Problem('conflict', { errors: { tmdb: ['id_conflict'] } })
  const titleId = String(storedTitle.title_id)
  // A title that was added earlier and then deleted is restored.
  if (storedTitle.deleted_at !== null) await restoreTitles(context, [titleId])
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'library_add_title', target: titleId }))
  deps.bus.publish('catalogue', { kind: 'library_add_title', media_ids: [titleId] })
  const { season, episode, scope } = input
  const { replaced, ...file } = await chooseTitle(context, fileId, {
    title_id: titleId,
    scope,
    season,
    episode,
  })
  // If the series lacks the episode of the file, the series is only a candidate of the file, not its title.
  const title = file.title ?? file.candidates.find(({ id }) => id === titleId)
  if (!title) throw new Problem('not_found')
  return { file, title, added: importReport.added > 0 || storedTitle.deleted_at !== null, replaced }
}

async function fetchRecord({ deps }: RequestContext, { type, tmdb_id = 0 }: NewTitle): Promise<TitleRecord> {
  const outcome = await requestTmdb(deps, (client) => fetchTmdbTitle(client, { kind: type, id: tmdb_id }))
  if (!('record' in outcome)) throw new Problem('conflict', { errors: { tmdb: ['unknown_title'] } })
  return outcome.record
}

/**
 * Throws 409 if the catalogue already has a title with this name and year, because file names could not
 * distinguish the two titles.
 */
async function rejectKnownTitle({ deps }: RequestContext, record: TitleRecord): Promise<void> {
  const foldedNames = record.names.map(({ text }) => foldSearchText(text))
  const knownTitles = await selectTitlesByFoldedNames(deps.database.primary, foldedNames)
  if (knownTitles.some(({ type, year }) => type === record.type && year === (record.year ?? null)))
    throw new Problem('conflict', {
      message: 'The catalogue has a title of this name and year.',
      errors: { titles: ['exists'] },
    })
}
