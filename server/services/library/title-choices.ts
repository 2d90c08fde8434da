/** The titles that administrators choose for files and folders of the media folder. */

import { setTimeout } from 'node:timers/promises'
import type {
  LibraryChoice,
  LibraryFileEntry,
  ReplacedChoices,
} from '../../../src/lib/contract/admin-library.ts'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { getParentFolder } from '../../providers/library/file-path.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import {
  deleteLibraryChoice,
  type LibraryChoiceKey,
  type LibraryChoiceRow,
  upsertLibraryChoice,
} from '../../queries/library-choice.ts'
import { countFilesOfFolder, type LibraryFileRow } from '../../queries/library-file.ts'
import { parseId } from '../catalogue/titles.ts'
import type { RequestContext } from '../context.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { requireLibraryFile, toFileEntries } from './file-entries.ts'
import { getLibrarySync } from './library-sync.ts'
import { listParentFolders } from './match-files.ts'

/**
 * The reply to a choice waits at most this long for the new match of the files. Matching can take long, because it
 * waits for a running scan.
 */
const MAX_REMATCH_WAIT_MS = 5_000

/** Throws 422 when a choice for the folder is not possible, or when an episode number is needed but not given. */
export function validateChoice(
  context: RequestContext,
  row: LibraryFileRow,
  { type, scope, season, episode }: Omit<LibraryChoice, 'title_id'> & { type: string | undefined },
): void {
  const hasEpisodeNumbers = season !== undefined && episode !== undefined
  if (type === 'tv' && !hasEpisodeNumbers && isEpisodeNumberNeeded(context, row))
    throw createFieldProblem('episode', 'needed')
  // A choice with episode numbers for a folder would assign every file of the folder to the same episode.
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
  const row = await requireLibraryFile(context, fileId)
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
  return { ...(await rematchAndLoadFile(context, row.file_id)), replaced }
}

/**
 * Deletes the choice for a file. If the file has no choice of its own, deletes the choice for the closest folder that
 * applies to it. Returns the file and the deleted choice.
 */
export async function deleteChoice(context: RequestContext, fileId: string) {
  const { deps } = context
  const row = await requireLibraryFile(context, fileId)
  const replaced = await deps.database.primary.transaction().execute(async (trx) => {
    await recordCallerAction(trx, context, { action: 'library_unmatch', target: fileId })
    for (const choiceKey of listChoiceKeys(row)) {
      const deletedRows = await deleteLibraryChoice(trx, choiceKey)
      if (deletedRows.length > 0) return deletedRows.map(toDeletedChoice)
    }
    return []
  })
  return { ...(await rematchAndLoadFile(context, row.file_id)), replaced }
}

/**
 * Restores the choices that `chooseTitle` or `deleteChoice` has replaced or deleted for this file. A choice can be for
 * the file itself, or for any folder that contains the file. Throws 404 for an unknown file or title, and 422 for a
 * folder that does not contain the file.
 */
export async function restoreChoices(context: RequestContext, fileId: string, choices: ReplacedChoices) {
  const { deps } = context
  const row = await requireLibraryFile(context, fileId)
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
  return rematchAndLoadFile(context, row.file_id)
}

/** Matches the files again and returns the file. During a long scan, the file can still have its previous match. */
async function rematchAndLoadFile(context: RequestContext, fileId: number): Promise<LibraryFileEntry> {
  await Promise.race([
    getLibrarySync(context.deps)?.rematchFiles(),
    setTimeout(MAX_REMATCH_WAIT_MS, undefined, { ref: false }),
  ])
  const [fileEntry] = await toFileEntries(context, [await requireLibraryFile(context, String(fileId))])
  return fileEntry as LibraryFileEntry
}

const getFolderOfKey = ({ scope, path }: LibraryChoiceKey) => (scope === 'file' ? null : path)

/** Returns the previous choice of a key, in the format of the API. Without `row`, the key had no choice. */
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

const hasParsedTitle = (row: LibraryFileRow) => foldSearchText(row.parsed_title ?? '') !== ''

/**
 * Returns the key of a choice. For the scope `file`, the key is the path of the file. For the scope `folder`, the key
 * is a folder, a kind and a parsed title, so that the choice applies only to files of the folder with this parsed
 * title. For a series, the folder is the parent of the file's folder, so that the choice applies to all seasons. For a
 * folder at the top of the media folder, the choice applies to this folder itself.
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

/**
 * True if an administrator who chooses a series must also enter an episode number. The number is necessary if the file
 * name contains neither an episode number nor the date of a known episode. The episodes in the file name are read from
 * the index of the media folder, because the row contains the episodes of the chosen title instead.
 */
export function isEpisodeNumberNeeded(
  { deps }: RequestContext,
  { path, episodes, reason }: LibraryFileRow,
): boolean {
  const indexedFile = deps.streamSources.library?.listFiles()?.find((file) => file.path === path)
  if (!indexedFile) return episodes === '[]'
  const hasUsableDate = indexedFile.airDate !== undefined && reason !== 'no_episode'
  return indexedFile.episodes.length === 0 && !hasUsableDate
}

/** Returns the number of files to which a choice for the folder of a file would apply. */
export async function countFilesOfFolderChoice(
  { deps }: RequestContext,
  row: LibraryFileRow,
): Promise<number> {
  if (!hasParsedTitle(row)) return 0
  const { named_kind, parsed_title } = row
  const { path } = getChoiceKey(row, 'folder')
  return countFilesOfFolder(deps.database.primary, { folderPath: path, named_kind, parsed_title })
}
