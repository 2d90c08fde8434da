/**
 * The library index: every video file of the library with the information in its name and its NFO file. It is rebuilt
 * from the folder tree after each change.
 */
import { setImmediate } from 'node:timers/promises'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { ClassifiedFile } from './classified-file.ts'
import { classifyFile, DISC_FOLDER_PATTERN, isDiscFile } from './classify-file.ts'
import { isExtraFile } from './extras.ts'
import { type FolderTree, joinPath, type LibraryFolder } from './folder-tree.ts'
import { getFileExtension, removeFileExtension, SUBTITLE_EXTENSIONS } from './media-types.ts'
import type { Nfo } from './nfo.ts'
import { parseTitleName, type TitleCandidate, type TitleIds } from './title-name.ts'

/** The information about a title in the names of a file and its folders and in its NFO file. */
export interface TitleIdentity {
  ids: TitleIds
  candidates: TitleCandidate[]
}

/**
 * Why a file cannot be matched by its name: the file is an extra such as a trailer, one part of a movie, or a file of a
 * copied disc, or its name has no title.
 */
type FileNameProblem = 'extra' | 'part' | 'disc' | 'no_name'

export interface LibraryFile
  extends TitleIdentity,
    Omit<ClassifiedFile, keyof TitleIdentity | 'titleFolder'> {
  /** Path of the file relative to the media folder, separated by `/`. */
  path: string
  problem: FileNameProblem | null
}

export interface LibraryIndex {
  /** The video files, grouped by folder. The files of a folder are sorted by name. */
  files: LibraryFile[]
  /** Quality by path, for files whose name states it. */
  qualityByPath: Map<string, string>
  /** Number of files without a `problem`. */
  usableFileCount: number
}
export type ReadNfo = (path: string) => Promise<Nfo | null>

/** Number of files that are processed before yielding to the event loop: about two milliseconds of work. */
const FILES_PER_TURN = 100
const STACKED_FILE_PATTERN =
  /^(.*?)[ ._-]+[([]?(?:(?:cd|dis[ck]|dvd|part|pt|teil|partie|parte)[ ._-]*[1-9a-d]|[1-9][ ._]?of[ ._]?[2-9])[)\]]?$/i
/**
 * The number of a disc before other words, as in "Heat.1995.CD1.DVDRip-GROUP". "DVD5" and "DVD9" are sizes of discs.
 * Other words after "Part 1" usually mean that "Part 1" belongs to the title of a movie, so only "part1" is recognised
 * here.
 */
const DISC_IN_NAME_PATTERN =
  /^(.*?)[ ._-]+(?:(?:cd|dis[ck]|dvd(?![59](?!\d)))[ ._-]*[1-9a-d]|part[1-9])(?=[ ._-])(.+)$/i
/** "Part 1" with a space, which may belong to the title of a movie. By convention, parts are named "part1" or "pt1". */
const SPACED_PART_PATTERN = /(?:part|pt|teil|partie|parte)[ ._-]+[1-9a-d][)\]]?$/i
const EMPTY_TITLE_FIELDS: Omit<LibraryFile, 'path' | 'problem'> = {
  kind: 'movie',
  season: 0,
  episodes: [],
  ids: {},
  candidates: [],
  quality: null,
}

interface LibraryIndexBuild {
  index: LibraryIndex
  /**
   * Files with the same kind, title folder, titles and ids share an identity, so that an NFO file is read once. These
   * four parts are the key.
   */
  identitiesByKey: Map<string, TitleIdentity>
  readNfo: ReadNfo
  tree: FolderTree
  /**
   * The NFO files of each folder. The key of the outer map is the path of the folder. The key of the inner map is the
   * file name in lower case and in the Unicode form NFC, and its value is the file name as it is on disk.
   */
  nfoNamesByFolder: Map<string, Map<string, string>>
}

