/** The library page of the dashboard: folders, files and their titles, and the choices of administrators. */
import { setTimeout } from 'node:timers/promises'
import type {
  FileTitle,
  LibraryChoice,
  LibraryFileEntry,
  ReplacedChoices,
} from '../../../src/lib/contract/admin-library.ts'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { toIsoTime } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { getContentType } from '../../providers/library/media-types.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import {
  deleteLibraryChoice,
  type LibraryChoiceKey,
  type LibraryChoiceRow,
  upsertLibraryChoice,
} from '../../queries/library-choice.ts'
import {
  countFilesOfFolder,
  countLibraryFiles,
  countTitlesWithFile,
  type LibraryFileRow,
  selectLibraryFile,
  selectLibraryFiles,
} from '../../queries/library-file.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { parseId } from '../catalogue/titles.ts'
import type { RequestContext } from '../context.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { startJob } from '../jobs/jobs.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { toPage } from '../page.ts'
import { describeThumbnailState } from '../playback/seek-thumbnails-job.ts'
import { ADD_TITLES_JOB } from './add-titles-job.ts'
import { getLibrarySync } from './library-sync.ts'
import { listParentFolders } from './match-files.ts'

/** Value of the folder filter for files directly in the media folder. */
const ROOT_FOLDER = '/'
/**
 * A reply to a choice waits at most this long until the files are matched again. Matching can take long, because it
 * waits for a running scan.
 */
const MAX_MATCHING_MS = 5_000

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
export async function loadFile(context: RequestContext, fileId: string) {
  const { library } = context.deps.streamSources
  const row = await requireFile(context, fileId)
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
    subtitles: library?.listSubtitles(row.path) ?? [],
    folder_files: await countFilesWithSameName(context, row),
    can_search_tmdb: Boolean(context.deps.config.tmdbApiToken),
    ...describeChoice(context, row),
  }
}

/** Throws 422 when the scope is invalid, or when an episode number is needed but not given. */
export function validateChoice(
  context: RequestContext,
  row: LibraryFileRow,
  { type, scope, season, episode }: Omit<LibraryChoice, 'title_id'> & { type: string | undefined },
): void {
  const hasEpisodeNumbers = season !== undefined && episode !== undefined
  if (type === 'tv' && !hasEpisodeNumbers && describeChoice(context, row).needs_episode)
    throw createFieldProblem('episode', 'needed')
  // With numbers, all files of the folder would become one episode.
  const isFolderChoicePossible = hasParsedTitle(row) && !(type === 'tv' && hasEpisodeNumbers)
  if (scope === 'folder' && !isFolderChoicePossible) throw createFieldProblem('scope', 'invalid')
}

/**
 * Stores the title that an administrator chose for a file or a folder, or the choice that the files have no title.
 * Throws 404 for an unknown file or title, and 422 like `validateChoice`. Returns the file, and the choices that are
 * replaced.
 */
export async function chooseTitle(context: RequestContext, fileId: string, input: LibraryChoice) {
  const { deps } = context
  const row = await requireFile(context, fileId)
  const titleId = input.title_id === null ? null : parseId(input.title_id)
  const [title] = titleId === null ? [] : await selectTitlesInOrder(deps.database.primary, null, [titleId])
  if (titleId !== null && !title) throw new Problem('not_found')
  validateChoice(context, row, { ...input, type: title?.type })
  const hasEpisodeNumbers = input.season !== undefined && input.episode !== undefined
  const replaced = await deps.database.primary.transaction().execute(async (trx) => {
    const choiceKey = getChoiceKey(row, input.scope)
    const precedingRows: LibraryChoiceRow[] = []
    // Delete the choices that would take precedence over the new choice for the folder.
    for (const precedingKey of listChoiceKeys(row)) {
      if (precedingKey.scope === input.scope && precedingKey.path === choiceKey.path) break
      precedingRows.push(...(await deleteLibraryChoice(trx, precedingKey)))
    }
    const [replacedRow] = await upsertLibraryChoice(trx, {
      ...choiceKey,
      title_id: titleId,
      season_number: title?.type === 'tv' && hasEpisodeNumbers ? (input.season ?? null) : null,
      episode_number: title?.type === 'tv' && hasEpisodeNumbers ? (input.episode ?? null) : null,
      created_at: deps.now(),
    })
    await recordCallerAction(trx, context, { action: 'library_match', target: fileId })
    return [toReplacedChoice(choiceKey, replacedRow), ...precedingRows.map(toDeletedChoice)]
  })
  return { ...(await applyChoices(context, row.file_id)), replaced }
}

