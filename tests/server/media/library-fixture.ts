/**
 * Starts a server with a media folder. Some files match a title. Other files have ambiguous or misspelt names,
 * are incomplete, or are extras of a movie.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { LibraryFileEntry } from '../../../src/lib/contract/admin-library.ts'
import { createMp4 } from './make-media.ts'
import { createTempFolder, startMediaTestServer } from './media-test-server.ts'

const FILE_CONTENTS_BY_PATH = {
  'Movies/Heat (1995)/Heat (1995) - 1080p.mp4': createMp4({ width: 1920, height: 800 }),
  'Movies/Heat (1995)/Heat (1995)-trailer.mp4': 'trailer',
  'Movies/Twins (1988).mp4': 'one of two',
  'Movies/Nobody Knows It (2001).mkv': 'x',
  'Movies/Solaris (1990).mkv': 'wrong year',
  'Movies/Heat {imdb-tt9999999}.mkv': 'unknown id',
  'Movies/Both {imdb-tt0000001} {tmdb-60}/Both.mkv': 'x',
  'Movies/Parts (2003)/Parts (2003) cd1.avi': 'a',
  'Movies/Parts (2003)/Parts (2003) cd2.avi': 'b',
  'Movies/1080p.mkv': 'x',
  'Movies/Unlisted (2010).mkv': 'no IMDb id in the catalogue',
  'TV/Fargo (2014)/Season 01/Fargo - S01E01.mkv': 'pilot',
  'TV/Fargo (2014)/Season 01/Fargo - S01E99.mkv': 'no such episode',
  'TV/Fergo/Season 01/Fergo - S01E02.mkv': 'misspelt',
  'TV/Fergo/Season 01/Fergo - S01E03.mkv': 'misspelt',
  'home video.mp4': 'x',
}

const TITLES = [
  { title: 'Heat', year: 1995, imdb: 'tt0000001', tmdb: 1, isSafeForKids: true },
  { title: 'Twins', year: 1988, imdb: 'tt0000005' },
  { title: 'Twins', year: 1988, imdb: 'tt0000006' },
  { title: 'Solaris', year: 1972, imdb: 'tt0000007' },
  { title: 'Solaris', year: 2002, imdb: 'tt0000008' },
  { title: 'Sixty', year: 2002, imdb: 'tt0000009', tmdb: 60 },
  { title: 'Parts', year: 2003, imdb: 'tt0000011' },
  { title: 'Unlisted', year: 2010, tmdb: 77 },
  { title: 'Fargo', year: 2014, imdb: 'tt0000020', episodes: [0, 4] },
  { title: 'Later', year: 2020, imdb: 'tt0000030' },
]

export async function startLibraryFixture() {
  const folder = createTempFolder(FILE_CONTENTS_BY_PATH)
  const mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, TITLES)
  const { adult } = mediaServer
  const listFiles = async (query = '') =>
    (await adult.get(`/api/admin/library/files?limit=100${query}`)).body.results as LibraryFileEntry[]
  return {
    folder,
    mediaServer,
    listFiles,
    findFile: async (fileName: string) => {
      const file = (await listFiles()).find(({ path }) => path.endsWith(fileName))
      if (!file) throw new Error(`no file ${fileName}`)
      return file
    },
    findCard: async (listName: 'movies' | 'series', title: string, device = adult) =>
      (await device.get(`/api/${listName}?limit=50`)).body.results.find(
        (card: { title: string }) => card.title === title,
      ),
    close: async () => {
      await mediaServer.close()
      folder.remove()
    },
  }
}

/**
 * Waits until `isReached` returns true, but for 20 s at most. Returns the waiting time in milliseconds. Does not throw
 * when the time is over, so the caller has to check the result.
 */
export async function waitUntil(isReached: () => Promise<boolean>): Promise<number> {
  const startedAtMs = performance.now()
  while (!(await isReached()) && performance.now() - startedAtMs < 20_000) await pause(50)
  return performance.now() - startedAtMs
}
