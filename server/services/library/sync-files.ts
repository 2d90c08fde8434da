/** Writes the files of the media folder and their titles to the database. Writes nothing when nothing has changed. */
import { setImmediate } from 'node:timers/promises'
import type { ContentProblem } from '../../providers/library/content-problem.ts'
import { isInFolder } from '../../providers/library/folder-tree.ts'
import type { Library } from '../../providers/library/library.ts'
import type { LibraryFile } from '../../providers/library/library-index.ts'
import { getMainCandidate } from '../../providers/library/title-name.ts'
import { type LibraryChoiceRow, selectLibraryChoices } from '../../queries/library-choice.ts'
import {
  type LibraryFileInsert,
  type LibraryFileRow,
  selectAllLibraryFiles,
  selectLibraryFilesByPaths,
  writeLibraryFiles,
} from '../../queries/library-file.ts'
import { insertMissingEpisodes, type MissingEpisode } from '../../queries/missing-episode.ts'
import {
  type FileMove,
  type LibraryChoiceMoves,
  moveLibraryChoices,
  updateMediaFilePaths,
} from '../../queries/moved-file.ts'
import type { Deps } from '../deps.ts'
import { changeSourcesAndUpdateAvailability } from './availability-requests.ts'
import { type CatalogueLookup, loadCatalogueLookup } from './catalogue-lookup.ts'
import { createFileMatcher, type FileMatch } from './match-files.ts'
import { computeChoiceMoves, findMovedFiles } from './moved-files.ts'

type LibrarySyncMode =
  /** Matches the stored files again. Adds and removes no files. */
  | 'match'
  /** Matches the stored files again. Adds new files and removes missing files. */
  | 'update'
  /** Like `update`, but only for the files and paths in `changes` (`FileChanges`). */
  | 'changes'
  /** Like `update`, and also reads the size and the modification time of all files. */
  | 'scan'

/**
 * Files to add or to match again, such as files whose name or NFO file has changed, and paths of files that no longer
 * exist.
 */
export interface FileChanges {
  files: readonly LibraryFile[]
  removedPaths: readonly string[]
}

export interface LibrarySyncReport {
  files: number
  matched: number
  unmatched: number
  ignored: number
  added: number
  changed: number
  removed: number
}

interface LibrarySyncOptions {
  mode: LibrarySyncMode
  changes?: FileChanges
  reportProgress?: (doneCount: number, totalCount: number) => Promise<void>
  /**
   * Called for each examined file. `problem` is the reason why the file cannot be played; null if the file can be
   * played.
   */
  onContent?: (file: LibraryFile, problem: ContentProblem | null) => void
}

const FILES_PER_TURN = 200
const MAX_PARALLEL_STAT_CALLS = 16

/**
 * Matches the files to titles and writes the changes. Returns the numbers of files and changes; null before the first
 * scan of the folder. Only one call at a time may run in the installation.
 */
