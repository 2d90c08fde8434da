/** Classifies a file of the library by its path: a movie, one or more episodes, or neither. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { parseEpisodeName } from './episode-name.ts'
import { type EpisodeNumbers, SPECIAL_WORDS } from './episode-numbers.ts'
import { EPISODE_FOLDER_PATTERN, isExtraFile } from './extras.ts'
import { splitFilePath } from './file-path.ts'
import {
  getFoldedTitle,
  hasCertainYear,
  hasId,
  hasIdOrCertainYear,
  hasSameTitle,
  hasYear,
} from './named-title.ts'
import { EPISODE_WORDS, replaceNumberWords } from './number-words.ts'
import { parseQuality } from './quality.ts'
import {
  getNameBeforeSpecials,
  isCertainSeasonFolder,
  parseNamedSeasonFolder,
  parseSeasonFolder,
} from './season-folder.ts'
import {
  extractTitleIds,
  type NamedTitle,
  parseTitleName,
  type TitleCandidate,
  type TitleIds,
} from './title-name.ts'

/** For a movie, the season is 0 and there are no episodes. */
export interface ClassifiedFile extends NamedTitle, Omit<EpisodeNumbers, 'textBefore'> {
  kind: 'movie' | 'tv'
  quality: string | null
  /** Folder that may contain `tvshow.nfo` (series) or `movie.nfo`; relative path, empty for the root. */
  titleFolder: string
}

const GENERIC_NAME_PATTERN =
  /^(?:movie|video|film|feature|main|index|master|playlist|stream|video_ts|title\d*)$/i
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
/** Names of subfolders for a stream or for one of several qualities of a title. */
const STREAM_FOLDER_PATTERN = /^(?:hls|stream|\d{3,4}p|4k|uhd|fhd|hd|sd|3d|blu-?ray|remux)$/i
/** Plex writes converted copies of a title to a subfolder of the folder with this name. */
const PLEX_VERSIONS_FOLDER = 'Plex Versions'
/**
 * Names of folders that are seasons only if their files are numbered episodes: "1", "T2" for the Spanish and Portuguese
 * word for season, "Volume 2", "Teil 2".
 */
const NUMBERED_FOLDER_PATTERN = /^(?:t|(?:part|partie|parte|teil|volume|vol)[ ._-]*)?(\d{1,2})$/i
/** The rest of a file name in a season folder after the name of the series: "03", "S01E03 - Name", "Episode 3". */
const EPISODE_AT_START_PATTERN = /^(?:\d{1,3}|(?:s\d{1,2} ?e|\d{1,2}x|ep?(?:isode)? ?)\d{1,3}(?!\d).*)$/i
/** Names of folders of specials, which may also be the names of collections. */
const OVA_FOLDER_PATTERN = /^(?:ovas?|oads?|sps?)$/i
/** The rest of a file name in a folder of specials after the name of the series: "OVA 01", "Special 3", "01". */
const SPECIAL_AT_START_PATTERN = new RegExp(`^(?:(?:${SPECIAL_WORDS})[ ._-]*)?\\d{1,3}(?![\\p{L}\\d])`, 'iu')
/** The name of a folder with a single episode in a season folder: "E02", "Episode 2", "02 - Name". */
const EPISODE_FOLDER_IN_SEASON_PATTERN = new RegExp(
  `^(?:(?:${EPISODE_WORDS}|e)[ ._-]*\\d{1,3}|\\d{2,3}(?=$| - ))(?![\\p{L}\\d])`,
  'iu',
)
/** Text that distinguishes series of the same name, and may be missing in the catalogue: "(US)", "UK". */
const COUNTRY_PATTERN = /^(?:us|usa|uk|gb|au|nz|ca)$/

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
  while (STREAM_FOLDER_PATTERN.test(pathParts.at(-1) ?? '') || isPartOfSeasonFolder(pathParts))
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
 * True if a file without an episode number of its own is in the folder of an episode, and that folder is in a season
 * folder: "Season 6/Episode 2/video.mkv", "Season 6/02/02.mkv".
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

/**
 * Returns the season number of a folder "1" or "T1" in the folder of a series, if the file name has an episode number
 * at its start or directly after the name of the series. Returns null for other folders, such as the folder of the
 * movie "21". In a folder of the topmost folder, such as "Movies/Part 2", a number alone may be the title of a movie.
 */
