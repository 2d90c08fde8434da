/** The library page of the dashboard: folders, files and their titles. */
import type { LibraryFileEntry } from '../../../src/lib/contract/admin-library.ts'
import { getContentType } from '../../providers/library/media-types.ts'
import { countLibraryFiles, countTitlesWithFile, selectLibraryFiles } from '../../queries/library-file.ts'
import type { RequestContext } from '../context.ts'
import { toPage } from '../page.ts'
import { describeThumbnailState } from '../playback/thumbnail-state.ts'
import { requireLibraryFile, toFileEntries } from './file-entries.ts'
import { countFilesOfFolderChoice, isEpisodeNumberNeeded } from './title-choices.ts'

/** Value of the folder filter for files directly in the media folder. */
const ROOT_FOLDER = '/'
export async function loadLibrary({ deps }: Pick<RequestContext, 'deps'>) {
  const { primary } = deps.database
  const countsByFolder = new Map<
    string,
    { matched: number; unmatched: number; ignored: number; size: number }
  >()
  for (const { folder, state, files, bytes } of await countLibraryFiles(primary)) {
    const folderCounts = countsByFolder.get(folder) ?? { matched: 0, unmatched: 0, ignored: 0, size: 0 }
    folderCounts[state as LibraryFileEntry['state']] += files
    folderCounts.size += bytes
    countsByFolder.set(folder, folderCounts)
  }
  return {
    configured: deps.streamSources.library !== null,
    folders: [...countsByFolder].map(([name, counts]) => ({ name, ...counts })),
    titles: await countTitlesWithFile(primary),
    thumbnails: await describeThumbnailState(deps),
  }
}

export async function listFiles(context: RequestContext, query: Parameters<typeof selectLibraryFiles>[1]) {
  const folder = query.folder === ROOT_FOLDER ? '' : query.folder
  const { rows, total } = await selectLibraryFiles(context.deps.database.primary, { ...query, folder })
  return toPage(query, total, await toFileEntries(context, rows))
}

/**
 * Returns a file with the data of its header. The header is read on each call, because the file may have been
 * replaced.
 */
export async function loadLibraryFile(context: RequestContext, fileId: string) {
  const { library } = context.deps.streamSources
  const row = await requireLibraryFile(context, fileId)
  const header = (await library?.probeFile(row.path)) ?? null
  const [fileEntry] = await toFileEntries(context, [row])
  return {
    file: fileEntry as LibraryFileEntry,
    video: header && {
      width: header.width,
      height: header.height,
      duration_seconds: header.durationSeconds,
      chapters: header.chapters.length,
    },
    content_type: getContentType(row.path),
    subtitles: (await library?.listSubtitles(row.path)) ?? [],
    folder_files: await countFilesOfFolderChoice(context, row),
    can_search_tmdb: Boolean(context.deps.config.tmdbApiToken),
    needs_episode: isEpisodeNumberNeeded(context, row),
  }
}
