/**
 * Files whose names contain more than the title of one movie or episode are matched to the right title, or are listed
 * with a reason. They never play as another title.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { classifyFile } from '../../../server/providers/library/classify-file.ts'
import { isExtraFile } from '../../../server/providers/library/extras.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import type { LibraryFileEntry } from '../../../src/lib/contract/admin-library.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

/** The title and the year of each file in the test library, or the reason why the file has no title. */
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
  'Films/2012 - The Avengers.mkv': 'The Avengers 2012',
  'Films/1999 - The Matrix/1999 - The Matrix 1080p.mkv': 'The Matrix 1999',
  '2019 - Films/Heat.mkv': 'Heat 1995',
  'Films/Heat - HD.mkv': 'Heat 1995',
  'Films/Heat - 25th Anniversary Edition.mkv': 'Heat 1995',
  'Films/Heat - Version française.mkv': 'Heat 1995',
  'Films/Heat - مترجم.mkv': 'Heat 1995',
  'Films/Psycho.1960.16x9.DVDRip.avi': 'Psycho 1960',
  'Films/Vertigo (1958) [4x3].mkv': 'Vertigo 1958',
  'Shows/Ghosts (2003) {tvdb-103}/Season 1/Ghosts S01E01.mkv': 'other_year',
  'Films/2001 - A Space Odyssey.mkv': '2001: A Space Odyssey 1968',
  'Films/2012 - 720p.mkv': '2012 2009',
  'Films/1987 - Nothing Known.mkv': 'no_title',
  'Films/hht-x264/hht-x264.mkv': 'no_title',
  'Marvel/01 - Iron Man (2008).mkv': 'Iron Man 2008',
  'Marvel/2. Iron Man (2009).mkv': 'no_title',
  'Films/Blade Runner (Final Cut) (1982).mkv': 'Blade Runner 1982',
  'Films/Blade Runner 1080p (1982).mkv': 'Blade Runner 1982',
  'Films/Blade Runner (Remake) (2040).mkv': 'no_title',
  'Films/www.Site.org - Blade.Runner.1982.1080p.mkv': 'Blade Runner 1982',
  'Films/Voyage Part 2 (1950).mkv': 'Voyage: Part Two 1950',
  'Films/Voyage Pt. III (1955).mkv': 'Voyage: Part III 1955',
  'Films/Voyage Part 2 (1960).mkv': 'no_title',
  'Shows/Ghosts {tvdb-101}/Season 1/Ghosts S01E01.mkv': 'Ghosts 2019',
  'Shows/Ghosts [tvdbid-102]/Season 1/Ghosts S01E01.mkv': 'Ghosts 2021',
  'Shows/Ghosts/Season 1/Ghosts S01E01.mkv': 'ambiguous',
  'Shows/Ghosts {tvdb-109}/Season 1/Ghosts S01E01.mkv': 'unknown_id',
  'Shows/Noted/Season 1/Noted S01E01.mkv': 'Ghosts 2021',
  'Editions/Blade.Runner.The.Final.Cut.1982.1080p.mkv': 'Blade Runner 1982',
  'Editions/Psycho.Special.Edition.1960.mkv': 'Psycho 1960',
  'Editions/Psycho.iNTERNAL.1960.DVDRip.avi': 'Psycho 1960',
  'Editions/Alfred H - 02 - Vertigo (1958).mkv': 'Vertigo 1958',
  'Editions/1958 Vertigo.mkv': 'Vertigo 1958',
  'Editions/1959 Vertigo.mkv': 'no_title',
  'Editions/Heat The Final Cut (1996).mkv': 'no_title',
  'French/L.Ete.d.Amelie.2001.FRENCH.1080p.mkv': "L'Été d'Amélie 2001",
  'French/L.Ete.d.Amelie.mkv': "L'Été d'Amélie 2001",
  'French/Harbour.s.End.2002.mkv': "Harbour's End 2002",
  'German/Der.Koenig.der.Maerchen.2003.German.mkv': 'Der König der Märchen 2003',
  'German/Der.Koenig.der.Maerchen.2004.German.mkv': 'no_title',
  'Symbols/FaceOff (1997).mkv': 'Face/Off 1997',
  'Symbols/5050.2011.1080p.mkv': '50/50 2011',
  'Symbols/Spiderman.2002.mkv': 'Spider-Man 2002',
  'Symbols/Face.Off.1997.mkv': 'Face/Off 1997',
  'Symbols/FaceOff (1998).mkv': 'no_title',
  'Symbols/Spiderman.mkv': 'no_title',
  'Symbols/Theirs (2005).mkv': 'ambiguous',
  'Shows/MASH/Season 1/MASH S01E01.mkv': 'M*A*S*H 1972',
  'Shows/911/Season 1/911.S01E01.mkv': '9-1-1 2018',
  'Shows/Three.Percent.S01E01.mkv': 'no_title',
  'Shows/3/Season 1/S01E01.mkv': 'no_title',
  'Tags/Heat.German.1995.AC3.DVDRip.XviD.avi': 'Heat 1995',
  'Tags/Heat.LEKTOR.PL.1995.mkv': 'Heat 1995',
  'Tags/Heat.IMAX.1995.mkv': 'Heat 1995',
  'Tags/Heat.German.1996.mkv': 'no_title',
  'Tags/Steps.3D.DVDRip.XviD.avi': 'Steps 3D 2010',
  'Tags/Steps.1080p.mkv': 'Steps 2006',
  'Tags/Agents 03 - Vertigo (1958).mkv': 'Vertigo 1958',
  'Tags/[03] Vertigo (1958).mkv': 'Vertigo 1958',
  '2019/Twice.mkv': 'Twice 2019',
  '2018/Twice.mkv': 'ambiguous',
  'Shows/Star.Trek.COMPLETE.SERIES.720p/Season 1/S01E01.mkv': 'Star Trek 1966',
  'Shows/Star Trek (TV Series)/Season 1/S01E01.mkv': 'Star Trek 1966',
  'Shows/Star Trek (Complete)/Season 1/S01E01.mkv': 'Star Trek 1966',
  'Parts/Vertigo (1958) [1 of 2].avi': 'part',
  'Parts/Vertigo (1958) [2 of 2].avi': 'part',
  'Parts/Psycho.1960.1of2.avi': 'part',
  'Parts/Psycho.1960.2of2.avi': 'part',
  'Parts/Heat (1995) Teil 1.avi': 'part',
  'Parts/Heat (1995) Teil 2.avi': 'part',
  'Parts/Avatar (2009) (Part 1).avi': 'part',
  'Parts/Avatar (2009) (Part 2).avi': 'part',
  'Parts/Iron Man (2008) [CD1].avi': 'part',
  'Parts/Iron Man (2008) [CD2].avi': 'part',
  'Parts/Dune.2021.part1.DVDRip-GRP.avi': 'part',
  'Parts/Dune.2021.part2.DVDRip-GRP.avi': 'part',
}
const TITLES = [
  { title: 'Avatar', year: 2009, imdb: 'tt0000001' },
  { title: 'Dune', year: 2021, imdb: 'tt0000002' },
  { title: 'Heat', year: 1995, imdb: 'tt0000004' },
  { title: 'Psycho', year: 1960, imdb: 'tt0000005' },
  { title: 'Vertigo', year: 1958, imdb: 'tt0000006' },
  { title: 'The Avengers', year: 2012, imdb: 'tt0000007' },
  { title: '2012', year: 2009, imdb: 'tt0000008' },
  { title: 'The Matrix', year: 1999, imdb: 'tt0000009' },
  { title: '2001: A Space Odyssey', year: 1968, imdb: 'tt0000010' },
  { title: 'Iron Man', year: 2008, imdb: 'tt0000011' },
  { title: 'Blade Runner', year: 1982, imdb: 'tt0000012' },
  { title: 'Voyage: Part Two', year: 1950, imdb: 'tt0000015' },
  { title: 'Voyage: Part III', year: 1955, imdb: 'tt0000016' },
  { title: "L'Été d'Amélie", year: 2001, imdb: 'tt0000017' },
  { title: "Harbour's End", year: 2002, imdb: 'tt0000018' },
  { title: 'Der König der Märchen', year: 2003, imdb: 'tt0000019' },
  { title: 'Ghosts', year: 2019, imdb: 'tt0000013', tvdb: 101, episodes: [0, 2] },
  { title: 'Ghosts', year: 2021, imdb: 'tt0000014', tvdb: 102, episodes: [0, 2] },
  { title: 'Face/Off', year: 1997, imdb: 'tt0000021' },
  { title: '50/50', year: 2011, imdb: 'tt0000022' },
  { title: 'Spider-Man', year: 2002, imdb: 'tt0000023' },
  { title: 'The Irs', year: 2005, imdb: 'tt0000024' },
  { title: 'Th-Eirs', year: 2005, imdb: 'tt0000025' },
  { title: 'Steps', year: 2006, imdb: 'tt0000026' },
  { title: 'Steps 3D', year: 2010, imdb: 'tt0000027' },
  { title: 'Twice', year: 2019, imdb: 'tt0000028' },
  { title: 'Twice', year: 2008, imdb: 'tt0000029' },
  { title: 'M*A*S*H', year: 1972, imdb: 'tt0000030', episodes: [0, 2] },
  { title: '9-1-1', year: 2018, imdb: 'tt0000031', episodes: [0, 2] },
  { title: '3%', year: 2016, imdb: 'tt0000032', episodes: [0, 2] },
  { title: 'Star Trek', year: 1966, imdb: 'tt0000003', episodes: [0, 2] },
]

