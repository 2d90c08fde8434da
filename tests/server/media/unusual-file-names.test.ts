/**
 * Files whose names contain more than the title of one film or episode are matched to the right title, or are listed
 * with a reason. They never play as another title.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { classifyFile } from '../../../server/providers/library/classify-file.ts'
import type { LibraryFileEntry } from '../../../src/lib/contract/admin-library.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

/** The title and the year of each file in the test library, or the reason why it has no title. */
const OUTCOMES_BY_PATH: Record<string, string> = {
  'Films/Avatar - The Way of Water.mkv': 'no_title',
  'Films/Avatar - Extended Edition.mkv': 'Avatar 2009',
  'Films/Dune - Part 2.mkv': 'no_title',
  'Films/Dune/Dune - Part Two.mkv': 'no_title',
  'Shows/Star Trek - Discovery/Season 1/Star Trek - Discovery - S01E01.mkv': 'no_title',
  'Shows/Star Trek - Remastered/Season 1/Star Trek S01E01.mkv': 'Star Trek 1966',
  'Films/Heat.1995.CD1.DVDRip.XviD-GRP.avi': 'part',
  'Films/Heat.1995.CD2.DVDRip.XviD-GRP.avi': 'part',
  'Films/Psycho.1960.DVD5.x264.mkv': 'Psycho 1960',
  'Films/Psycho.1960.DVD9.x264.mkv': 'Psycho 1960',
  'Films/Vertigo (1958)/VIDEO_TS.VOB': 'disc',
  'Films/Vertigo (1958)/VTS_01_0.VOB': 'disc',
  'Films/Vertigo (1958)/VTS_01_1.VOB': 'disc',
  'Films/Vertigo (1958)/STREAM/00001.m2ts': 'disc',
}
const TITLES = [
  { title: 'Avatar', year: 2009, imdb: 'tt0000001' },
  { title: 'Dune', year: 2021, imdb: 'tt0000002' },
  { title: 'Heat', year: 1995, imdb: 'tt0000004' },
  { title: 'Psycho', year: 1960, imdb: 'tt0000005' },
  { title: 'Vertigo', year: 1958, imdb: 'tt0000006' },
  { title: 'Star Trek', year: 1966, imdb: 'tt0000003', episodes: [0, 2] },
]

const folder = createTempFolder(Object.fromEntries(Object.keys(OUTCOMES_BY_PATH).map((path) => [path, 'x'])))
let mediaServer: MediaTestServer
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, TITLES)
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

test('each file has the title that its name states, or is listed with the reason why it has none', async () => {
  const { body } = await mediaServer.adult.get('/api/admin/library/files?limit=100')
  const outcomes = (body.results as LibraryFileEntry[]).map(({ path, title, reason }) => [
    path,
    title ? `${title.title} ${title.year}` : reason,
  ])
  expect(Object.fromEntries(outcomes)).toEqual(OUTCOMES_BY_PATH)
})

test.each([
  ['Heat - Directors Cut.mkv', ['Heat - Directors Cut', 'Heat']],
  ["Heat - The Director's Cut.mkv", ["Heat - The Director's Cut", 'Heat']],
  ['Heat - Version longue.mkv', ['Heat - Version longue', 'Heat']],
  ['Heat - IMAX.mkv', ['Heat - IMAX', 'Heat']],
  ['Heat - Copy (2).mkv', ['Heat - Copy (2)', 'Heat']],
  ['Heat - 1080p.mkv', ['Heat']],
  ['Alien - Romulus.mkv', ['Alien - Romulus']],
  ['Kill Bill - Volume 2.mkv', ['Kill Bill - Volume 2']],
])('%s has the titles %j', (path, titles) => {
  expect(classifyFile(path)?.candidates.map(({ title }) => title)).toEqual(titles)
})