export async function syncLibraryFiles(
  deps: Deps,
  library: Library,
  { mode, changes, reportProgress, onContent }: LibrarySyncOptions,
): Promise<LibrarySyncReport | null> {
  const files = changes?.files ?? library.listFiles()
  if (!files) return null
  const { primary } = deps.database
  const storedChoices = await selectLibraryChoices(primary)
  const catalogue = await loadCatalogueLookup(primary, files, storedChoices)
  const rows = await (changes
    ? selectLibraryFilesByPaths(primary, [...changes.files.map((file) => file.path), ...changes.removedPaths])
    : selectAllLibraryFiles(primary))
  const storedRowsByPath = new Map(rows.map((row) => [row.path, row]))
  const unreadableFolders = await library.findUnreadableFolders()
  const isRemoved = ({ path }: LibraryFileRow) =>
    mode !== 'match' && !unreadableFolders.some((folder) => isInFolder(path, folder))
  const indexedPaths = new Set(files.map(({ path }) => path))
  const newFiles = mode === 'match' ? [] : files.filter(({ path }) => !storedRowsByPath.has(path))
  const movedFiles = await findMovedFiles(
    library,
    newFiles,
    rows.filter((row) => !indexedPaths.has(row.path) && isRemoved(row)),
  )
  for (const { file, row } of movedFiles) {
    storedRowsByPath.delete(row.path)
    storedRowsByPath.set(file.path, row)
  }
  const { choiceMoves, matchFile } = moveChoicesAndCreateMatcher(catalogue, storedChoices, {
    movedFiles,
    newFiles,
    allFiles: library.listFiles() ?? files,
  })
  const newEpisodes: MissingEpisode[] = []
  const addedRows: LibraryFileInsert[] = []
  const changedRows: LibraryFileRow[] = []
  const syncReport = { files: 0, matched: 0, unmatched: 0, ignored: 0, added: 0, changed: 0, removed: 0 }
  const syncFile = async (file: LibraryFile) => {
    const storedRow = storedRowsByPath.get(file.path)
    storedRowsByPath.delete(file.path)
    if (mode === 'match' && !storedRow) return
    const { stats, problem } = await examineContent(library, file, mode, storedRow)
    onContent?.(file, problem)
    const match = unmatchUnplayableFile(matchFile(file), problem)
    syncReport.files += 1
    syncReport[match.state] += 1
    newEpisodes.push(...listNewEpisodes(catalogue, match))
    const row = toLibraryFileRow(file, match, stats ?? { sizeBytes: 0, modifiedAtMs: 0 })
    if (!storedRow) addedRows.push({ ...row, added_at: deps.now() })
    else if (hasChanged(storedRow, row)) changedRows.push({ ...storedRow, ...row })
  }
  for (let startIndex = 0; startIndex < files.length; startIndex += MAX_PARALLEL_STAT_CALLS) {
    await Promise.all(files.slice(startIndex, startIndex + MAX_PARALLEL_STAT_CALLS).map(syncFile))
    if (startIndex % FILES_PER_TURN < MAX_PARALLEL_STAT_CALLS) {
      await reportProgress?.(startIndex, files.length)
      await setImmediate()
    }
  }
  const removedFileIds = [...storedRowsByPath.values()].filter(isRemoved).map((row) => row.file_id)
  await writeFileChanges(
    deps,
    { addedRows, changedRows, removedIds: removedFileIds },
    { moves: movedFiles.map(({ file, row }) => ({ oldPath: row.path, newPath: file.path })), choiceMoves },
    newEpisodes,
  )
  await reportProgress?.(files.length, files.length)
  return {
    ...syncReport,
    added: addedRows.length,
    changed: changedRows.length,
    removed: removedFileIds.length,
  }
}

/** Returns the changes to the stored choices after files were moved, and a matcher that uses the changed choices. */
function moveChoicesAndCreateMatcher(
  catalogue: CatalogueLookup,
  storedChoices: readonly LibraryChoiceRow[],
  files: Omit<Parameters<typeof computeChoiceMoves>[1], 'hasOwnMatch'>,
): { choiceMoves: LibraryChoiceMoves; matchFile: (file: LibraryFile) => FileMatch } {
  const matchFileByName = createFileMatcher(catalogue, [])
  const choiceMoves = computeChoiceMoves(storedChoices, {
    ...files,
    hasOwnMatch: (file) => matchFileByName(file).titleId !== null,
  })
  const matchFile = createFileMatcher(catalogue, [
    ...storedChoices.filter(({ choice_id }) => !choiceMoves.removedIds.includes(choice_id)),
    ...choiceMoves.addedRows.map((row) => ({ ...row, choice_id: 0 })),
  ])
  return { choiceMoves, matchFile }
}

const isContentProblem = (reason: string | null): boolean => reason === 'empty' || reason === 'unreadable'

/**
 * Returns the size, the modification time and the content problem of a file. Outside a scan, returns the stored values
 * of a file whose content could be played. In all other cases, reads the size and the time. Then checks the content if
 * the file is new, could not be played before, or has a new size or time.
 */