const folder = createTempFolder({
  ...Object.fromEntries(Object.keys(OUTCOMES_BY_PATH).map((path) => [path, 'x'])),
  'Films/hht-x264/hht-x264.nfo': '<movie><title>Known by its Note</title><year>1977</year></movie>',
  'Shows/Noted/tvshow.nfo': '<tvshow><uniqueid type="tvdb">102</uniqueid></tvshow>',
})
let mediaServer: MediaTestServer
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, TITLES)
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

const listFiles = async () =>
  (await mediaServer.adult.get('/api/admin/library/files?limit=100')).body.results as LibraryFileEntry[]

test('each file has the title that its name states, or is listed with the reason why no title matches', async () => {
  const outcomes = (await listFiles()).map(({ path, title, reason }) => [
    path,
    title ? `${title.title} ${title.year}` : reason,
  ])
  expect(Object.fromEntries(outcomes)).toEqual(OUTCOMES_BY_PATH)
})

test('a title that is added for a file takes its name and year from the NFO file, or its year from the start of the file name', async () => {
  const { deps } = mediaServer.server
  await deps.searchIndex.rebuild()
  await mediaServer.adult.post('/api/admin/library/titles')
  await findJobWorker(deps)?.whenIdle()
  await getLibrarySync(deps)?.rematchFiles()
  const findTitle = async (fileName: string) => {
    const file = (await listFiles()).find(({ path }) => path.endsWith(fileName))
    return file?.title && `${file.title.title} ${file.title.year}`
  }
  expect(await findTitle('hht-x264.mkv')).toBe('Known by its Note 1977')
  expect(await findTitle('1987 - Nothing Known.mkv')).toBe('Nothing Known 1987')
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
])('classifyFile returns for %s the title candidates %j', (path, titles) => {
  expect(classifyFile(path)?.candidates.map(({ title }) => title)).toEqual(titles)
})

