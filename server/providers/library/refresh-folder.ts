/** Reads one folder of the library again. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { getParentFolder } from './file-path.ts'
import {
  type FolderTree,
  isInFolder,
  joinPath,
  listFolder,
  type UnmountedCheck,
  walkFolders,
} from './folder-tree.ts'
import { MAX_NFO_BYTES, type Nfo, parseNfo } from './nfo.ts'
import { openFileInside } from './safe-open.ts'

interface LibraryTreeState {
  root: string
  tree: FolderTree
  nfosByPath: Map<string, Nfo | null>
  unreadableFolders: Set<string>
  isUnmounted?: UnmountedCheck
}

/**
 * Lists a folder of the tree again, walks its new and replaced subfolders, removes its deleted ones, and discards its
 * cached NFO files. If the folder cannot be read, does nothing. If its disk is not mounted, only adds the folder to
 * `unreadableFolders`. Returns true when the folder has changed or NFO files were discarded.
 */
export async function refreshFolder(
  { root, tree, nfosByPath, unreadableFolders, isUnmounted = () => false }: LibraryTreeState,
  folder: string,
): Promise<boolean> {
  const previousFolder = tree.get(folder)
  if (!previousFolder && folder !== '') return false
  const currentFolder = await listFolder(root, folder)
  if (currentFolder === 'unreadable') return false
  if (currentFolder && isUnmounted(folder, currentFolder, previousFolder)) {
    unreadableFolders.add(folder)
    return false
  }
  unreadableFolders.delete(folder)
  let hasReplacedFolder = false
  const cachedNfoPaths = [...nfosByPath.keys()].filter((nfoPath) => getParentFolder(nfoPath) === folder)
  for (const nfoPath of cachedNfoPaths) nfosByPath.delete(nfoPath)
  if (!currentFolder) {
    if (folder !== '') removeFromTree(tree, folder)
    return folder !== ''
  }
  tree.set(folder, currentFolder)
  const subfolders = new Set(currentFolder.folders)
  for (const name of previousFolder?.folders ?? [])
    if (!subfolders.has(name)) removeFromTree(tree, joinPath(folder, name))
  const subfolderPaths = currentFolder.folders.map((name) => joinPath(folder, name))
  const newOrReplacedFlags = await Promise.all(
    subfolderPaths.map((path) => isNewOrReplaced(root, tree, path)),
  )
  for (const path of subfolderPaths.filter((_, index) => newOrReplacedFlags[index])) {
    const previousTree = new Map([...tree].filter(([previousPath]) => isInFolder(previousPath, path)))
    removeFromTree(tree, path)
    for (const unreadablePath of await walkFolders(root, path, tree, previousTree, isUnmounted))
      unreadableFolders.add(unreadablePath)
    if (previousTree.size > 0) hasReplacedFolder = true
  }
  return hasReplacedFolder || cachedNfoPaths.length > 0 || !isDeepStrictEqual(previousFolder, currentFolder)
}

/** True if a folder is not in the tree, or if another folder has taken its path, for example by a rename or a mount. */
async function isNewOrReplaced(root: string, tree: FolderTree, path: string): Promise<boolean> {
  const knownFolder = tree.get(path)
  if (!knownFolder) return true
  const stats = await stat(join(root, path)).catch(() => null)
  return stats !== null && (stats.dev !== knownFolder.device || stats.ino !== knownFolder.inode)
}

function removeFromTree(tree: FolderTree, folder: string): void {
  for (const path of tree.keys()) if (isInFolder(path, folder)) tree.delete(path)
}

/** Reads an NFO file; null when it does not exist, is too large, or is outside the library. */
export async function readNfoFile(root: string, path: string): Promise<Nfo | null> {
  const openFile = await openFileInside(root, path)
  if (!openFile) return null
  try {
    return openFile.stats.size > MAX_NFO_BYTES ? null : parseNfo(await openFile.file.readFile())
  } catch {
    return null
  } finally {
    await openFile.file.close()
  }
}