/** Builds the index of all files in the tree. `classifyPath` may be a cached `classifyFile`. */
export async function buildLibraryIndex(
  tree: FolderTree,
  readNfo: ReadNfo,
  classifyPath: (path: string) => ClassifiedFile | null = classifyFile,
): Promise<LibraryIndex> {
  const index: LibraryIndex = { files: [], qualityByPath: new Map(), usableFileCount: 0 }
  const build: LibraryIndexBuild = {
    index,
    identitiesByKey: new Map(),
    readNfo,
    tree,
    nfoNamesByFolder: new Map(),
  }
  let processedFileCount = 0
  for (const [folderPath, folder] of tree) {
    const stackedFiles = findStackedFiles(folder, folderPath, classifyPath)
    const isOneOfSeveralDiscs = hasOtherDiscs(tree, folderPath)
    for (const fileName of folder.files) {
      processedFileCount += 1
      if (processedFileCount % FILES_PER_TURN === 0) await setImmediate()
      if (!isVideo(fileName)) continue
      const path = joinPath(folderPath, fileName)
      const classifiedFile = classifyPath(path)
      if (!shouldIndexFile(classifiedFile, fileName, folder)) continue
      const isPartOfVideo =
        stackedFiles.has(fileName) || (isOneOfSeveralDiscs && classifiedFile?.kind === 'movie')
      if (isDiscFile(path))
        index.files.push({ ...EMPTY_TITLE_FIELDS, ...classifiedFile, path, problem: 'disc' })
      else if (isPartOfVideo)
        index.files.push({ ...EMPTY_TITLE_FIELDS, ...classifiedFile, path, problem: 'part' })
      else if (classifiedFile) await addFile(build, path, classifiedFile)
      else index.files.push({ ...EMPTY_TITLE_FIELDS, path, problem: isExtraFile(path) ? 'extra' : 'no_name' })
    }
  }
  return index
}

const isVideo = (fileName: string) => !['nfo', ...SUBTITLE_EXTENSIONS].includes(getFileExtension(fileName))

/**
 * Returns whether a file is added to the index. In the folder of an HLS stream, most other files are segments. Files
 * other than the playlist therefore need a year in brackets, an episode number or an IMDb id in their name.
 */
function shouldIndexFile(
  classifiedFile: ClassifiedFile | null,
  fileName: string,
  folder: LibraryFolder,
): boolean {
  return (
    !folder.isHlsStream ||
    getFileExtension(fileName) === 'm3u8' ||
    (classifiedFile !== null &&
      (/[([]\d{4}[)\]]|s\d+e\d+/i.test(fileName) || classifiedFile.ids.imdb !== undefined))
  )
}

/**
 * Returns the files that are parts of a video ("cd1", "cd2"). They cannot be played as one video, so they are not
 * matched.
 */
function findStackedFiles(
  { files }: LibraryFolder,
  folderPath: string,
  classifyPath: (path: string) => ClassifiedFile | null,
): Set<string> {
  const folderName = folderPath.slice(folderPath.lastIndexOf('/') + 1)
  const namesByStackKey = new Map<string, string[]>()
  for (const name of files) {
    const stackKey = isVideo(name) ? createStackKey(name, folderName) : null
    if (stackKey === null) continue
    // The parts of a miniseries are episodes. Only files of the same episode can be parts of one video.
    const key = `${stackKey}/${classifyPath(joinPath(folderPath, name))?.episodes.join() ?? ''}`
    namesByStackKey.set(key, [...(namesByStackKey.get(key) ?? []), name])
  }
  return new Set([...namesByStackKey.values()].filter((names) => names.length > 1).flat())
}

/**
 * Returns a key that is equal for all parts of a video: the folded name without the number of the part. Returns null if
 * the name has no such number.
 */
function createStackKey(name: string, folderName: string): string | null {
  const stem = removeFileExtension(name)
  const [, textBefore] = STACKED_FILE_PATTERN.exec(stem) ?? []
  if (textBefore !== undefined)
    return SPACED_PART_PATTERN.test(stem) && isPartNumberInTitle(textBefore, folderName)
      ? null
      : foldSearchText(textBefore)
  const [, nameBefore, nameAfter] = DISC_IN_NAME_PATTERN.exec(stem) ?? []
  return nameBefore === undefined ? null : `${foldSearchText(nameBefore)}/${foldSearchText(nameAfter ?? '')}`
}

/**
 * True if "Part 1" belongs to the title of a movie, as in "Dune Part 1". `textBefore` is the text before "Part 1". If
 * this text has a year or is the title in the folder name, the file is a part of a video, and the result is false.
 */
function isPartNumberInTitle(textBefore: string, folderName: string): boolean {
  const [nameBefore] = parseTitleName(textBefore).candidates
  const [folderTitle] = parseTitleName(folderName).candidates
  return (
    nameBefore?.year === null && foldSearchText(nameBefore.title) !== foldSearchText(folderTitle?.title ?? '')
  )
}

