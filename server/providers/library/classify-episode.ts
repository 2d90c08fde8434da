/** Reads the series, the season and the episodes from the path of a file. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { ClassifiedFile } from './classified-file.ts'
import { parseEpisodeName } from './episode-name.ts'
import { SPECIAL_WORDS } from './episode-numbers.ts'
import { getFoldedTitle, hasId, hasIdOrCertainYear, hasSameTitle, hasYear } from './named-title.ts'
import {
  getNameBeforeSpecials,
  isCertainSeasonFolder,
  parseNamedSeasonFolder,
  parseSeasonFolder,
} from './season-folder.ts'
import { extractTitleIds, type NamedTitle, parseTitleName, type TitleCandidate } from './title-name.ts'

/**
 * Names of folders that are seasons only if their files are numbered episodes: "1", "T2" for the Spanish and Portuguese
 * word for season, "Volume 2", "Teil 2".
 */
export const NUMBERED_FOLDER_PATTERN = /^(?:t|(?:part|partie|parte|teil|volume|vol)[ ._-]*)?(\d{1,2})$/i
/**
 * Matches the name of a file in a season folder after the name of the series was removed: "03", "S01E03 - Name",
 * "Episode 3".
 */
const EPISODE_AT_START_PATTERN = /^(?:\d{1,3}|(?:s\d{1,2} ?e|\d{1,2}x|ep?(?:isode)? ?)\d{1,3}(?!\d).*)$/i
/** Names of folders of specials, which may also be the names of collections. */
const OVA_FOLDER_PATTERN = /^(?:ovas?|oads?|sps?)$/i
/**
 * Matches the name of a file in a folder of specials after the name of the series was removed: "OVA 01", "Special 3",
 * "01".
 */
const SPECIAL_AT_START_PATTERN = new RegExp(`^(?:(?:${SPECIAL_WORDS})[ ._-]*)?\\d{1,3}(?![\\p{L}\\d])`, 'iu')
/** Text that distinguishes series of the same name, and may be missing in the catalogue: "(US)", "UK". */
const COUNTRY_PATTERN = /^(?:us|usa|uk|gb|au|nz|ca)$/

/**
 * Returns the season number of a folder such as "1", "T1" or "Part 2" in the folder of a series, if the file name has
 * an episode number at its start or directly after the name of the series. Returns null for other folders, such as
 * the folder of the movie "21". Without a further folder above, the name of a file may be the name of a movie: null is
 * returned for "Movies/Part 2/5.mkv" and "Movies/1/02 - Name.mkv".
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

/** Returns the episodes of a file; null if the file does not belong to a series. `stem` has no extension. */
export function classifyEpisode(
  pathParts: string[],
  stem: string,
  quality: string | null,
): ClassifiedFile | null {
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
 * Returns true if `text` contains no year and equals the name of the folder or of its parent folder, as in "Show
 * Name/Volume 1/Show Name - 05.mkv". A number after a name with a year usually denotes a version of the movie. A
 * TheTVDB id in the name of the folder is ignored. An IMDb or TMDB id is not ignored, because it may be the id of a
 * movie.
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
 * null for a movie: the name of the file has a year or an id and another title than the series, or the folder has a
 * year or an id and the title of the file.
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