function parseNumberedSeasonFolder(pathParts: string[], stem: string): number | null {
  const [seriesFolder, folderName = ''] = pathParts.slice(-2)
  const [, seasonText] = NUMBERED_FOLDER_PATTERN.exec(folderName) ?? []
  const nameOfEpisode = removeTitleAtStart(stem, seriesFolder ?? '')
  const mayBeMovieTitle = folderName !== seasonText && pathParts.length === 2 && /^[1-9]\d*$/.test(stem)
  const isNumberAndName = pathParts.length > 2 && /^\d{2,3} - /.test(nameOfEpisode)
  const isSeason =
    pathParts.length > 1 &&
    stem !== folderName &&
    parseSeasonFolder(seriesFolder ?? '') === null &&
    !mayBeMovieTitle &&
    (EPISODE_AT_START_PATTERN.test(nameOfEpisode) || isNumberAndName)
  return seasonText !== undefined && isSeason ? Number(seasonText) : null
}

/**
 * True for the folder "OVA" of a series, and for "Show Name Specials" in the folder of this series. False for a
 * collection: "OVA/Show Name - 01".
 */
function isSpecialsFolderOfSeries(pathParts: string[], stem: string): boolean {
  const [seriesFolder = '', folderName = ''] = pathParts.slice(-2)
  const nameBeforeSpecials = getNameBeforeSpecials(folderName)
  return (
    pathParts.length > 1 &&
    (OVA_FOLDER_PATTERN.test(folderName) ||
      (nameBeforeSpecials !== null && isNameOfFolder(nameBeforeSpecials, seriesFolder))) &&
    SPECIAL_AT_START_PATTERN.test(removeTitleAtStart(stem, seriesFolder))
  )
}

/** Removes the title of a folder, and the separators after it, from the start of a name. */
function removeTitleAtStart(name: string, folderName: string): string {
  const titles = [folderName, parseTitleName(folderName).candidates[0]?.title ?? '']
  const title = titles.find((text) => text !== '' && name.toLowerCase().startsWith(text.toLowerCase()))
  return title === undefined ? name : name.slice(title.length).replace(/^[ ._-]+/, '')
}

