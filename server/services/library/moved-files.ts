/**
 * Finds files of the media folder that were moved or renamed. Computes which choices (the titles that administrators
 * have chosen for files or folders, table `library_choice`) must be moved or deleted as a result.
 */

import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { classifyFile } from '../../providers/library/classify-file.ts'
import { getParentFolder } from '../../providers/library/file-path.ts'
import { isInFolder } from '../../providers/library/folder-tree.ts'
import type { Library } from '../../providers/library/library.ts'
import type { LibraryFile } from '../../providers/library/library-index.ts'
import { getMainCandidate } from '../../providers/library/title-name.ts'
import type { LibraryChoiceKey, LibraryChoiceRow } from '../../queries/library-choice.ts'
import { DELETED_TITLE_SCOPE, type LibraryFileRow, splitIntoChunks } from '../../queries/library-file.ts'
import type { LibraryChoiceMoves } from '../../queries/moved-file.ts'

export interface MovedFile {
  file: LibraryFile
  /** Row with the earlier path. */
  row: LibraryFileRow
}

const getFileName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/**
 * Pairs new files with rows of files that no longer exist. The files of a pair have the same size and modification
 * time. If several files have this size and time, a new file and a row are a pair only if no other new file and no
 * other row has their file name.
 */
export async function findMovedFiles(
  library: Library,
  newFiles: readonly LibraryFile[],
  missingRows: readonly LibraryFileRow[],
): Promise<MovedFile[]> {
  const rowsByVersion = Map.groupBy(
    missingRows.filter((row) => Number(row.size_bytes) > 0),
    (row) => `${row.size_bytes} ${row.modified_at}`,
  )
  if (rowsByVersion.size === 0) return []
  const locatedFiles: { file: LibraryFile; version: string }[] = []
  for (const files of splitIntoChunks(newFiles)) {
    const locations = await Promise.all(files.map(({ path }) => library.locateFile(path)))
    for (const [index, location] of locations.entries())
      if (location && files[index])
        locatedFiles.push({
          file: files[index],
          version: `${location.sizeBytes} ${Math.floor(location.modifiedAtMs)}`,
        })
  }
  const filesByVersion = Map.groupBy(locatedFiles, ({ version }) => version)
  const movedFiles: MovedFile[] = []
  for (const [version, versionFiles] of filesByVersion) {
    const files = versionFiles.map(({ file }) => file)
    const rows = rowsByVersion.get(version) ?? []
    for (const file of files) {
      const sameNameRows = rows.filter((row) => getFileName(row.path) === getFileName(file.path))
      const sameNameFiles = files.filter((other) => getFileName(other.path) === getFileName(file.path))
      const isOnlyPair = files.length === 1 && rows.length === 1
      const row =
        isOnlyPair || (sameNameRows.length === 1 && sameNameFiles.length === 1)
          ? (sameNameRows[0] ?? rows[0])
          : undefined
      if (row) movedFiles.push({ file, row })
    }
  }
  return movedFiles
}

/**
 * Returns the changes to the stored choices after files were moved. The choice for a moved file is kept if the new name
 * of the file states the same title. The choice of a title is also kept if the new name states no title of the
 * catalogue (`hasOwnMatch`). The choice for a folder is added for the new path if the folder or a folder above it was
 * moved. It is removed for the old path if no file is left there. If exactly one removed file with a choice is another
 * version of a new file in the same folder, the choice of the removed file moves to the new file.
 */