test.each<[path: string, title: string, season: number, episodes: number[], airDate?: string]>([
  ['TV/Friends/Friends 1x1.avi', 'Friends', 1, [1]],
  ['TV/Friends 2x5.avi', 'Friends', 2, [5]],
  ['TV/Friends/Season 1/Friends 1x1.avi', 'Friends', 1, [1]],
  ['TV/Show/Show S01 Ep 02.mkv', 'Show', 1, [2]],
  ['TV/Show/Show S01 Episode 02.mkv', 'Show', 1, [2]],
  ['TV/Goblin.E05.161202.720p-NEXT.mkv', 'Goblin', 1, [5]],
  ['TV/Goblin.E01-E02.mkv', 'Goblin', 1, [1, 2]],
  ['TV/Goblin.EP05.mkv', 'Goblin', 1, [5]],
  ['TV/Quotidien/Quotidien - 05-03-2024.mkv', 'Quotidien', 0, [], '2024-03-05'],
  ['TV/Show/Show 12.25.2023.mkv', 'Show', 0, [], '2023-12-25'],
  ['TV/Show/Show - 2024年5月12日.mkv', 'Show', 0, [], '2024-05-12'],
  ['TV/Daily Show/2024年05月12日 Daily Show.mkv', 'Daily Show', 0, [], '2024-05-12'],
  ['TV/Show/Season 2024/20240512 - Guest.mkv', 'Show', 2024, [], '2024-05-12'],
  ['TV/Dizi/1. Sezon/Dizi 05.mkv', 'Dizi', 1, [5]],
  ['TV/Dizi/Sezon 2/Bölüm 3.mkv', 'Dizi', 2, [3]],
  ['TV/Serie/2ª Temporada/05.mkv', 'Serie', 2, [5]],
  ['TV/Show/2nd Season/05.mkv', 'Show', 2, [5]],
  ['TV/Шоу/Сезон 1/05.mkv', 'Шоу', 1, [5]],
  ['TV/Sarja/Kausi 1/05.mkv', 'Sarja', 1, [5]],
  ['TV/アニメ/シーズン2/05.mkv', 'アニメ', 2, [5]],
  ['TV/剧/第2季/05.mkv', '剧', 2, [5]],
  ['TV/Série/1ère saison/05.mkv', 'Série', 1, [5]],
  ['TV/Show (2014)/1x02.mkv', 'Show', 1, [2]],
  ['Anime/Frieren/Specials/Frieren S00E03 NCOP.mkv', 'Frieren', 0, [3]],
  ['Anime/[Group] Overlord - 13.5 [1080p].mkv', 'Overlord', 1, []],
  ['Anime/Overlord/Season 1/Overlord - 13.5.mkv', 'Overlord', 1, []],
  ['Anime/Overlord/Season 1/13.5 - Recap.mkv', 'Overlord', 1, []],
  ['Anime/Overlord/Season 1/05.720p.mkv', 'Overlord', 1, [5]],
])('classifyFile classifies %s as an episode of "%s"', (path, title, season, episodes, airDate) => {
  const file = classifyFile(path)
  expect(file).toMatchObject({ kind: 'tv', season, episodes })
  expect(file?.airDate).toBe(airDate)
  expect(file?.candidates[0]?.title).toBe(title)
})

