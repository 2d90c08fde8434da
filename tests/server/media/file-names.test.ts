/**
 * Parses file names of movies and episodes that follow the conventions of Plex, Jellyfin, Kodi or release groups.
 * Also recognises files that the library must ignore.
 */
import { describe, expect, test } from 'vitest'
import { classifyFile } from '../../../server/providers/library/classify-file.ts'

type MovieCase = [path: string, title: string, year: number | null, expected?: Record<string, unknown>]

const MOVIES: MovieCase[] = [
  ['Inception (2010)/Inception (2010).mkv', 'Inception', 2010],
  ['Movies/Inception (2010)/Inception (2010) - 1080p.mkv', 'Inception', 2010, { quality: '1080p' }],
  ['Movies/Inception (2010)/Inception (2010) - [2160p].mkv', 'Inception', 2010, { quality: '2160p' }],
  ['Inception (2010) [imdbid-tt1375666]/Inception (2010).mkv', 'Inception', 2010, { imdb: 'tt1375666' }],
  ['Inception (2010) {imdb-tt1375666}/Inception.mkv', 'Inception', 2010, { imdb: 'tt1375666' }],
  ['Inception (2010) {tmdb-27205}/Inception (2010).mp4', 'Inception', 2010, { tmdb: 27205 }],
  ['Inception (2010) [tmdbid-27205].mp4', 'Inception', 2010, { tmdb: 27205 }],
  ['Inception (2010) [tmdbid=27205].mp4', 'Inception', 2010, { tmdb: 27205 }],
  ['Inception (2010) tt1375666.mp4', 'Inception', 2010, { imdb: 'tt1375666' }],
  ['tt1375666.mp4', '', null, { imdb: 'tt1375666' }],
  ['Inception.mkv', 'Inception', null],
  ['Inception 2010.mkv', 'Inception', 2010],
  ['Inception.2010.1080p.BluRay.x264-SPARKS.mkv', 'Inception', 2010, { quality: '1080p' }],
  ['Inception_2010_720p.mp4', 'Inception', 2010, { quality: '720p' }],
  ['Inception.1080p.BluRay.x264.mkv', 'Inception', null, { quality: '1080p' }],
  ['Inception [2010].mkv', 'Inception', 2010],
  ['The Matrix (1999)/The Matrix (1999) {edition-Remastered}.mkv', 'The Matrix', 1999],
  ['Matrix, The (1999).mkv', 'The Matrix', 1999],
  [
    'The.Matrix.1999.2160p.UHD.BluRay.x265.10bit.HDR.DTS-HD.MA.TrueHD.7.1.Atmos-SWTYBLZ.mkv',
    'The Matrix',
    1999,
    { quality: '2160p' },
  ],
  [
    'The Matrix (1999) [1080p] [BluRay] [5.1] [YTS.MX]/The.Matrix.1999.1080p.BluRay.x264-[YTS.MX].mp4',
    'The Matrix',
    1999,
    { quality: '1080p' },
  ],
  ['[GROUP] Akira (1988) [4K].mkv', 'Akira', 1988, { quality: '2160p' }],
  ['2001 A Space Odyssey (1968).mkv', '2001 A Space Odyssey', 1968],
  ['2001.A.Space.Odyssey.1968.REMASTERED.720p.mkv', '2001 A Space Odyssey', 1968, { quality: '720p' }],
  ['2001 - A Space Odyssey.mkv', '2001 - A Space Odyssey', null],
  ['1917 (2019)/1917.mkv', '1917', 2019],
  ['1917.2019.1080p.WEB-DL.mkv', '1917', 2019],
  ['1917.mkv', '1917', null],
  ['2012.2009.BRRip.avi', '2012', 2009],
  ['2012 (2009).avi', '2012', 2009],
  ['Blade Runner 2049 (2017).mkv', 'Blade Runner 2049', 2017],
  ['Blade.Runner.2049.2017.2160p.mkv', 'Blade Runner 2049', 2017],
  ['Blade.Runner.2049.1080p.mkv', 'Blade Runner 2049', null],
  ['Wonder Woman 1984 (2020).mkv', 'Wonder Woman 1984', 2020],
  ['Death.Race.2000.1975.DVDRip.XviD.avi', 'Death Race 2000', 1975, { quality: '480p' }],
  ['Class of 1984 (1982).mkv', 'Class of 1984', 1982],
  ['(500) Days of Summer (2009).mkv', '(500) Days of Summer', 2009],
  ['[REC] (2007).mkv', '[REC]', 2007],
  ['Se7en (1995).mkv', 'Se7en', 1995],
  ['Mr. Nobody (2009)/Mr. Nobody (2009).mkv', 'Mr Nobody', 2009],
  ['Dr. Strangelove or How I Learned... (1964).mkv', 'Dr Strangelove or How I Learned', 1964],
  ['Mission - Impossible - Fallout (2018).mkv', 'Mission - Impossible - Fallout', 2018],
  ['The French Dispatch.mkv', 'The French Dispatch', null],
  ['The Web of Death.mkv', 'The Web of Death', null],
  ['Movies/Heat (1995)/movie.mkv', 'Heat', 1995],
  ['Movies/Heat/movie.mkv', 'Heat', null],
  ['Heat (1995)/video.mp4', 'Heat', 1995],
  ['Heat (1995)/hls/master.m3u8', 'Heat', 1995],
  ['Heat (1995)/master.m3u8', 'Heat', 1995],
  ['Best of (2010)/Heat (1995).mkv', 'Heat', 1995],
  ['Alien Collection/Alien (1979)/Alien (1979).mkv', 'Alien', 1979],
  ['Alien (1979)/Alien (1979) - Directors Cut.mkv', 'Alien', 1979],
  ['Alien (1979)/Alien.1979.Directors.Cut.1080p.mkv', 'Alien', 1979],
  ['Amélie (2001)/Amélie (2001).mkv', 'Amélie', 2001],
  ['千と千尋の神隠し (2001).mkv', '千と千尋の神隠し', 2001],
  ['الرسالة (1976).mkv', 'الرسالة', 1976],
  ['Léon (1994) VOSTFR.mkv', 'Léon', 1994],
  [
    'Harry Potter and the Deathly Hallows Part 1 (2010).mkv',
    'Harry Potter and the Deathly Hallows Part 1',
    2010,
  ],
  ['Kill Bill Vol. 2 (2004).mkv', 'Kill Bill Vol 2', 2004],
  ['WALL-E (2008).mkv', 'WALL-E', 2008],
  ['10 Things I Hate About You (1999).mkv', '10 Things I Hate About You', 1999],
  ["Ocean's 8 (2018) 4K.mkv", "Ocean's 8", 2018, { quality: '2160p' }],
  ['Movies/Heat (1995)/Disc 1/heat.avi', 'Heat', 1995],
  ['Movies/Ko\u0308ln (2001).mkv', 'K\u00f6ln'.normalize('NFD'), 2001],
  ['Movies/وجدة ٢٠١٢.mkv', 'وجدة', 2012],
  ['Apollo 13 (1995)/Apollo - 13.mkv', 'Apollo 13', 1995],
  ['Heat (1995)/Heat (1995) - 621.mkv', 'Heat', 1995],
  ['Blade Runner - 2049.mkv', 'Blade Runner - 2049', null],
  ['Movies/The.Interview.mkv', 'The Interview', null],
  ['Movies/The-Interview.mkv', 'The-Interview', null],
  ['Movies/The.Other.mkv', 'The Other', null],
  ['Movies/Get.Short.mkv', 'Get Short', null],
  ['Movies/Get Short (1995)/Get.Short.mkv', 'Get Short', 1995],
  ['Movies/The Teaser.mkv', 'The Teaser', null],
  ['Movies/The Making of a Hero.mkv', 'The Making of a Hero', null],
  ['Movies/Making of Heat (1996)/Making of Heat.mkv', 'Making of Heat', 1996],
  ['Movies/Behind the Candelabra (2013)/Behind the Candelabra.mkv', 'Behind the Candelabra', 2013],
  ['Movies/Shorts/Piper (2016).mkv', 'Piper', 2016],
  ['Movies/Shorts/Piper (2016)/Piper.mkv', 'Piper', 2016],
  ['Movies/Other/Heat (1995).mkv', 'Heat', 1995],
  ['Movies/Other/Heat.1995.1080p.BluRay.mkv', 'Heat', 1995],
  ['Movies/Interviews/By id {imdb-tt0870111}.mkv', 'By id', null, { imdb: 'tt0870111' }],
  ['Movies/Rocky/Rocky 2.mkv', 'Rocky 2', null],
  ['Movies/Blade Runner/Blade Runner 2049.mkv', 'Blade Runner 2049', null],
  ['Movies/Star Wars/Star Wars Episode 4.mkv', 'Star Wars Episode 4', null],
  ['Movies/[YTS] Room 237 [1080p].mkv', 'Room 237', null],
  ['Movies/The Taking of Pelham 123/The Taking of Pelham 123.mkv', 'The Taking of Pelham 123', null],
  ['TV/Firefly/Season 1/Serenity (2005).mkv', 'Serenity', 2005],
  ['أفلام/الفيل الأزرق الجزء الثاني (2019)/الفيل الأزرق الجزء الثاني.mkv', 'الفيل الأزرق الجزء الثاني', 2019],
  ['Heat.FRENCH.DVDRip.XviD.avi', 'Heat', null],
  ['heat.french.dvdrip.xvid.avi', 'heat', null],
  ['Heat.MULTi.TRUEFRENCH.1080p.mkv', 'Heat', null, { quality: '1080p' }],
  ['Heat.VOSTFR.BDRip.mkv', 'Heat', null],
  ['Léon VOSTFR.mkv', 'Léon', null],
  ['Heat.FRENCH.1995.DVDRip.avi', 'Heat', 1995],
  ['Heat.EXTENDED.PROPER.1080p.mkv', 'Heat', null],
  ['Heat.1080p.1995.mkv', 'Heat', 1995],
  ['Avatar.3D.HSBS.1080p.mkv', 'Avatar', null],
  ['Piranha.3D.2010.mkv', 'Piranha 3D', 2010],
  ['Learning French.mkv', 'Learning French', null],
  ['(1995) Heat.mkv', 'Heat', 1995],
  ['[1995] Heat.1080p.mkv', 'Heat', 1995],
  ['(1995) - Heat.mkv', 'Heat', 1995],
  ['(2020) Wonder Woman 1984.mkv', 'Wonder Woman 1984', 2020],
  ['Movies/S3/holiday.mkv', 'holiday', null],
  ['أفلام/الجزء الأول/فيلم.mkv', 'فيلم', null],
  ['Movies/Episode 50/Episode 50.mkv', 'Episode 50', null],
  ['Movies/Heat/Heat 720.mkv', 'Heat 720', null],
  ['Movies/Bonus.mkv', 'Bonus', null],
]

