/** Reads one folder of the library again. */
import { readFile, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type FolderTree, isInFolder, joinPath, listFolder, walkFolders } from './folder-tree.ts'
import { MAX_NFO_BYTES, type Nfo, parseNfo } from './nfo.ts'
import { resolvePathInside } from './safe-open.ts'

interface LibraryState {
  root: string
  tree: FolderTree
  nfosByPath: Map<string, Nfo | null>
  unreadableFolders: Set<string>
}

/**
 * Lists a folder of the tree again, walks its new subfolders, removes its deleted ones, and discards its cached NFO
 * files. Changes nothing when the folder cannot be read. Returns true when the folder has changed or NFO files were
 * discarded.
 */
export async function refreshFolder(
  { root, tree, nfosByPath, unreadableFolders }: LibraryState,
  folder: string,
): Promise<boolean> {
  const previousFolder = tree.get(folder)
  if (!previousFolder && folder !== '') return false
  const currentFolder = await listFolder(root, folder)
  if (currentFolder === 'unreadable') return false
  const cachedNfoPaths = [...nfosByPath.keys()].filter(
    (nfoPath) => nfoPath.slice(0, Math.max(nfoPath.lastIndexOf('/'), 0)) === folder,
  )
  for (const nfoPath of cachedNfoPaths) nfosByPath.delete(nfoPath)
  if (!currentFolder) {
    if (folder !== '') removeFromTree(tree, folder)
    return folder !== ''
  }
  tree.set(folder, currentFolder)
  const subfolders = new Set(currentFolder.folders)
  for (const name of previousFolder?.folders ?? [])
    if (!subfolders.has(name)) removeFromTree(tree, joinPath(folder, name))
  for (const name of currentFolder.folders) {
    if (tree.has(joinPath(folder, name))) continue
    for (const path of await walkFolders(root, joinPath(folder, name), tree)) unreadableFolders.add(path)
  }
  return cachedNfoPaths.length > 0 || !isDeepStrictEqual(previousFolder, currentFolder)
}

function removeFromTree(tree: FolderTree, folder: string): void {
  for (const path of tree.keys()) if (isInFolder(path, folder)) tree.delete(path)
}

/** Reads an NFO file; null when it does not exist, is too large, or is outside the library. */
export async function readNfoFile(root: string, path: string): Promise<Nfo | null> {
  const realFilePath = await resolvePathInside(root, path)
  const stats = realFilePath === null ? null : await stat(realFilePath).catch(() => null)
  if (realFilePath === null || !stats?.isFile() || stats.size > MAX_NFO_BYTES) return null
  return readFile(realFilePath).then(parseNfo, () => null)
}