test.each([
  ['Movies/10x10 (2018)/10x10 (2018).mkv', '10x10'],
  ['Movies/10x10 (2018)/10x10.mkv', '10x10'],
  ['Movies/8x10 Tasveer (2009).mkv', '8x10 Tasveer'],
  ['Movies/3x3 Eyes.mkv', '3x3 Eyes'],
  ['Movies/5x2 (2004).mkv', '5x2'],
  ['Movies/12.12.2012.mkv', '12 12'],
  ['Movies/Model E10 (2010).mkv', 'Model E10'],
  ['Movies/Live EP 2019.mkv', 'Live EP'],
  ['Movies/Harbour 2024年13月45日.mkv', 'Harbour 2024年13月45日'],
])('classifyFile classifies %s as the movie "%s"', (path, title) => {
  const file = classifyFile(path)
  expect(file?.kind).toBe('movie')
  expect(file?.candidates[0]?.title).toBe(title)
})

test.each([
  'Anime/Frieren/[Group] Frieren - NCOP1 (BD 1080p).mkv',
  'Anime/[Group] Frieren - NCED 02 [1080p].mkv',
  'Anime/Frieren/Season 1/Frieren - NCOP01v2.mkv',
  'Anime/Frieren/Frieren - Creditless Opening 1.mkv',
  'Films/Heat (1995)/Subs/Heat.1995.mkv',
  'Films/Heat (1995)/Legendas/Heat.1995.mkv',
])('classifyFile returns null for %s, because the file is an extra', (path) => {
  expect(classifyFile(path)).toBeNull()
  expect(isExtraFile(path)).toBe(true)
})