/**
 * Deletes the choice for a file. If the file has no choice of its own, deletes the choice for the closest folder that
 * applies to it. Returns the file and the deleted choice.
 */
export async function deleteChoice(context: RequestContext, fileId: string) {
  const { deps } = context
  const row = await requireFile(context, fileId)
  const replaced = await deps.database.primary.transaction().execute(async (trx) => {
    await recordCallerAction(trx, context, { action: 'library_unmatch', target: fileId })
    for (const choiceKey of listChoiceKeys(row)) {
      const deletedRows = await deleteLibraryChoice(trx, choiceKey)
      if (deletedRows.length > 0) return deletedRows.map(toDeletedChoice)
    }
    return []
  })
  return { ...(await applyChoices(context, row.file_id)), replaced }
}

/**
 * Restores the choices that `chooseTitle` or `deleteChoice` has replaced or deleted for this file. They can include
 * choices for folders other than the folder for which `chooseTitle` stores a choice of this file. Throws 404 for an
 * unknown file or title, and 422 for a folder that does not contain the file.
 */
export async function restoreChoices(context: RequestContext, fileId: string, choices: ReplacedChoices) {
  const { deps } = context
  const row = await requireFile(context, fileId)
  await deps.database.primary.transaction().execute(async (trx) => {
    for (const { folder, choice } of choices) {
      const choiceKey = listChoiceKeys(row).find((key) => getFolderOfKey(key) === folder)
      if (!choiceKey) throw createFieldProblem('folder', 'invalid')
      if (!choice) await deleteLibraryChoice(trx, choiceKey)
      else
        await upsertLibraryChoice(trx, {
          ...choiceKey,
          title_id: choice.title_id === null ? null : parseId(choice.title_id),
          season_number: choice.season ?? null,
          episode_number: choice.episode ?? null,
          created_at: deps.now(),
        })
    }
    await recordCallerAction(trx, context, { action: 'library_match', target: fileId })
  })
  return applyChoices(context, row.file_id)
}

/** Matches the files again and returns the file. During a long scan, the file can still have its previous match. */
async function applyChoices(context: RequestContext, fileId: number): Promise<LibraryFileEntry> {
  await Promise.race([
    getLibrarySync(context.deps)?.matchAgain(),
    setTimeout(MAX_MATCHING_MS, undefined, { ref: false }),
  ])
  const [fileEntry] = await toFileEntries(context, [await requireFile(context, String(fileId))])
  return fileEntry as LibraryFileEntry
}

const getFolderOfKey = ({ scope, path }: LibraryChoiceKey) => (scope === 'file' ? null : path)

/** Describes the choice that was stored with a key before a change: `row`, or no choice. */
const toReplacedChoice = (
  choiceKey: LibraryChoiceKey,
  row: LibraryChoiceRow | undefined,
): ReplacedChoices[number] => ({
  folder: getFolderOfKey(choiceKey),
  choice: row
    ? {
        title_id: row.title_id === null ? null : String(row.title_id),
        ...(row.season_number !== null && { season: row.season_number }),
        ...(row.episode_number !== null && { episode: row.episode_number }),
      }
    : null,
})
const toDeletedChoice = (row: LibraryChoiceRow) => toReplacedChoice(row, row)