function classifyEpisode(pathParts: string[], stem: string, quality: string | null): ClassifiedFile | null {
  const folderName = pathParts.at(-1) ?? ''
  const { ids: fileIds, remainingName: remainingStem } = extractTitleIds(stem)
  const plainSeasonNumber =
    parseNumberedSeasonFolder(pathParts, stem) ??
    (isSpecialsFolderOfSeries(pathParts, stem) ? 0 : parseSeasonFolder(folderName))
  const namedSeasonFolder = plainSeasonNumber === null ? parseNamedSeasonFolder(folderName) : null
  const parsedEpisode = parseEpisodeName(
    remainingStem.trim(),
    plainSeasonNumber ?? namedSeasonFolder?.season ?? null,
    (text) =>
      plainSeasonNumber === null
        ? isEpisodeNumberAfter(text, pathParts, stem)
        : isNameOfFolder(text, pathParts.at(-2) ?? ''),
  )
  if (!parsedEpisode)
    return plainSeasonNumber === null ? null : classifyUnnumberedEpisode(pathParts, stem, quality)
  const { textBefore, ...episodeNumbers } = parsedEpisode
  // The numbers are the title of a movie in the folder of this movie: "10x10 (2018)/10x10.mkv".
  const areNumbersMovieTitle =
    plainSeasonNumber === null &&
    /^\d{1,2}x\d{2,3}$/i.test(stem) &&
    foldSearchText(stem) === getFoldedTitle(parseTitleName(folderName))
  if (areNumbersMovieTitle) return null
  const commonFields = { kind: 'tv' as const, ...episodeNumbers, quality }
  const titleBeforeNumbers = parseTitleName(textBefore)
  if (plainSeasonNumber !== null) {
    const seriesFolderParts = pathParts.slice(0, -1)
    const seriesTitle = parseTitleName(seriesFolderParts.at(-1) ?? '')
    return {
      ...commonFields,
      ...chooseSeriesTitle(seriesTitle, seriesFolderParts.length > 0, titleBeforeNumbers),
      titleFolder: seriesFolderParts.join('/'),
    }
  }
  if (namedSeasonFolder) {
    const seriesTitle = parseTitleName(namedSeasonFolder.seriesName)
    const parentTitle = parseTitleName(pathParts.at(-2) ?? '')
    const isSameTitle = hasSameTitle(parentTitle, seriesTitle)
    const titleFolderParts = isSameTitle ? pathParts.slice(0, -1) : pathParts
    return {
      ...commonFields,
      ids: { ...fileIds, ...extractTitleIds(folderName).ids, ...parentTitle.ids },
      candidates: isSameTitle ? parentTitle.candidates : seriesTitle.candidates,
      titleFolder: titleFolderParts.join('/'),
    }
  }
  const titleFolderParts = findTitleFolder(pathParts, titleBeforeNumbers)
  const seriesTitle = parseTitleName(titleFolderParts.at(-1) ?? '')
  const isSameSeries = hasSameTitle(seriesTitle, titleBeforeNumbers)
  // A file with a longer title may belong to another series than its folder, as in "Show Name II" or "Show Name:
  // Miami". A later season of anime may be a series of its own, and its episode numbers then do not belong to the
  // series of the folder.
  const isFileTitleLonger = isSameSeries && getFoldedTitle(seriesTitle) !== getFoldedTitle(titleBeforeNumbers)
  const isFileOfOtherSeries =
    isFileTitleLonger &&
    (episodeNumbers.isAbsolute === true ||
      !(
        hasIdOrCertainYear(seriesTitle) ||
        isTitleWithAddition(getFoldedTitle(seriesTitle), titleBeforeNumbers)
      ))
  const isFolderNameUsable =
    !isFileOfOtherSeries &&
    (hasId(seriesTitle.ids) || isSameSeries || getFoldedTitle(titleBeforeNumbers) === '')
  const folderCandidates =
    isFileTitleLonger && !hasIdOrCertainYear(seriesTitle)
      ? [...titleBeforeNumbers.candidates.map(markUncertain), ...seriesTitle.candidates]
      : seriesTitle.candidates
  return {
    ...commonFields,
    ids: isFolderNameUsable ? { ...fileIds, ...seriesTitle.ids } : fileIds,
    candidates: isFolderNameUsable && pathParts.length > 0 ? folderCandidates : titleBeforeNumbers.candidates,
    titleFolder: isFileOfOtherSeries ? '' : titleFolderParts.join('/'),
  }
}

/** Marks a candidate as uncertain, because the words after the title of the folder may be the name of an episode. */
const markUncertain = (candidate: TitleCandidate): TitleCandidate => ({ ...candidate, isUncertain: true })

/**
 * For a file name that starts with the title of its folder: true if the rest of the name may be an addition, such as an
 * episode title after a dash, text in brackets, or a country.
 */