export function computeChoiceMoves(
  choices: readonly LibraryChoiceRow[],
  {
    movedFiles,
    newFiles,
    allFiles,
    hasOwnMatch,
  }: {
    movedFiles: readonly MovedFile[]
    newFiles: readonly LibraryFile[]
    allFiles: readonly LibraryFile[]
    hasOwnMatch: (file: LibraryFile) => boolean
  },
): LibraryChoiceMoves {
  if (choices.length === 0) return { removedIds: [], addedRows: [] }
  const moves: LibraryChoiceMoves = { removedIds: [], addedRows: [] }
  const createKey = ({ path, scope, kind, parsed_title }: LibraryChoiceKey) =>
    JSON.stringify([path, scope, kind, parsed_title])
  const usedChoiceKeys = new Set(choices.map(createKey))
  const addChoice = ({ choice_id: _choiceId, ...choice }: LibraryChoiceRow, path: string) => {
    const row = { ...choice, path }
    if (usedChoiceKeys.has(createKey(row))) return
    usedChoiceKeys.add(createKey(row))
    moves.addedRows.push(row)
  }
  const choicesOfLeftFolders = new Set<LibraryChoiceRow>()
  for (const { file, row } of movedFiles)
    for (const choice of choices) {
      const isChoiceOfFile = choice.path === row.path && ['file', DELETED_TITLE_SCOPE].includes(choice.scope)
      if (isChoiceOfFile) {
        moves.removedIds.push(choice.choice_id)
        const isChoiceKept = hasSameName(row, file) || (choice.title_id !== null && !hasOwnMatch(file))
        if (isChoiceKept) addChoice(choice, file.path)
      } else if (choice.scope === 'folder' && choice.path !== '' && isInFolder(row.path, choice.path)) {
        const folder = findMovedFolder(row.path, file.path, choice.path)
        if (folder === null || folder === choice.path) continue
        addChoice(choice, folder)
        choicesOfLeftFolders.add(choice)
      }
    }
  const allPaths = new Set(allFiles.map(({ path }) => path))
  const choicesOfRemovedFiles = choices.filter(
    ({ choice_id, scope, path }) =>
      scope === 'file' && !allPaths.has(path) && !moves.removedIds.includes(choice_id),
  )
  for (const file of newFiles) {
    const [choice, ...otherChoices] = choicesOfRemovedFiles.filter(({ path }) => isOtherVersion(path, file))
    if (!choice || otherChoices.length > 0) continue
    addChoice(choice, file.path)
    moves.removedIds.push(choice.choice_id)
  }
  for (const choice of choicesOfLeftFolders)
    if (!allFiles.some(({ path }) => isInFolder(path, choice.path))) moves.removedIds.push(choice.choice_id)
  return moves
}

/** True if the new name of a file states the same title as its earlier name. */
function hasSameName(row: LibraryFileRow, file: LibraryFile): boolean {
  const newTitle = getMainCandidate(file)?.title ?? ''
  return row.named_kind === file.kind && foldSearchText(row.parsed_title ?? '') === foldSearchText(newTitle)
}

/** True if a path names the same movie or episode as a file in the same folder: "Heat 720p.mkv", "Heat 1080p.mkv". */
function isOtherVersion(path: string, file: LibraryFile): boolean {
  if (getParentFolder(path) !== getParentFolder(file.path)) return false
  const namedFile = classifyFile(path)
  if (!namedFile || (file.kind === 'tv' && file.episodes.length === 0 && file.airDate === undefined))
    return false
  const getIdentity = (
    parsedFile: Pick<LibraryFile, 'kind' | 'season' | 'episodes' | 'airDate' | 'candidates'>,
  ) => {
    const { title = '', year = null } = getMainCandidate(parsedFile) ?? {}
    return JSON.stringify([
      parsedFile.kind,
      parsedFile.season,
      parsedFile.episodes,
      parsedFile.airDate,
      foldSearchText(title),
      year,
    ])
  }
  return getIdentity(namedFile) === getIdentity(file)
}

/**
 * Returns the new path of a folder that contained a moved file, if the path of the file within the folder is the same
 * as before. Otherwise returns null, because the file was moved within the folder or out of it.
 */
function findMovedFolder(oldPath: string, newPath: string, folder: string): string | null {
  const pathInFolder = oldPath.slice(folder.length)
  const newFolder = newPath.endsWith(pathInFolder) ? newPath.slice(0, -pathInFolder.length) : ''
  return newFolder === '' ? null : newFolder
}
