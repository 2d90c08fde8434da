/** One folder of the library, looked at anew. */
import { readFile, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { insideOf } from './confine.ts'
import { NFO_MOST_BYTES, type Nfo, readNfo } from './nfo.ts'
import { list, type Tree, under, walk } from './tree.ts'

interface Known {
  root: string
  tree: Tree
  notes: Map<string, Nfo | null>
}

/** New ones below it are walked, lost ones forgotten, its notes read again. Says whether anything is different. */
export async function refresh({ root, tree, notes }: Known, folder: string): Promise<boolean> {
  const before = tree.get(folder)
  if (!before && folder !== '') return false
  const stale = [...notes.keys()].filter(
    (note) => note.slice(0, Math.max(note.lastIndexOf('/'), 0)) === folder,
  )
  for (const note of stale) notes.delete(note)
  const found = await list(root, folder)
  if (!found) {
    if (folder !== '') forget(tree, folder)
    return folder !== ''
  }
  tree.set(folder, found)
  const now = new Set(found.folders)
  for (const name of before?.folders ?? []) if (!now.has(name)) forget(tree, under(folder, name))
  for (const name of found.folders) {
    if (!tree.has(under(folder, name))) await walk(root, under(folder, name), tree)
  }
  return stale.length > 0 || !isDeepStrictEqual(before, found)
}

function forget(tree: Tree, folder: string): void {
  for (const path of tree.keys()) if (path === folder || path.startsWith(`${folder}/`)) tree.delete(path)
}

/** Null for one that is not there, too large, or outside. */
export async function readNote(root: string, path: string): Promise<Nfo | null> {
  const real = await insideOf(root, path)
  const stats = real === null ? null : await stat(real).catch(() => null)
  if (real === null || !stats?.isFile() || stats.size > NFO_MOST_BYTES) return null
  return readFile(real).then(readNfo, () => null)
}