function isTitleWithAddition(foldedFolderTitle: string, { candidates }: NamedTitle): boolean {
  const title = candidates[0]?.title ?? ''
  const foldedAddition = foldSearchText(title).slice(foldedFolderTitle.length).trim()
  return (
    COUNTRY_PATTERN.test(foldedAddition) ||
    foldSearchText(title.split(/ - | [([]/)[0] ?? '') === foldedFolderTitle
  )
}

/**
 * Returns the path of the folder that is named after the title of the file. For a file in "Show Name/2024" or "Show
 * Name/Volume 1", this is "Show Name". Returns the path of the folder of the file if no folder has the title, or if the
 * name of the folder of the file contains a year or an id.
 */
function findTitleFolder(pathParts: string[], fileTitle: NamedTitle): string[] {
  const foldedTitle = getFoldedTitle(fileTitle)
  const folderTitle = parseTitleName(pathParts.at(-1) ?? '')
  if (foldedTitle === '' || hasIdOrCertainYear(folderTitle) || hasSameTitle(folderTitle, fileTitle))
    return pathParts
  const depth = pathParts.findLastIndex((name) => getFoldedTitle(parseTitleName(name)) === foldedTitle)
  return depth < 0 ? pathParts : pathParts.slice(0, depth + 1)
}

/**
 * Returns whether the number in a file name is an episode number. `text` is the part of the name before the number.
 * Returns true if `text` equals the name of the folder or of its parent folder, as in "Show Name/Volume 1/Show Name -
 * 05.mkv", and contains no year: a number after a name with a year usually
 * denotes a version of the movie. A TheTVDB id in the name of the folder is ignored. An IMDb or TMDB id is not ignored,
 * because it may be the id of a movie.
 * If the name begins with the number (`text` is empty), three conditions must be met: the folder is inside another
 * folder, the name of the folder has no year and no id, and the file has another name than the folder.
 */
function isEpisodeNumberAfter(text: string, pathParts: string[], stem: string): boolean {
  const folderName = pathParts.at(-1) ?? ''
  if (text === '')
    return (
      pathParts.length > 1 &&
      !hasIdOrCertainYear(parseTitleName(folderName)) &&
      foldSearchText(stem) !== foldSearchText(folderName)
    )
  const isNamedLike = (name: string) => {
    const { ids, remainingName } = extractTitleIds(name)
    const hasMovieId = ids.imdb !== undefined || ids.tmdb !== undefined
    return foldSearchText(text) === foldSearchText(hasMovieId ? name : remainingName)
  }
  return pathParts.slice(-2).some(isNamedLike) && !hasYear(parseTitleName(text))
}

/** True if a text is the name of a folder, with or without its year. */
const isNameOfFolder = (text: string, folderName: string) =>
  foldSearchText(text) !== '' &&
  [foldSearchText(folderName), getFoldedTitle(parseTitleName(folderName))].includes(foldSearchText(text))

/**
 * Returns an episode without a number for a file in the season folder of a series. The number must be chosen by hand.
 * Returns null for a series without a name, and for a folder that may be something other than a season. Also returns
 * null if the file belongs to a movie: its name has a year or an id, and another title than the series.
 */
function classifyUnnumberedEpisode(
  pathParts: string[],
  stem: string,
  quality: string | null,
): ClassifiedFile | null {
  const seriesFolderParts = pathParts.slice(0, -1)
  const seriesTitle = parseTitleName(seriesFolderParts.at(-1) ?? '')
  const fileTitle = parseTitleName(stem)
  // The folder of a movie may begin like a season folder: "Series 7 The Contenders (2001)".
  const folderTitle = parseTitleName(pathParts.at(-1) ?? '')
  const isMovieOfFolder =
    hasIdOrCertainYear(folderTitle) &&
    /\d \p{L}/u.test(getFoldedTitle(folderTitle)) &&
    getFoldedTitle(folderTitle) === getFoldedTitle(fileTitle)
  const isMovie = isMovieOfFolder || (hasIdOrCertainYear(fileTitle) && !hasSameTitle(seriesTitle, fileTitle))
  if (isMovie || getFoldedTitle(seriesTitle) === '' || !isCertainSeasonFolder(pathParts.at(-1) ?? ''))
    return null
  return {
    ...seriesTitle,
    kind: 'tv',
    season: parseSeasonFolder(pathParts.at(-1) ?? '') ?? 0,
    episodes: [],
    quality,
    titleFolder: seriesFolderParts.join('/'),
  }
}

/**
 * Returns the title of the series folder, which contains the season folders, if there is such a folder with a title.
 * Otherwise returns the title in the file name.
 */
function chooseSeriesTitle(folderTitle: NamedTitle, hasFolder: boolean, fileTitle: NamedTitle): NamedTitle {
  return hasFolder && getFoldedTitle(folderTitle) !== '' ? folderTitle : fileTitle
}

function classifyMovie(pathParts: string[], stem: string, quality: string | null): ClassifiedFile | null {
  const fileTitle = parseTitleName(stem)
  const folderTitle = parseTitleName(pathParts.at(-1) ?? '')
  const isGenericName = GENERIC_NAME_PATTERN.test(stem.trim())
  const isInSubfolder = pathParts.length > 1
  const isFolderTitleReliable =
    hasCertainYear(folderTitle) || hasId(folderTitle.ids) || (isGenericName && isInSubfolder)
  const isSameTitle =
    isGenericName || (hasSameTitle(folderTitle, fileTitle) && !isOtherMovieOfSeries(folderTitle, fileTitle))
  const titleCandidates = isGenericName
    ? isFolderTitleReliable
      ? folderTitle.candidates
      : []
    : [
        ...addYearOfFolder(pathParts, folderTitle, fileTitle),
        ...chooseMovieCandidates(folderTitle, fileTitle, isFolderTitleReliable, isSameTitle),
      ]
  // The IMDb id of a folder always applies to the file, because such a folder holds one movie. A TMDB id may belong to
  // a collection, so it applies only if the file has the title of the folder or no year.
  const folderIds = isFolderTitleReliable && (isSameTitle || !hasYear(fileTitle)) ? folderTitle.ids : {}
  const ids: TitleIds = {
    ...folderIds,
    ...(folderTitle.ids.imdb && { imdb: folderTitle.ids.imdb }),
    ...fileTitle.ids,
  }
  if (titleCandidates.every((candidate) => foldSearchText(candidate.title) === '') && !hasId(ids)) return null
  return {
    kind: 'movie',
    season: 0,
    episodes: [],
    ids,
    candidates: titleCandidates,
    quality,
    titleFolder: pathParts.join('/'),
  }
}

const YEAR_FOLDER_PATTERN = /^(?:1[89]|20)\d\d$/

/**
 * For a file in a folder that is named after a year, such as "2009/Thirst.mkv" or "2009/Thirst/Thirst.mkv": returns the
 * titles of the file with this year. The movie may have been bought in this year, so the candidates are marked as
 * uncertain. Returns an empty list for any other file, and for a name that already has a year.
 */
function addYearOfFolder(
  pathParts: string[],
  folderTitle: NamedTitle,
  fileTitle: NamedTitle,
): TitleCandidate[] {
  const isFolderOfTitle = hasSameTitle(folderTitle, fileTitle)
  const yearFolder = pathParts.at(isFolderOfTitle ? -2 : -1) ?? ''
  if (
    !YEAR_FOLDER_PATTERN.test(yearFolder) ||
    hasYear(fileTitle) ||
    (isFolderOfTitle && hasYear(folderTitle))
  )
    return []
  return fileTitle.candidates
    .filter(({ title }) => foldSearchText(title) !== '' && title !== yearFolder)
    .map(({ title }) => ({ title, year: Number(yearFolder), isUncertain: true }))
}

/**
 * Returns the candidates for the title of a movie. Prefers the name with a year. If the name of the file has a year and
 * the folder has another title, the folder is a collection, and the name of the file is used.
 */
function chooseMovieCandidates(
  folderTitle: NamedTitle,
  fileTitle: NamedTitle,
  isFolderTitleReliable: boolean,
  isSameTitle: boolean,
): TitleCandidate[] {
  if (!isFolderTitleReliable) return fileTitle.candidates
  if (isSameTitle && hasYear(folderTitle)) return folderTitle.candidates
  return hasYear(fileTitle) ? fileTitle.candidates : [...folderTitle.candidates, ...fileTitle.candidates]
}

/** A number at the start of the words after a title, as in "Rocky II" and "Rocky 2". */
const NUMBER_AFTER_TITLE_PATTERN = /^(?:\d{1,2}|[ivx]+)(?= |$)/

/**
 * True if the name of the file is longer than the title of its folder and states another year, as in "Rocky
 * (1976)/Rocky II (1979).mkv". False if the additional words name an edition. A year that differs by one may be a
 * mistake, so a number must then follow the title.
 */
function isOtherMovieOfSeries(folderTitle: NamedTitle, fileTitle: NamedTitle): boolean {
  const foldedFolderTitle = getFoldedTitle(folderTitle)
  const folderYear = folderTitle.candidates[0]?.year ?? null
  const fileYear = fileTitle.candidates[0]?.year ?? null
  if (folderYear === null || fileYear === null || folderYear === fileYear) return false
  const addition = getFoldedTitle(fileTitle).slice(foldedFolderTitle.length).trim()
  // "Rocky 1976 Remastered 2006" states the year of the folder, and after it the year of the edition.
  if (addition.split(' ').includes(String(folderYear))) return false
  return (
    (Math.abs(folderYear - fileYear) > 1 || NUMBER_AFTER_TITLE_PATTERN.test(addition)) &&
    fileTitle.candidates.every(({ title }) => foldSearchText(title) !== foldedFolderTitle)
  )
}