const EPISODES: [
  path: string,
  title: string,
  year: number | null,
  season: number,
  episodes: number[],
  expected?: Record<string, unknown>,
][] = [
  ['Fargo (2014)/Season 01/Fargo - S01E02 - The Rooster Prince.mkv', 'Fargo', 2014, 1, [2]],
  ['TV/Fargo (2014)/Season 1/Fargo (2014) - s01e02.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 01/Fargo - S01E02-E03 - Two in one.mkv', 'Fargo', 2014, 1, [2, 3]],
  ['Fargo (2014)/Season 01/Fargo - S01E02-03.mkv', 'Fargo', 2014, 1, [2, 3]],
  ['Fargo (2014)/Season 01/Fargo.S01E02E03.720p.mkv', 'Fargo', 2014, 1, [2, 3], { quality: '720p' }],
  ['Fargo (2014)/Season 01/Fargo - S01E02-1080p.mkv', 'Fargo', 2014, 1, [2], { quality: '1080p' }],
  ['Fargo (2014)/Season 01/Fargo - S01E02 - 24 Hours.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 01/1x02.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 01/Fargo 1x02-1x03.mkv', 'Fargo', 2014, 1, [2, 3]],
  ['Fargo (2014)/Season 1/02 - The Rooster Prince.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 1/02.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 1/E02.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 1/Episode 2.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 1/Fargo Ep 02.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/S01/Fargo.S01E02.mkv', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 00/Fargo - S00E01 - Inside.mkv', 'Fargo', 2014, 0, [1]],
  ['Fargo (2014)/Specials/Fargo - S00E01.mkv', 'Fargo', 2014, 0, [1]],
  ['Fargo (2014)/Specials/01 - Inside.mkv', 'Fargo', 2014, 0, [1]],
  ['Fargo/Saison 2/Fargo - 2x05.mkv', 'Fargo', null, 2, [5]],
  ['Fargo/Staffel 2/Fargo S02E05.mkv', 'Fargo', null, 2, [5]],
  ['Fargo/Season 2/Fargo - Season 2 Episode 5.mkv', 'Fargo', null, 2, [5]],
  ['Fargo/Fargo - S02E05.mkv', 'Fargo', null, 2, [5]],
  ['Fargo (2014) {imdb-tt2802850}/Fargo - S02E05.mkv', 'Fargo', 2014, 2, [5], { imdb: 'tt2802850' }],
  ['Fargo (2014) [imdbid-tt2802850]/Season 02/S02E05.mkv', 'Fargo', 2014, 2, [5], { imdb: 'tt2802850' }],
  ['Fargo (2014)/S02E05.mkv', 'Fargo', 2014, 2, [5]],
  ['Fargo.S02E05.1080p.WEB-DL.x264.mkv', 'Fargo', null, 2, [5], { quality: '1080p' }],
  ['TV/Fargo.2014.S02E05.mkv', 'Fargo', 2014, 2, [5]],
  ['TV/Fargo.S02.1080p.BluRay/Fargo.S02E05.mkv', 'Fargo', null, 2, [5], { quality: '1080p' }],
  ['TV/Fargo (2014)/Fargo.S02.1080p/Fargo.S02E05.mkv', 'Fargo', 2014, 2, [5]],
  ['TV/Fargo Season 2/05 - The Gift of the Magi.mkv', 'Fargo', null, 2, [5]],
  ['Doctor Who (2005)/Season 01/Doctor Who (2005) - S01E01 - Rose.mkv', 'Doctor Who', 2005, 1, [1]],
  ['The Office (US) (2005)/Season 3/The Office - S03E10-E11.mkv', 'The Office (US)', 2005, 3, [10, 11]],
  ['24/Season 01/24 - S01E01.mkv', '24', null, 1, [1]],
  ['1883 (2021)/Season 1/1883 - S01E01.mkv', '1883', 2021, 1, [1]],
  ['Mr. Robot/Season 4/Mr.Robot.S04E01.401.Unauthorized.mkv', 'Mr Robot', null, 4, [1]],
  ['One Piece/Season 21/One Piece - S21E1015.mkv', 'One Piece', null, 21, [1015]],
  ['Show (2008-2013)/Season 1/Show - S01E01.mkv', 'Show', 2008, 1, [1]],
  ['Fargo (2014)/Season 01/S01E02/master.m3u8', 'Fargo', 2014, 1, [2]],
  ['Fargo (2014)/Season 5/Disc 2/Fargo - S05E05.mkv', 'Fargo', 2014, 5, [5]],
  ['Fargo (2014)/Season 5/Fargo.S05E01.S05E02.mkv', 'Fargo', 2014, 5, [1, 2]],
  ['[SubsPlease] Frieren - 05 (1080p) [ABCD1234].mkv', 'Frieren', null, 1, [5], { quality: '1080p' }],
  ['Anime/Frieren/[SubsPlease] Frieren - 05v2 (1080p).mkv', 'Frieren', null, 1, [5]],
  ['Anime/One Piece/One Piece - 1071.mkv', 'One Piece', null, 1, [1071]],
  ['Anime/Naruto/Naruto - 135 - The Promise.mkv', 'Naruto', null, 1, [135]],
  ['Naruto/Season 01/Naruto - 005.mkv', 'Naruto', null, 1, [5]],
  ['مسلسل/الموسم 1/الحلقة 3.mkv', 'مسلسل', null, 1, [3]],
  ['مسلسل/الموسم ١/الحلقة ٣.mkv', 'مسلسل', null, 1, [3]],
  ['The Daily Show/Season 2024/The Daily Show - 2024-03-05 - Guest.mkv', 'The Daily Show', null, 2024, []],
  ['TV/Show/Season 1/Show 01.mkv', 'Show', null, 1, [1]],
  ['TV/Show (2010)/Season 1/Show_01_Name.mkv', 'Show', 2010, 1, [1]],
  ['TV/Show/Season 1/#05.mkv', 'Show', null, 1, [5]],
  ['TV/Making of Heat/Season 1/Making of Heat 01.mkv', 'Making of Heat', null, 1, [1]],
  ['TV/24/Season 2/24 05 - Noon.mkv', '24', null, 2, [5]],
  ['TV/Show/Season 1/[Group] Show 12v2 [1080p].mkv', 'Show', null, 1, [12]],
  ['TV/Show/Season 1/Pilot.mkv', 'Show', null, 1, []],
  ['TV/Show/Season 1/Show 2010 Pilot.mkv', 'Show', null, 1, []],
  ['TV/Talk/Season 2024/2024-03-05.mkv', 'Talk', null, 2024, []],
  ['Anime/One Piece/One Piece 1071.mkv', 'One Piece', null, 1, [1071]],
  ['Anime/[Group] One Piece 1071 [1080p].mkv', 'One Piece', null, 1, [1071]],
  ['Anime/[Group] Frieren 05 [1080p].mkv', 'Frieren', null, 1, [5]],
  ['TV/Show/Show Ep 05.mkv', 'Show', null, 1, [5]],
  ['TV/Show/Show Episode 05.mkv', 'Show', null, 1, [5]],
  ['TV/Show/Episode 05.mkv', 'Show', null, 1, [5]],
  ['TV/Show/Season One/Episode 3.mkv', 'Show', null, 1, [3]],
  ['TV/Show/Hors-série/01.mkv', 'Show', null, 0, [1]],
  ['مسلسلات/باب الحارة/باب الحارة الحلقة 5.mkv', 'باب الحارة', null, 1, [5]],
  ['مسلسلات/باب الحارة الحلقة 5.mkv', 'باب الحارة', null, 1, [5]],
  ['مسلسلات/باب الحارة/الحلقة 5.mkv', 'باب الحارة', null, 1, [5]],
  ['مسلسلات/باب الحارة/الموسم الأول/الحلقة 5.mkv', 'باب الحارة', null, 1, [5]],
  ['مسلسلات/باب الحارة/الموسم الثاني/05.mkv', 'باب الحارة', null, 2, [5]],
  ['مسلسلات/باب الحارة/الموسم الثاني عشر/الحلقة الثالثة.mkv', 'باب الحارة', null, 12, [3]],
  ['مسلسلات/باب الحارة/الجزء الأول/باب الحارة 5.mkv', 'باب الحارة', null, 1, [5]],
  ['مسلسلات/باب الحارة الموسم الثالث/الحلقة 5.mkv', 'باب الحارة', null, 3, [5]],
  ['مسلسلات/باب الحارة الجزء الثاني الحلقة 5.mkv', 'باب الحارة', null, 2, [5]],
  ['TV/Extras/Season 1/Extras - S01E01.mkv', 'Extras', null, 1, [1]],
  ['TV/Other/Fargo/Season 1/Fargo - S01E01.mkv', 'Fargo', null, 1, [1]],
  ['TV/Other/Fargo/Fargo - S01E01.mkv', 'Fargo', null, 1, [1]],
  ['TV/Show/Season 1/Show.S01E05.The.Interview.mkv', 'Show', null, 1, [5]],
  ['TV/Show/Season 1/Show.S01E03.The.Other.mkv', 'Show', null, 1, [3]],
  ['TV/Show/Season 1/Show.S01E04.Deleted.mkv', 'Show', null, 1, [4]],
  ['TV/Show/Season 1/Show - S01E06 - Trailer.mkv', 'Show', null, 1, [6]],
  ['TV/Show/Season 1/Show - S01E07 - Making of.mkv', 'Show', null, 1, [7]],
  ['TV/The Daily Show/The.Daily.Show.2024.03.05.1080p.mkv', 'The Daily Show', null, 0, []],
]

const IGNORED_FILES = [
  'Heat (1995)/Heat (1995)-trailer.mp4',
  'Heat (1995)/trailer.mp4',
  'Heat (1995)/sample.mkv',
  'Heat (1995)/heat-sample.mkv',
  'Heat (1995)/Trailers/Teaser.mp4',
  'Heat (1995)/Behind The Scenes/Making of.mkv',
  'Heat (1995)/Featurettes/The Heat.mkv',
  'Heat (1995)/Extras/Interview.mkv',
  'Heat (1995)/Deleted Scenes/One.mkv',
  'Fargo (2014)/Extras/Fargo S01E01 recap.mkv',
  'Movies/Heat/Extras/The story.mkv',
  'Movies/Heat/Other/Heat (1995) on set.mkv',
  'Heat (1995)/Other/Making Heat (1996).mkv',
  'Movies/Other/Heat (1995)/Extras/On set (1994).mkv',
  'Fargo/Extras/Fargo S01E01.mkv',
  'Fargo/Extras/Season 1/Bloopers S01E01.mkv',
  'Heat (1995)/Heat (1995) - Trailer.mp4',
  'Heat (1995)/Heat (1995) Trailer.mp4',
  'Heat (1995)/Heat (1995) - Official Trailer 2 (1080p).mp4',
  'Heat (1995)/Heat (1995) - Bande-annonce.mp4',
  'Heat (1995)/Heat.1995.Trailer.1080p.mp4',
  'Heat (1995)/Heat - Making of.mp4',
  'Heat (1995)/Behind the Scenes.mp4',
  'Heat (1995)/Making of.mp4',
  'Heat (1995)/Making-of Heat.mp4',
  'Heat (1995)/The Making of Heat.mp4',
  'Heat (1995)/Bonus 1.mp4',
  'Heat (1995)/Bonus/The story.mp4',
  'Heat (1995)/Heat.deleted.mkv',
  'Heat (1995)/Heat_trailer.mkv',
  'Movies/Heat.1995.interview.mkv',
  'Movies/Heat.1995.1080p.BluRay.x264.sample.mkv',
  'Movies/Heat - Teaser.mkv',
  'Movies/وجدة (2012)/إعلان.mp4',
  'TV/Show/Season 1/Show.S01E05.1080p.sample.mkv',
  'TV/Show/Season 1/Show.S01E05.trailer.mkv',
  'TV/Show/Season 1/Show - S01E05-trailer.mkv',
  'TV/Show/Season 1/Recap.mkv',
  'video.mp4',
  'Kids/video.mp4',
]

describe('movies', () => {
  test.each(MOVIES)('recognises %s as the movie "%s"', (path, title, year, expectedDetails = {}) => {
    const file = classifyFile(path)
    expect(file).toMatchObject({ kind: 'movie' })
    expect(file?.candidates[0] ?? { title: '', year: null }).toEqual({ title, year })
    expectDetails(file, expectedDetails)
  })
})

describe('episodes', () => {
  test.each(EPISODES)(
    'recognises %s as an episode of "%s"',
    (path, title, year, season, episodes, expectedDetails = {}) => {
      const file = classifyFile(path)
      expect(file).toMatchObject({ kind: 'tv', season, episodes })
      expect(file?.candidates[0]).toEqual({ title, year })
      expectDetails(file, expectedDetails)
    },
  )
})

test.each(IGNORED_FILES)('classifyFile ignores the file %s', (path) => {
  expect(classifyFile(path)).toBeNull()
})

test('classifyFile returns two title candidates if the year may be part of the title', () => {
  expect(classifyFile('Wonder Woman 1984.mkv')?.candidates).toEqual([
    { title: 'Wonder Woman', year: 1984 },
    { title: 'Wonder Woman 1984', year: null },
  ])
})

test.each([
  ['Avatar.3D.2009.mkv', ['Avatar 3D', 'Avatar', 'Avatar 3D 2009']],
  ['Learning.French.1080p.mkv', ['Learning French', 'Learning']],
  ['Heat.FRENCH.1080p.mkv', ['Heat', 'Heat FRENCH']],
])('classifyFile returns the title of %s with and without the language or edition', (path, titles) => {
  expect(classifyFile(path)?.candidates.map(({ title }) => title)).toEqual(titles)
})

test('the tables of file names contain at least 80 examples', () => {
  expect(MOVIES.length + EPISODES.length).toBeGreaterThanOrEqual(80)
})

function expectDetails(
  file: ReturnType<typeof classifyFile>,
  { imdb, tmdb, quality }: Record<string, unknown>,
): void {
  expect(file?.ids.imdb).toBe(imdb)
  expect(file?.ids.tmdb).toBe(tmdb)
  if (quality) expect(file?.quality).toBe(quality)
}