/** True for the folder of a disc, if the movie has folders of other discs too. */
function hasOtherDiscs(tree: FolderTree, folderPath: string): boolean {
  const [, parentPath = '', name = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(folderPath) ?? []
  if (!DISC_FOLDER_PATTERN.test(name)) return false
  return (tree.get(parentPath)?.folders.filter((folder) => DISC_FOLDER_PATTERN.test(folder)).length ?? 0) > 1
}

async function addFile(
  build: LibraryIndexBuild,
  path: string,
  classifiedFile: ClassifiedFile,
): Promise<void> {
  const { identitiesByKey, index } = build
  const { titleFolder, ...fileFields } = classifiedFile
  const { kind, quality } = fileFields
  const titleText = classifiedFile.candidates
    .map((candidate) => `${foldSearchText(candidate.title)}/${candidate.year}`)
    .join('|')
  const identityKey = `${kind} ${titleFolder} ${JSON.stringify(classifiedFile.ids)} ${titleText}`
  let identity = identitiesByKey.get(identityKey)
  if (!identity) {
    const nfo = classifiedFile.ids.imdb ? null : await findNfo(build, path, classifiedFile)
    identity = {
      ids: { ...nfo?.ids, ...classifiedFile.ids },
      candidates: [...classifiedFile.candidates, ...createNfoCandidates(nfo)],
    }
    identitiesByKey.set(identityKey, identity)
  }
  const { ids, candidates } = identity
  index.files.push({ ...fileFields, path, ids, candidates, problem: null })
  if (quality) index.qualityByPath.set(path, quality)
  index.usableFileCount += 1
}

/** Returns the title and year of an NFO file as a candidate; empty unless it has both. */
function createNfoCandidates(nfo: Nfo | null): TitleCandidate[] {
  return nfo?.title && nfo.year ? [{ title: nfo.title, year: nfo.year }] : []
}

/**
 * Reads the NFO file of a title. For a series, this is `tvshow.nfo` in the title folder. For a movie, it is a file with
 * the name of the video, otherwise `movie.nfo` in a folder of the movie. Returns null if none of these files exists.
 * Also returns null if the year in `movie.nfo` differs by more than one from the year in the name of the movie, because
 * the folder then contains several movies.
 */
async function findNfo(
  build: LibraryIndexBuild,
  path: string,
  classifiedFile: ClassifiedFile,
): Promise<Nfo | null> {
  const slashIndex = path.lastIndexOf('/')
  const folder = path.slice(0, Math.max(slashIndex, 0))
  const { kind, titleFolder, candidates } = classifiedFile
  if (kind === 'tv') return readNfoOfFolder(build, titleFolder, 'tvshow.nfo')
  const fileNfoName = `${removeFileExtension(path.slice(slashIndex + 1))}.nfo`
  const fileNfo = await readNfoOfFolder(build, folder, fileNfoName)
  if (fileNfo) return fileNfo
  const folderNfo =
    (await readNfoOfFolder(build, folder, 'movie.nfo')) ??
    (await readNfoOfFolder(build, titleFolder, 'movie.nfo'))
  const year = candidates[0]?.year ?? null
  const isNfoOfOtherMovie = year !== null && !!folderNfo?.year && Math.abs(folderNfo.year - year) > 1
  return isNfoOfOtherMovie ? null : folderNfo
}

/**
 * Reads an NFO file of a folder. Ignores the case and the Unicode normalisation form of its name, which Windows and
 * macOS can change.
 */
async function readNfoOfFolder(
  { tree, readNfo, nfoNamesByFolder }: LibraryIndexBuild,
  folder: string,
  name: string,
): Promise<Nfo | null> {
  const foldFileName = (fileName: string) => fileName.normalize('NFC').toLowerCase()
  let nfoNames = nfoNamesByFolder.get(folder)
  if (!nfoNames) {
    const names = tree.get(folder)?.files.filter((fileName) => getFileExtension(fileName) === 'nfo') ?? []
    nfoNames = new Map(names.map((fileName) => [foldFileName(fileName), fileName]))
    nfoNamesByFolder.set(folder, nfoNames)
  }
  const nfoName = nfoNames.get(foldFileName(name))
  return nfoName === undefined ? null : readNfo(joinPath(folder, nfoName))
}
