/**
 * Finds titles that an administrator has deleted. A deleted title is not added again for the files that belong to it.
 */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { selectFilesWithoutTitle } from '../../queries/library-file.ts'
import {
  isYearCompatible,
  type MatchableTitle,
  selectDeletedTitlesByFoldedName,
  selectNamesOfTitles,
} from '../../queries/library-match.ts'
import type { TitleType } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'

interface NamedFile {
  type: TitleType
  name: string
  year: number | null
  imdbId?: string | undefined
  tmdbId?: number | undefined
}

/**
 * True when an administrator has deleted a title that has the name of the file and can belong to the file
 * (`canFileBelongToTitle`). The source of the title does not matter.
 */
export async function hasDeletedTitle({ database }: Deps, file: NamedFile): Promise<boolean> {
  const titles = await selectDeletedTitlesByFoldedName(database.primary, file.type, foldSearchText(file.name))
  return titles.some((title) => canFileBelongToTitle(title, file))
}

/** True when the years are compatible (`isYearCompatible`) and neither the IMDb ids nor the TMDB ids differ. */
function canFileBelongToTitle(
  title: MatchableTitle,
  { year, imdbId, tmdbId }: Omit<NamedFile, 'type' | 'name'>,
): boolean {
  const isDifferentId = (id: unknown, titleId: unknown) =>
    id !== undefined && titleId !== null && id !== titleId
  return (
    isYearCompatible(title.year, year) &&
    !isDifferentId(imdbId, title.imdb_id) &&
    !isDifferentId(tmdbId, title.tmdb_id)
  )
}

/**
 * Finds the files that have no title yet and can belong to one of these titles (`canFileBelongToTitle`). Returns their
 * paths by title id.
 */
export async function findFilesOfTitles(
  { database, streamSources: { library } }: Deps,
  titleIds: number[],
): Promise<Map<number, Set<string>>> {
  const pathsByTitleId = new Map<number, Set<string>>()
  const files = library ? await selectFilesWithoutTitle(database.primary) : []
  if (files.length === 0) return pathsByTitleId
  const idsByPath = new Map(library?.listFiles()?.map(({ path, ids }) => [path, ids]))
  const createNameKey = (type: string, foldedName: string) => `${type} ${foldedName}`
  const filesByName = Map.groupBy(files, ({ named_kind, parsed_title }) =>
    createNameKey(named_kind, foldSearchText(parsed_title)),
  )
  for (const title of await selectNamesOfTitles(database.primary, titleIds)) {
    const paths = pathsByTitleId.get(title.title_id) ?? new Set<string>()
    pathsByTitleId.set(title.title_id, paths)
    for (const { path, parsed_year } of filesByName.get(createNameKey(title.type, title.folded)) ?? []) {
      const { imdb: imdbId, tmdb: tmdbId } = idsByPath.get(path) ?? {}
      if (canFileBelongToTitle(title, { year: parsed_year, imdbId, tmdbId })) paths.add(path)
    }
  }
  return pathsByTitleId
}