export async function requireFile({ deps }: RequestContext, fileId: string): Promise<LibraryFileRow> {
  const row = deps.streamSources.library
    ? await selectLibraryFile(deps.database.primary, parseId(fileId))
    : undefined
  if (!row) throw new Problem('not_found')
  return row
}

const getParentFolder = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))
const hasParsedTitle = (row: LibraryFileRow) => foldSearchText(row.parsed_title ?? '') !== ''

/**
 * Returns the key of a choice. For the scope `file`, the key is the path of the file. For the scope `folder`, the key
 * is a folder, a kind and a parsed title, so that the choice applies only to files of the folder with this parsed
 * title. For a series, the folder is the parent of the file's folder, so that the choice applies to all seasons, unless
 * the file's folder is at the top of the media folder.
 */
function getChoiceKey(row: LibraryFileRow, scope: 'file' | 'folder'): LibraryChoiceKey {
  if (scope === 'file') return { path: row.path, scope, kind: '', parsed_title: '' }
  const folder = getParentFolder(row.path)
  const choicePath = row.named_kind === 'tv' && folder.includes('/') ? getParentFolder(folder) : folder
  return {
    path: choicePath,
    scope,
    kind: row.named_kind,
    parsed_title: foldSearchText(row.parsed_title ?? ''),
  }
}

/** Returns the keys of the choices that can apply to a file, in the order of their precedence. */
function listChoiceKeys(row: LibraryFileRow): LibraryChoiceKey[] {
  const folderKey = getChoiceKey(row, 'folder')
  return [getChoiceKey(row, 'file'), ...listParentFolders(row.path).map((path) => ({ ...folderKey, path }))]
}

async function toFileEntries(
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

/**
 * Returns whether an administrator who chooses a title must also enter an episode number. This is necessary if the
 * file name contains neither an episode number nor the date of a known episode. The episodes in the file name are read
 * from the index of the media folder, because the row contains the episodes of the chosen title instead.
 */
function describeChoice({ deps }: RequestContext, { path, episodes, reason }: LibraryFileRow) {
  const indexedFile = deps.streamSources.library?.listFiles()?.find((file) => file.path === path)
  if (!indexedFile) return { needs_episode: episodes === '[]' }
  const hasUsableDate = indexedFile.airDate !== undefined && reason !== 'no_episode'
  return { needs_episode: indexedFile.episodes.length === 0 && !hasUsableDate }
}

async function countFilesWithSameName({ deps }: RequestContext, row: LibraryFileRow): Promise<number> {
  if (!hasParsedTitle(row)) return 0
  const { named_kind, parsed_title } = row
  const { path } = getChoiceKey(row, 'folder')
  return countFilesOfFolder(deps.database.primary, { folderPath: path, named_kind, parsed_title })
}

export const startLibraryScan = (context: RequestContext) => startLibraryJob(context, 'library_scan')
export const startAddTitles = (context: RequestContext) => startLibraryJob(context, ADD_TITLES_JOB)

function startLibraryJob(context: RequestContext, kind: string) {
  if (!context.deps.streamSources.library)
    throw new Problem('conflict', {
      message: 'No media folder is configured: set MEDIA_DIR.',
      errors: { library: ['not_configured'] },
    })
  return startJob(context, kind)
}

/** Job handler: scans the media folder. */
export async function runLibraryScan({ deps, reportProgress, signal }: JobContext) {
  const librarySync = getLibrarySync(deps)
  if (!librarySync) throw new JobFailure('not_configured')
  const continueScan = async (doneCount: number, totalCount: number) => {
    signal.throwIfAborted()
    await reportProgress(doneCount, totalCount)
  }
  const syncReport = await librarySync.scan(continueScan).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'ENOTDIR')
      throw new JobFailure('folder_unreadable')
    throw error
  })
  return { report: { ...syncReport } }
}
