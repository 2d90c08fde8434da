/** Tests what the index of the library derives from several files of a folder: parts of a video, and NFO files. */
import { expect, test } from 'vitest'
import type { FolderTree, LibraryFolder } from '../../../server/providers/library/folder-tree.ts'
import { buildLibraryIndex } from '../../../server/providers/library/library-index.ts'
import { parseNfo } from '../../../server/providers/library/nfo.ts'

function createTree(paths: readonly string[]): FolderTree {
  const tree: FolderTree = new Map()
  const addFolder = (path: string): LibraryFolder => {
    const knownFolder = tree.get(path)
    if (knownFolder) return knownFolder
    const counts = { unusableNameCount: 0, device: 1, inode: 1 }
    const folder: LibraryFolder = { files: [], folders: [], isHlsStream: false, ...counts }
    tree.set(path, folder)
    return folder
  }
  for (const path of paths) {
    const slashIndex = path.lastIndexOf('/')
    addFolder(path.slice(0, Math.max(slashIndex, 0))).files.push(path.slice(slashIndex + 1))
  }
  return tree
}

/**
 * Indexes files with these paths. For each path, returns the problem of the file, or its ids if it has no problem. The
 * keys of `nfoTexts` are paths of NFO files.
 */
async function readIdsOrProblems(paths: readonly string[], nfoTexts: Record<string, string> = {}) {
  const tree = createTree([...paths, ...Object.keys(nfoTexts)])
  const { files } = await buildLibraryIndex(tree, async (path) => parseNfo(Buffer.from(nfoTexts[path] ?? '')))
  return Object.fromEntries(files.map(({ path, problem, ids }) => [path, problem ?? ids]))
}

test('the parts of a miniseries in a season folder are indexed as episodes, and the files of a split episode as parts', async () => {
  expect(
    await readIdsOrProblems([
      'TV/Show/Season 1/Show - Part 1.mkv',
      'TV/Show/Season 1/Show - Part 2.mkv',
      'TV/Show/Season 1/Show - s01e03 - pt1.mkv',
      'TV/Show/Season 1/Show - s01e03 - pt2.mkv',
    ]),
  ).toEqual({
    'TV/Show/Season 1/Show - Part 1.mkv': {},
    'TV/Show/Season 1/Show - Part 2.mkv': {},
    'TV/Show/Season 1/Show - s01e03 - pt1.mkv': 'part',
    'TV/Show/Season 1/Show - s01e03 - pt2.mkv': 'part',
  })
})

test('an NFO file is found when its name differs from the expected name in case or in Unicode normalisation', async () => {
  const nfoTexts = {
    'Films/E\u0301te\u0301 perdu (1983).NFO': '<movie><imdbid>tt0000001</imdbid></movie>',
    'TV/Show/TVShow.nfo': '<tvshow><tvdbid>7</tvdbid></tvshow>',
  }
  const paths = ['Films/\u00c9t\u00e9 perdu (1983).mkv', 'TV/Show/Season 1/Show S01E01.mkv']
  expect(await readIdsOrProblems(paths, nfoTexts)).toEqual({
    [paths[0] as string]: { imdb: 'tt0000001' },
    [paths[1] as string]: { tvdb: 7 },
  })
})

test('`movie.nfo` in a folder of several movies does not apply to a movie of another year', async () => {
  const nfoText = '<movie><title>Lost</title><year>1983</year><imdbid>tt0000001</imdbid></movie>'
  expect(
    await readIdsOrProblems(['Films/Lost (1983).mkv', 'Films/Found (1990).mkv'], {
      'Films/movie.nfo': nfoText,
    }),
  ).toEqual({
    'Films/Lost (1983).mkv': { imdb: 'tt0000001' },
    'Films/Found (1990).mkv': {},
  })
})
