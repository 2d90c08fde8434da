/** The files of the media folder as the dashboard lists them. */
import type { FileTitle, LibraryFileEntry } from '../../../src/lib/contract/admin-library.ts'
import { toIsoTime } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import { type LibraryFileRow, selectLibraryFile } from '../../queries/library-file.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { parseId } from '../catalogue/titles.ts'
import type { RequestContext } from '../context.ts'

/** Returns the row of a file. Throws 404 for an unknown file, and without a media folder. */
export async function requireLibraryFile({ deps }: RequestContext, fileId: string): Promise<LibraryFileRow> {
  const row = deps.streamSources.library
    ? await selectLibraryFile(deps.database.primary, parseId(fileId))
    : undefined
  if (!row) throw new Problem('not_found')
  return row
}

export async function toFileEntries(
  context: RequestContext,
  rows: readonly LibraryFileRow[],
): Promise<LibraryFileEntry[]> {
  const { deps, caller } = context
  const candidateIds = rows.map((row) => JSON.parse(row.candidates) as number[])
  const titleIds = [...new Set([...rows.flatMap((row) => row.title_id ?? []), ...candidateIds.flat()])]
  const titles = await selectTitlesInOrder(deps.database.primary, null, titleIds)
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const toFileTitles = (id: number): FileTitle[] => {
    const card = cardsById.get(id)
    return card ? [{ id: card.id, type: card.type, slug: card.slug, title: card.title, year: card.year }] : []
  }
  return rows.map((row, index) => ({
    id: String(row.file_id),
    path: row.path,
    size: Number(row.size_bytes),
    modified_at: toIsoTime(Number(row.modified_at)),
    added_at: toIsoTime(Number(row.added_at)),
    type: row.kind as LibraryFileEntry['type'],
    parsed_title: row.parsed_title,
    parsed_year: row.parsed_year,
    season: row.kind === 'tv' ? row.season_number : null,
    episodes: JSON.parse(row.episodes) as number[],
    quality: row.quality,
    state: row.state as LibraryFileEntry['state'],
    reason: row.reason as LibraryFileEntry['reason'],
    matched_by: row.matched_by as LibraryFileEntry['matched_by'],
    title: toFileTitles(row.title_id ?? 0)[0] ?? null,
    candidates: (candidateIds[index] ?? []).flatMap(toFileTitles),
  }))
}