async function examineContent(
  library: Library,
  { path }: LibraryFile,
  mode: LibrarySyncMode,
  storedRow: LibraryFileRow | undefined,
): Promise<{
  stats: { sizeBytes: number; modifiedAtMs: number } | null
  problem: ContentProblem | null
}> {
  const trustedStats =
    storedRow && !isContentProblem(storedRow.reason)
      ? { sizeBytes: Number(storedRow.size_bytes), modifiedAtMs: Number(storedRow.modified_at) }
      : null
  if (trustedStats && mode !== 'scan') return { stats: trustedStats, problem: null }
  const stats = await library.locateFile(path)
  // The file was not found although the index contains it. Its folder probably cannot be read at the moment, so
  // the stored values are kept.
  if (trustedStats && !stats) return { stats: trustedStats, problem: null }
  const isFileUnchanged =
    trustedStats !== null &&
    trustedStats.sizeBytes === stats?.sizeBytes &&
    trustedStats.modifiedAtMs === Math.floor(stats.modifiedAtMs)
  return { stats, problem: isFileUnchanged ? null : await library.findContentProblem(path) }
}

/**
 * Returns the match without its title if the content of the file cannot be played, so that the title is not offered for
 * playback. The title becomes a candidate. The problem becomes the reason of the match, so that no title is added for
 * a file without a title until the content of the file can be played.
 */
function unmatchUnplayableFile(match: FileMatch, problem: ContentProblem | null): FileMatch {
  if (problem === null || match.state === 'ignored') return match
  const { titleId, candidates } = match
  return {
    ...match,
    state: 'unmatched',
    reason: problem,
    matchedBy: null,
    titleId: null,
    candidates: titleId === null ? candidates : [titleId],
  }
}

function toLibraryFileRow(
  { path, kind, candidates, quality }: LibraryFile,
  match: FileMatch,
  { sizeBytes, modifiedAtMs }: { sizeBytes: number; modifiedAtMs: number },
) {
  const mainCandidate = getMainCandidate({ kind, candidates })
  return {
    path,
    folder: path.includes('/') ? path.slice(0, path.indexOf('/')) : '',
    size_bytes: sizeBytes,
    modified_at: Math.floor(modifiedAtMs),
    kind: match.kind,
    named_kind: kind,
    parsed_title: mainCandidate?.title || null,
    parsed_year: mainCandidate?.year ?? null,
    season_number: match.season,
    episodes: JSON.stringify(match.episodes),
    quality,
    state: match.state,
    reason: match.reason,
    matched_by: match.matchedBy,
    title_id: match.titleId,
    candidates: JSON.stringify(match.candidates),
  }
}

/**
 * True if a value of the row differs from the stored row. PostgreSQL returns large integers as text, so values are
 * compared as text.
 */
function hasChanged(storedRow: LibraryFileRow, row: ReturnType<typeof toLibraryFileRow>): boolean {
  return Object.entries(row).some(
    ([column, value]) => String(storedRow[column as keyof LibraryFileRow]) !== String(value),
  )
}

/**
 * Writes the changes of files and updates which titles are available. The update is needed even if no file has changed,
 * because a title may have been deleted or restored.
 */
const writeFileChanges = (
  deps: Deps,
  changes: Parameters<typeof writeLibraryFiles>[1],
  { moves, choiceMoves }: { moves: readonly FileMove[]; choiceMoves: LibraryChoiceMoves },
  newEpisodes: readonly MissingEpisode[],
): Promise<void> =>
  changeSourcesAndUpdateAvailability(deps, async (trx) => {
    await insertMissingEpisodes(trx, newEpisodes)
    await writeLibraryFiles(trx, changes)
    await updateMediaFilePaths(trx, moves)
    await moveLibraryChoices(trx, choiceMoves)
    return changes.addedRows.length + changes.changedRows.length + changes.removedIds.length > 0
  })

/** Returns the episodes of a matched file that are missing in the catalogue. */
const listNewEpisodes = (
  catalogue: CatalogueLookup,
  { titleId, season, episodes }: FileMatch,
): MissingEpisode[] =>
  titleId === null
    ? []
    : episodes
        .filter((episode) => catalogue.isNewEpisode(titleId, season, episode))
        .map((episode) => ({ titleId, season, episode }))
