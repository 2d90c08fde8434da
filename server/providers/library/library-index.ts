/** The library index: which files belong to which title, by id and by name. It is rebuilt from the folder tree after each change. */
import { setImmediate } from 'node:timers/promises'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { type ClassifiedFile, classifyFile } from './classify-file.ts'
import { type FolderTree, joinPath, type LibraryFolder } from './folder-tree.ts'
import { getFileExtension } from './media-types.ts'
import type { Nfo } from './nfo.ts'
import type { TitleCandidate, TitleIds } from './title-name.ts'

/** The files of one movie, or of one series by episode. */
export interface LibraryTitle {
  ids: TitleIds
  candidates: TitleCandidate[]
  /** Paths by `season:episode`; `0:0` for a movie. */
  pathsByEpisode: Map<string, string[]>
}
export interface LibraryIndex {
  movie: TitleMaps
  tv: TitleMaps
  /** Quality by path, for files whose name states it. */
  quality: Map<string, string>
  fileCount: number
}
interface TitleMaps {
  imdb: Map<string, LibraryTitle[]>
  tmdb: Map<number, LibraryTitle[]>
  /** By folded title, for titles without an IMDb id. */
  name: Map<string, LibraryTitle[]>
}
export type ReadNfo = (path: string) => Promise<Nfo | null>

/** Files processed before yielding to the event loop: about two milliseconds of work. */
const FILES_PER_TURN = 100
const STACKED_FILE = /^(.*?)[ ._-]+(?:cd|dis[ck]|dvd|part|pt)[ ._-]*([1-9a-d])$/i

/** Builds the index of all files in the tree. */
export async function buildLibraryIndex(tree: FolderTree, readNfo: ReadNfo): Promise<LibraryIndex> {
  const index: LibraryIndex = {
    movie: createTitleMaps(),
    tv: createTitleMaps(),
    quality: new Map(),
    fileCount: 0,
  }
  const titles = new Map<string, LibraryTitle & { kind: 'movie' | 'tv' }>()
  let processedCount = 0
  for (const [path, folder] of tree) {
    const stackedFiles = findStackedFiles(folder)
    for (const file of folder.files) {
      processedCount += 1
      if (processedCount % FILES_PER_TURN === 0) await setImmediate()
      const classified = isVideo(file) && !stackedFiles.has(file) ? classifyFile(joinPath(path, file)) : null
      if (!classified || !isIndexed(classified, file, folder)) continue
      await addFile({ titles, index, readNfo, tree }, joinPath(path, file), classified)
    }
  }
  for (const title of titles.values()) addTitle(index[title.kind], title)
  return index
}

const isVideo = (file: string) => !['nfo', 'srt', 'vtt'].includes(getFileExtension(file))

/**
 * Returns whether a file is added to the index. Segments of HLS streams are not. In a folder with a playlist, other
 * files need a year, an episode number or an id in their name.
 */
function isIndexed(classified: ClassifiedFile, file: string, folder: LibraryFolder): boolean {
  return (
    !folder.isHlsStream ||
    getFileExtension(file) === 'm3u8' ||
    /[([]\d{4}[)\]]|s\d+e\d+/i.test(file) ||
    classified.ids.imdb !== undefined
  )
}

/**
 * Returns the files that are parts of a video ("cd1", "cd2"). They cannot be played as one video, so they are left
 * out.
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

interface IndexBuild {
  titles: Map<string, LibraryTitle & { kind: 'movie' | 'tv' }>
  index: LibraryIndex
  readNfo: ReadNfo
  tree: FolderTree
}

async function addFile(build: IndexBuild, path: string, classified: ClassifiedFile): Promise<void> {
  const { titles, index } = build
  const titleText = classified.candidates
    .map((candidate) => `${foldSearchText(candidate.title)}/${candidate.year}`)
    .join('|')
  const key = `${classified.kind} ${classified.titleFolder} ${classified.ids.imdb ?? classified.ids.tmdb ?? ''} ${titleText}`
  let title = titles.get(key)
  if (!title) {
    const nfo = classified.ids.imdb ? null : await findNfo(build, path, classified)
    title = {
      kind: classified.kind,
      ids: { ...nfo?.ids, ...classified.ids },
      candidates: [...classified.candidates, ...createNfoCandidates(nfo)],
      pathsByEpisode: new Map(),
    }
    titles.set(key, title)
  }
  const episodeKeys =
    classified.kind === 'movie'
      ? ['0:0']
      : classified.episodes.map((episode) => `${classified.season}:${episode}`)
  for (const episodeKey of episodeKeys)
    title.pathsByEpisode.set(episodeKey, [...(title.pathsByEpisode.get(episodeKey) ?? []), path])
  if (classified.quality) index.quality.set(path, classified.quality)
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

const createTitleMaps = (): TitleMaps => ({ imdb: new Map(), tmdb: new Map(), name: new Map() })

/** Adds a title to the index. A title with an IMDb id is found by that id only; one with a TMDB id also by name, because the catalogue may not know the id. */
function addTitle(maps: TitleMaps, title: LibraryTitle): void {
  if (title.ids.imdb) {
    addToMap(maps.imdb, title.ids.imdb, title)
    return
  }
  if (title.ids.tmdb) addToMap(maps.tmdb, title.ids.tmdb, title)
  for (const name of new Set(title.candidates.map((candidate) => foldSearchText(candidate.title))))
    if (name) addToMap(maps.name, name, title)
}

function addToMap<K>(map: Map<K, LibraryTitle[]>, key: K, title: LibraryTitle): void {
  const titles = map.get(key)
  if (titles) titles.push(title)
  else map.set(key, [title])
}
