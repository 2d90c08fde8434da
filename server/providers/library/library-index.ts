/**
 * The library index: every video file of the library with the information in its name and its NFO file. It is rebuilt
 * from the folder tree after each change.
 */
import { setImmediate } from 'node:timers/promises'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { type ClassifiedFile, classifyFile, DISC_FOLDER, isDiscFile, isExtraFile } from './classify-file.ts'
import { type FolderTree, joinPath, type LibraryFolder } from './folder-tree.ts'
import { getFileExtension, SUBTITLE_EXTENSIONS } from './media-types.ts'
import type { Nfo } from './nfo.ts'
import type { TitleCandidate, TitleIds } from './title-name.ts'

/** The information about a title in the names of a file and its folders and in its NFO file. */
export interface TitleIdentity {
  ids: TitleIds
  candidates: TitleCandidate[]
}

/**
 * Why a file cannot be matched by its name: it is a trailer, sample or other extra, it is a part of a film, it belongs to the
 * copy of a disc, or its name has no title.
 */
type NameProblem = 'extra' | 'part' | 'disc' | 'no_name'

export interface LibraryFile
  extends TitleIdentity,
    Omit<ClassifiedFile, keyof TitleIdentity | 'titleFolder'> {
  /** Relative to the media folder, separated by `/`. */
  path: string
  problem: NameProblem | null
}

export interface LibraryIndex {
  /** All video files, sorted by folder and name. */
  files: LibraryFile[]
  /** Quality by path, for files whose name states it. */
  quality: Map<string, string>
  /** Number of files that have a usable name. */
  fileCount: number
}
export type ReadNfo = (path: string) => Promise<Nfo | null>

/** Files processed before yielding to the event loop: about two milliseconds of work. */
const FILES_PER_TURN = 100
const STACKED_FILE = /^(.*?)[ ._-]+(?:cd|dis[ck]|dvd|part|pt)[ ._-]*([1-9a-d])$/i
const NO_TITLE: Omit<LibraryFile, 'path' | 'problem'> = {
  kind: 'movie',
  season: 0,
  episodes: [],
  ids: {},
  candidates: [],
  quality: null,
}

interface IndexBuild {
  index: LibraryIndex
  /** Files of one folder with the same names and ids share their identity, so that an NFO file is read once. */
  identities: Map<string, TitleIdentity>
  readNfo: ReadNfo
  tree: FolderTree
}

/** Builds the index of all files in the tree. `classify` may be a cached `classifyFile`. */
export async function buildLibraryIndex(
  tree: FolderTree,
  readNfo: ReadNfo,
  classify: (path: string) => ClassifiedFile | null = classifyFile,
): Promise<LibraryIndex> {
  const index: LibraryIndex = { files: [], quality: new Map(), fileCount: 0 }
  const build: IndexBuild = { index, identities: new Map(), readNfo, tree }
  let processedCount = 0
  for (const [folderPath, folder] of tree) {
    const stackedFiles = findStackedFiles(folder)
    const isDiscOfSeveral = hasOtherDiscs(tree, folderPath)
    for (const file of folder.files) {
      processedCount += 1
      if (processedCount % FILES_PER_TURN === 0) await setImmediate()
      if (!isVideo(file)) continue
      const path = joinPath(folderPath, file)
      const classified = classify(path)
      if (!isIndexed(classified, file, folder)) continue
      const isPart = stackedFiles.has(file) || (isDiscOfSeveral && classified?.kind === 'movie')
      if (isDiscFile(path)) index.files.push({ ...NO_TITLE, ...classified, path, problem: 'disc' })
      else if (isPart) index.files.push({ ...NO_TITLE, ...classified, path, problem: 'part' })
      else if (classified) await addFile(build, path, classified)
      else index.files.push({ ...NO_TITLE, path, problem: isExtraFile(path) ? 'extra' : 'no_name' })
    }
  }
  return index
}

const isVideo = (file: string) => !['nfo', ...SUBTITLE_EXTENSIONS].includes(getFileExtension(file))

/**
 * Returns whether a file is added to the index. Segments of HLS streams are not. In a folder with a playlist, other
 * files need a year, an episode number or an id in their name.
 */
function isIndexed(classified: ClassifiedFile | null, file: string, folder: LibraryFolder): boolean {
  return (
    !folder.isHlsStream ||
    getFileExtension(file) === 'm3u8' ||
    (classified !== null && (/[([]\d{4}[)\]]|s\d+e\d+/i.test(file) || classified.ids.imdb !== undefined))
  )
}

/**
 * Returns the files that are parts of a video ("cd1", "cd2"). They cannot be played as one video, so they are not
 * matched.
 */
function findStackedFiles({ files }: LibraryFolder): Set<string> {
  const parts = new Map<string, string[]>()
  for (const name of files) {
    const match = isVideo(name) ? STACKED_FILE.exec(name.slice(0, -getFileExtension(name).length - 1)) : null
    if (match)
      parts.set(foldSearchText(match[1] ?? ''), [...(parts.get(foldSearchText(match[1] ?? '')) ?? []), name])
  }
  return new Set([...parts.values()].filter((names) => names.length > 1).flat())
}

/** True for the folder of one disc, if the film has folders of other discs too. */
function hasOtherDiscs(tree: FolderTree, folderPath: string): boolean {
  const [, parentPath = '', name = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(folderPath) ?? []
  if (!DISC_FOLDER.test(name)) return false
  return (tree.get(parentPath)?.folders.filter((folder) => DISC_FOLDER.test(folder)).length ?? 0) > 1
}

async function addFile(build: IndexBuild, path: string, classified: ClassifiedFile): Promise<void> {
  const { identities, index } = build
  const { titleFolder, ...fields } = classified
  const { kind, quality } = fields
  const titleText = classified.candidates
    .map((candidate) => `${foldSearchText(candidate.title)}/${candidate.year}`)
    .join('|')
  const key = `${kind} ${titleFolder} ${classified.ids.imdb ?? classified.ids.tmdb ?? ''} ${titleText}`
  let identity = identities.get(key)
  if (!identity) {
    const nfo = classified.ids.imdb ? null : await findNfo(build, path, classified)
    identity = {
      ids: { ...nfo?.ids, ...classified.ids },
      candidates: [...classified.candidates, ...createNfoCandidates(nfo)],
    }
    identities.set(key, identity)
  }
  const { ids, candidates } = identity
  index.files.push({ ...fields, path, ids, candidates, problem: null })
  if (quality) index.quality.set(path, quality)
  index.fileCount += 1
}

/** Returns the title and year of an NFO file as a candidate; empty unless it has both. */
function createNfoCandidates(nfo: Nfo | null): TitleCandidate[] {
  return nfo?.title && nfo.year ? [{ title: nfo.title, year: nfo.year }] : []
}

async function findNfo(
  { tree, readNfo }: IndexBuild,
  path: string,
  classified: ClassifiedFile,
): Promise<Nfo | null> {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  const ownNfo = `${path.slice(0, -getFileExtension(path).length - 1)}.nfo`
  const nfoPaths =
    classified.kind === 'tv'
      ? [joinPath(classified.titleFolder, 'tvshow.nfo')]
      : [ownNfo, joinPath(folder, 'movie.nfo'), joinPath(classified.titleFolder, 'movie.nfo')]
  for (const nfoPath of nfoPaths) {
    const slash = nfoPath.lastIndexOf('/')
    if (tree.get(nfoPath.slice(0, Math.max(slash, 0)))?.files.includes(nfoPath.slice(slash + 1)))
      return readNfo(nfoPath)
  }
  return null
}
