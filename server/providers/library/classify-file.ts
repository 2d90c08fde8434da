/** Classifies a file of the library by its path: a movie, one or more episodes, or neither. */
import type { ClassifiedFile } from './classified-file.ts'
import { classifyEpisode, NUMBERED_FOLDER_PATTERN } from './classify-episode.ts'
import { classifyMovie, GENERIC_NAME_PATTERN } from './classify-movie.ts'
import { parseEpisodeName } from './episode-name.ts'
import { EPISODE_FOLDER_PATTERN, isExtraFile } from './extras.ts'
import { splitFilePath } from './file-path.ts'
import { EPISODE_WORDS, replaceNumberWords } from './number-words.ts'
import { parseQuality } from './quality.ts'
import { isCertainSeasonFolder, parseSeasonFolder } from './season-folder.ts'

/** Names of the subfolders for the discs of a movie: "CD1", "Disc 2". */
export const DISC_FOLDER_PATTERN = /^(?:cd|dis[ck]|dvd)[ ._-]*[1-9]$/i
/**
 * Matches the paths of disc images and of files of a copied disc, also if the files were copied without the folder of
 * the disc.
 */
const DISC_COPY_PATTERN = new RegExp(
  [
    '(?:^|/)(?:VIDEO_TS|AUDIO_TS|BDMV)/',
    '(?:^|/)(?:VIDEO_TS|VTS_\\d\\d_\\d)\\.VOB$',
    '(?:^|/)STREAM/\\d{5}\\.m2ts$',
    '\\.(?:iso|img)$',
  ].join('|'),
  'i',
)
/** Names of subfolders that contain a stream or one version of a title. */
const VERSION_FOLDER_PATTERN = /^(?:hls|stream|\d{3,4}p|4k|uhd|fhd|hd|sd|3d|blu-?ray|remux)$/i
/** Plex writes converted copies of a title to a subfolder of the folder with this name. */
const PLEX_VERSIONS_FOLDER = 'Plex Versions'
/** The name of a folder with a single episode in a season folder: "E02", "Episode 2", "02 - Name". */
const EPISODE_FOLDER_IN_SEASON_PATTERN = new RegExp(
  `^(?:(?:${EPISODE_WORDS}|e)[ ._-]*\\d{1,3}|\\d{2,3}(?=$| - ))(?![\\p{L}\\d])`,
  'iu',
)

/**
 * Classifies a file by its path, which is relative and separated by `/`. Returns null for extras and for files without
 * a usable name. Never throws.
 */
export function classifyFile(path: string): ClassifiedFile | null {
  if (isExtraFile(path)) return null
  const { folders: pathParts, stem: fileStem } = splitFilePath(path)
  const folderQuality = parseQuality(pathParts.at(-1) ?? '')
  if (pathParts.at(-2) === PLEX_VERSIONS_FOLDER) pathParts.splice(-2)
  while (DISC_FOLDER_PATTERN.test(pathParts.at(-1) ?? '')) pathParts.pop()
  while (VERSION_FOLDER_PATTERN.test(pathParts.at(-1) ?? '') || isPartOfSeasonFolder(pathParts))
    pathParts.pop()
  const isEpisodeNamedByFolder =
    isEpisodeFolderInSeason(pathParts, fileStem) ||
    (GENERIC_NAME_PATTERN.test(fileStem)
      ? parseEpisodeName(pathParts.at(-1) ?? '', null) !== null
      : isEpisodeFolder(pathParts.at(-1) ?? '') && !parseEpisodeName(fileStem, null))
  const stem = isEpisodeNamedByFolder ? (pathParts.pop() ?? '') : fileStem
  const quality = parseQuality(stem) ?? folderQuality ?? parseQuality(pathParts.at(-1) ?? '')
  return classifyEpisode(pathParts, stem, quality) ?? classifyMovie(pathParts, stem, quality)
}

/** True for a folder that divides the episodes of a season: "Season 2/Part 1". */
const isPartOfSeasonFolder = (pathParts: string[]) =>
  /\D/.test(pathParts.at(-1) ?? '') &&
  NUMBERED_FOLDER_PATTERN.test(pathParts.at(-1) ?? '') &&
  isCertainSeasonFolder(pathParts.at(-2) ?? '')

/**
 * True for the folder of a single episode. False for the folder of several episodes, such as "Show Name S01E01-E10".
 */
const isEpisodeFolder = (folderName: string) =>
  EPISODE_FOLDER_PATTERN.test(folderName) && parseEpisodeName(folderName, null)?.episodes.length === 1

/**
 * True if the file is in the folder of a single episode, that folder is in a season folder, and the file name states no
 * other episode: "Season 6/Episode 2/video.mkv", "Season 6/02/02.mkv".
 */
function isEpisodeFolderInSeason(pathParts: string[], fileStem: string): boolean {
  const [seasonFolder = '', folderName = ''] = pathParts.slice(-2)
  const season = parseSeasonFolder(seasonFolder)
  if (season === null || !EPISODE_FOLDER_IN_SEASON_PATTERN.test(replaceNumberWords(folderName))) return false
  const [episodeOfFolder] = parseEpisodeName(folderName, season)?.episodes ?? []
  const episodesOfFile = parseEpisodeName(fileStem, season)?.episodes
  return (
    episodeOfFolder !== undefined &&
    (episodesOfFile === undefined || episodesOfFile.join() === `${episodeOfFolder}`)
  )
}

/**
 * True for a disc image and for files of a copied disc. The files cannot be matched, because a movie on a disc
 * consists of several files, and the disc also contains files of menus and trailers.
 */
export const isDiscFile = (path: string): boolean => DISC_COPY_PATTERN.test(path)
