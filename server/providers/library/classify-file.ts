/** Classifies a file of the library by its path: a movie, one or more episodes, or neither. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import {
  type EpisodeNumbers,
  isCertainSeasonFolder,
  parseEpisodeName,
  parseNamedSeasonFolder,
  parseSeasonFolder,
} from './episode-name.ts'
import { getFileExtension } from './media-types.ts'
import { parseQuality } from './quality.ts'
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

const EXTRAS_FOLDER_PATTERN =
  /^(?:featurettes?|behind the scenes|deleted scenes|trailers?|samples?|backdrops|theme-music|subs|subtitles)$/i
/** Names of extras folders that are also used for collections ("Movies/Shorts") and for a series ("TV/Extras"). */
const AMBIGUOUS_EXTRAS_FOLDER_PATTERN = /^(?:extras?|interviews?|scenes|shorts|other)$/i
/** Further names of extras folders. They count only in the folder of a title. */
const TITLE_EXTRAS_FOLDER_PATTERN =
  /^(?:bonus(?: features)?|special features|clips?|making[ ._-]of|bloopers?|gag reels?|promos?|bandes?[ ._-]annonces?|sc[eè]nes? coup[ée]es?|suppl[ée]ments?|كواليس)$/i
/** Words that show that a file is an extra, because titles rarely end with them: "Heat - Trailer 2". */
const CLEAR_EXTRA_WORDS =
  'sample|(?:(?:official|theatrical|final|teaser) )*trailer|tr[aá]iler|teaser|bande annonce|featurettes?|behind ?the ?scenes|making of|deleted ?scenes?|scènes coupées|bloopers?|gag reel|bêtisier|(?:ال)?[إا]علان(?: (?:ال)?(?:فيلم|مسلسل))?|برومو|كواليس'
/** Further words of extras, which the title of a film or an episode may also end with. */
const AMBIGUOUS_EXTRA_WORDS = 'interviews?|extras?|bonus|promo|recap'
const EXTRA_END = String.raw`(?: ?#?\d{1,2})?(?: (?:vf|vo|vostfr))?(?: [[(]?(?:uhd|4k|hd|\d{3,4}p)[\])]?)?$`
/**
 * An extra after the title: after " - " or after a year. The pattern is applied to a name in which dots, and dashes
 * between letters, were replaced with spaces.
 */
const EXTRA_AFTER_TITLE_PATTERN = new RegExp(
  `\\S (?:- (?:${CLEAR_EXTRA_WORDS})|[[(]?(?:1[89]|20)\\d\\d[\\])]? (?:- )?(?:${CLEAR_EXTRA_WORDS}|${AMBIGUOUS_EXTRA_WORDS}))${EXTRA_END}`,
  'iu',
)
/** An extra that has no title of its own, in the folder of a title or a season. */
const EXTRA_WITHOUT_TITLE_PATTERN = new RegExp(
  `^(?:${CLEAR_EXTRA_WORDS}|${AMBIGUOUS_EXTRA_WORDS})${EXTRA_END}`,
  'iu',
)
const MAKING_OF_PATTERN = /^(?:the )?making of /i
/** The suffixes of Plex and Jellyfin: "Heat-trailer". */
const EXTRA_SUFFIX_PATTERN =
  /(^|[-._])(sample|trailer|featurette|behindthescenes|deleted|deletedscene|interview|clip|scene|short|other|theme|teaser|extra|bande-annonce|making-of)\d?$/i
/**
 * Suffixes that always mark an extra when they follow a dot. The other suffixes can be the last word of a title, as in
 * "The.Interview" and "Get.Short".
 */
const CLEAR_DOT_SUFFIX_PATTERN = /^(?:sample|trailer|featurette|behindthescenes|deletedscene|teaser)$/i
/** Openings and endings of anime without the credits: "Show - NCOP1 (1080p)", "Show - Creditless Ending". */
const CREDITLESS_PATTERN =
  /(?:^|[ ._\-)\]])(?:nc(?:op|ed)|(?:creditless|textless|clean)[ ._-]+(?:op|ed|openings?|endings?))[ ._-]*(?:\d{1,2}[a-z]?)?(?:v\d)?(?=[ ._-]*(?:$|[[(-]))/i
/** Openings, endings and videos about the series, as groups of anime name them: "[Group] Show - PV1 [1080p]". */
const GROUP_EXTRA_PATTERN =
  /^\[[^\]]+\].*[ _](?:(?:OP|ED|PV)[ _]?\d{1,2}[a-z]?|-[ _](?:OP|ED|PV|CM|Menu)[ _]?(?:\d{1,2}[a-z]?)?)(?:v\d)?[ _]*[[(]/
const YEAR_IN_BRACKETS_PATTERN = /[([](?:1[89]|20)\d\d[)\]]/
const ARTICLE_AT_END_PATTERN = /(?:^|[-._ ])(?:the|an?|l[ae]|les|une?|der|die|das|el|los|las|il|lo)$/i
const GENERIC_NAME_PATTERN =
  /^(?:movie|video|film|feature|main|index|master|playlist|stream|video_ts|title\d*)$/i
/** Subfolders of the folder of a film, one for each disc. */
export const DISC_FOLDER_PATTERN = /^(?:cd|dis[ck]|dvd)[ ._-]*[1-9]$/i
/** Files of a disc, also when they were copied without the folder of the disc. */
const DISC_COPY_PATTERN = new RegExp(
  [
    '(?:^|/)(?:VIDEO_TS|AUDIO_TS|BDMV)/',
    '(?:^|/)(?:VIDEO_TS|VTS_\\d\\d_\\d)\\.VOB$',
    '(?:^|/)STREAM/\\d{5}\\.m2ts$',
    '\\.(?:iso|img)$',
  ].join('|'),
  'i',
)
const STREAM_FOLDER_PATTERN = /^(?:hls|stream|\d{3,4}p)$/i
/** Plex writes converted copies of a title to a folder in this folder. */
const PLEX_VERSIONS_FOLDER = 'Plex Versions'
/** The folder of a single episode, as releases are packed. Its files may have meaningless names. */
const EPISODE_FOLDER_PATTERN = /(?<![\p{L}\d])s\d{1,2}e\d{1,3}(?!\d)/iu
const NUMERIC_FOLDER_PATTERN = /^\d{1,2}$/
/** The rest of a file name in a season folder after the name of the series: "03", "S01E03 - Name", "Episode 3". */
const EPISODE_AT_START_PATTERN = /^(?:\d{1,3}|(?:s\d{1,2} ?e|\d{1,2}x|ep?(?:isode)? ?)\d{1,3}(?!\d).*)$/i
/** Text that distinguishes series of the same name, and may be missing in the catalogue: "(US)", "UK". */
const COUNTRY_PATTERN = /^(?:us|usa|uk|gb|au|nz|ca)$/

/** Returns null for extras and for files without a usable name. `path` is relative, separated by `/`. Never throws. */
export function classifyFile(path: string): ClassifiedFile | null {
  const pathParts = normaliseCharacters(path).split('/')
  const fileName = pathParts.pop() ?? ''
  let stem = fileName.slice(0, fileName.length - getFileExtension(fileName).length - 1)
  if (isInExtrasFolder(pathParts, stem) || isExtraName(stem, pathParts.at(-1) ?? '')) return null
  if (pathParts.at(-2) === PLEX_VERSIONS_FOLDER) pathParts.splice(-2)
  while (DISC_FOLDER_PATTERN.test(pathParts.at(-1) ?? '')) pathParts.pop()
  while (STREAM_FOLDER_PATTERN.test(pathParts.at(-1) ?? '')) pathParts.pop()
  const isNamedByFolder = GENERIC_NAME_PATTERN.test(stem)
    ? parseEpisodeName(pathParts.at(-1) ?? '', null) !== null
    : isEpisodeFolder(pathParts.at(-1) ?? '') && !parseEpisodeName(stem, null)
  if (isNamedByFolder) stem = pathParts.pop() ?? ''
  const quality = parseQuality(stem) ?? parseQuality(pathParts.at(-1) ?? '')
  return classifyEpisode(pathParts, stem, quality) ?? classifyMovie(pathParts, stem, quality)
}

/** False for the folder of several episodes, such as "Show Name S01E01-E10". */
const isEpisodeFolder = (folderName: string) =>
  EPISODE_FOLDER_PATTERN.test(folderName) && parseEpisodeName(folderName, null)?.episodes.length === 1

/**
 * True for a disc image and for files of a copied disc. One film on a disc consists of several files, beside
 * menus and trailers.
 */
export const isDiscFile = (path: string): boolean => DISC_COPY_PATTERN.test(path)

/** Converts Arabic and Persian digits, as in "٢٠١٢", to Latin ones, and the brackets 【】 of Chinese names to []. */
const normaliseCharacters = (text: string) =>
  text
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('【', '[')
    .replaceAll('】', ']')

/** True for trailers, samples and other extras, by the name of the file or its folder. `path` is relative. */
export function isExtraFile(path: string): boolean {
  const pathParts = normaliseCharacters(path).split('/')
  const fileName = pathParts.pop() ?? ''
  const stem = fileName.slice(0, fileName.length - getFileExtension(fileName).length - 1)
  return isInExtrasFolder(pathParts, stem) || isExtraName(stem, pathParts.at(-1) ?? '')
}

const isInExtrasFolder = (folders: string[], stem: string) =>
  folders.some(
    (folder, index) =>
      index > 0 &&
      (EXTRAS_FOLDER_PATTERN.test(folder) ||
        (TITLE_EXTRAS_FOLDER_PATTERN.test(folder) && isTitleFolder(folders[index - 1] ?? '')) ||
        (AMBIGUOUS_EXTRAS_FOLDER_PATTERN.test(folder) && !isCollectionOrSeries(folders, index, stem))),
  )

/**
 * True when the folder at `index`, such as "Shorts", is a collection or a series and not a folder of extras. Always
 * false when its parent folder is the folder of a title.
 * Collection: the file, or a folder below `index`, names another title than the parent folder. That name states a year
 * in brackets, a quality or an id.
 * Series: the file is an episode, and the folder of its series is the folder at `index` or a folder below.
 */
function isCollectionOrSeries(folders: string[], index: number, stem: string): boolean {
  const parentName = folders[index - 1] ?? ''
  if (isTitleFolder(parentName)) return false
  const episode = parseEpisodeName(stem, null)
  if (episode) {
    const seriesFolders = folders.slice(index).filter((folder) => parseSeasonFolder(folder) === null)
    const seriesTitle = parseTitleName(episode.textBefore)
    const hasSeasonFolder = seriesFolders.length < folders.length - index
    return seriesFolders.some(
      (folder, depth) => (depth > 0 || hasSeasonFolder) && hasSameTitle(parseTitleName(folder), seriesTitle),
    )
  }
  const parentTitle = parseTitleName(parentName)
  return [...folders.slice(index + 1), stem].some((name) => {
    const namedTitle = parseTitleName(name)
    const hasYearQualityOrId =
      YEAR_IN_BRACKETS_PATTERN.test(name) || parseQuality(name) !== null || hasId(namedTitle.ids)
    return hasYearQualityOrId && isDescriptive(namedTitle) && !hasSameTitle(parentTitle, namedTitle)
  })
}

/** True for the folder of a film or a series with a year or an id, and for a season folder. */
const isTitleFolder = (folderName: string) =>
  isDescriptive(parseTitleName(folderName)) || parseSeasonFolder(folderName) !== null

/** True for "Movie-trailer", "Movie (1995) - Making of" and "sample", but not for a movie called "The Sample". */
const isExtraName = (stem: string, folderName: string) =>
  isSampleOfRelease(stem, folderName) ||
  hasExtraSuffix(stem, folderName) ||
  hasExtraPhrase(stem, folderName) ||
  isCreditless(stem)

/** True for "sample-group.mkv" in the folder of a film or an episode. */
const isSampleOfRelease = (stem: string, folderName: string) =>
  /^sample[-_.]/i.test(stem) &&
  (isTitleFolder(folderName) || EPISODE_FOLDER_PATTERN.test(folderName)) &&
  !hasSameTitle(parseTitleName(folderName), parseTitleName(stem))

/** False for an opening that is numbered as a special of the series: "Show S00E03 NCOP". */
const isCreditless = (stem: string) =>
  (CREDITLESS_PATTERN.test(stem) || GROUP_EXTRA_PATTERN.test(stem)) && !/s\d+[ ._-]*e\d/i.test(stem)

/** True if a suffix of extras is the whole name, follows a dash, or follows a dot and cannot belong to the title. */
function hasExtraSuffix(stem: string, folderName: string): boolean {
  const suffixMatch = EXTRA_SUFFIX_PATTERN.exec(stem)
  if (!suffixMatch) return false
  const [, separator, word = ''] = suffixMatch
  const textBefore = stem.slice(0, suffixMatch.index)
  if (separator === '') return true
  if (ARTICLE_AT_END_PATTERN.test(textBefore)) return false
  if (separator === '-') return true
  if (parseEpisodeName(stem, null))
    return /^sample$/i.test(word) || (CLEAR_DOT_SUFFIX_PATTERN.test(word) && /[ex]\d+$/i.test(textBefore))
  const folderTitle = parseTitleName(folderName)
  return (
    CLEAR_DOT_SUFFIX_PATTERN.test(word) ||
    /(?:1[89]|20)\d\d[)\]]?$/.test(textBefore) ||
    (isDescriptive(folderTitle) && hasSameTitle(folderTitle, parseTitleName(textBefore)))
  )
}

/** True if the name contains words of an extra, such as "Making of", that cannot belong to the title. */
function hasExtraPhrase(stem: string, folderName: string): boolean {
  const name = stem
    .normalize('NFC')
    .replace(/[._\s]+/g, ' ')
    .replace(/(?<=\p{L})-(?=\p{L})/gu, ' ')
  const isAfterTitle = EXTRA_AFTER_TITLE_PATTERN.test(name)
  const isWithoutTitle = EXTRA_WITHOUT_TITLE_PATTERN.test(name)
  if (!isAfterTitle && !isWithoutTitle && !MAKING_OF_PATTERN.test(name)) return false
  if (parseEpisodeName(stem, null)) return false
  if (isAfterTitle) return true
  const folderTitle = parseTitleName(folderName)
  const isExtraOfFolder = isWithoutTitle ? isTitleFolder(folderName) : isDescriptive(folderTitle)
  return isExtraOfFolder && !hasSameTitle(folderTitle, parseTitleName(stem))
}

/**
 * True for a folder "1" in the folder of a series, if the file name begins with an episode. False for the film "21" in
 * its own folder.
 */
const isNumericSeasonFolder = (pathParts: string[], stem: string) =>
  NUMERIC_FOLDER_PATTERN.test(pathParts.at(-1) ?? '') &&
  pathParts.length > 1 &&
  stem !== pathParts.at(-1) &&
  EPISODE_AT_START_PATTERN.test(removeTitleAtStart(stem, pathParts.at(-2) ?? ''))

/** Returns the name without the title of a folder and the separators after it. */
function removeTitleAtStart(name: string, folderName: string): string {
  const titles = [folderName, parseTitleName(folderName).candidates[0]?.title ?? '']
  const title = titles.find((text) => text !== '' && name.toLowerCase().startsWith(text.toLowerCase()))
  return title === undefined ? name : name.slice(title.length).replace(/^[ ._-]+/, '')
}

function classifyEpisode(pathParts: string[], stem: string, quality: string | null): ClassifiedFile | null {
  const folderName = pathParts.at(-1) ?? ''
  const { ids: fileIds, remainingName: remainingStem } = extractTitleIds(stem)
  const plainSeasonNumber = isNumericSeasonFolder(pathParts, stem)
    ? Number(folderName)
    : parseSeasonFolder(folderName)
  const namedSeasonFolder = plainSeasonNumber === null ? parseNamedSeasonFolder(folderName) : null
  const parsedEpisode = parseEpisodeName(
    remainingStem.trim(),
    plainSeasonNumber ?? namedSeasonFolder?.season ?? null,
    (text) =>
      plainSeasonNumber === null
        ? isSeriesFolderName(text, pathParts, stem)
        : isNameOfFolder(text, pathParts.at(-2) ?? ''),
  )
  if (!parsedEpisode)
    return plainSeasonNumber === null ? null : classifyUnnumberedEpisode(pathParts, stem, quality)
  const { textBefore, ...episodeNumbers } = parsedEpisode
  // The numbers are the title of a film in the folder of this film: "10x10 (2018)/10x10.mkv".
  const isFilmOfFolder =
    plainSeasonNumber === null &&
    /^\d{1,2}x\d{2,3}$/i.test(stem) &&
    foldSearchText(stem) === getFoldedTitle(parseTitleName(folderName))
  if (isFilmOfFolder) return null
  const commonFields = { kind: 'tv' as const, ...episodeNumbers, quality }
  const titleBeforeNumbers = parseTitleName(textBefore)
  if (plainSeasonNumber !== null) {
    const seriesFolderParts = pathParts.slice(0, -1)
    const seriesName = parseTitleName(seriesFolderParts.at(-1) ?? '')
    return {
      ...commonFields,
      ...preferFolderName(seriesName, seriesFolderParts.length > 0, titleBeforeNumbers),
      titleFolder: seriesFolderParts.join('/'),
    }
  }
  if (namedSeasonFolder) {
    const seriesName = parseTitleName(namedSeasonFolder.seriesName)
    const parentName = parseTitleName(pathParts.at(-2) ?? '')
    const isSameTitle = hasSameTitle(parentName, seriesName)
    const titleFolderParts = isSameTitle ? pathParts.slice(0, -1) : pathParts
    return {
      ...commonFields,
      ids: { ...fileIds, ...extractTitleIds(folderName).ids, ...parentName.ids },
      candidates: isSameTitle ? parentName.candidates : seriesName.candidates,
      titleFolder: titleFolderParts.join('/'),
    }
  }
  const titleFolderParts = findTitleFolder(pathParts, titleBeforeNumbers)
  const seriesName = parseTitleName(titleFolderParts.at(-1) ?? '')
  const isSameSeries = hasSameTitle(seriesName, titleBeforeNumbers)
  // A file with a longer title may belong to another series than its folder, as in "Show Name II" or "Show Name:
  // Miami". A later season of anime may be a series of its own, and its numbers do not belong to the folder.
  const isLongerTitle = isSameSeries && getFoldedTitle(seriesName) !== getFoldedTitle(titleBeforeNumbers)
  const isOtherSeries =
    isLongerTitle &&
    (episodeNumbers.isAbsolute === true ||
      !(isDescriptive(seriesName) || isAddition(getFoldedTitle(seriesName), titleBeforeNumbers)))
  const isFolderNameUsable =
    !isOtherSeries && (hasId(seriesName.ids) || isSameSeries || getFoldedTitle(titleBeforeNumbers) === '')
  const folderCandidates =
    isLongerTitle && !isDescriptive(seriesName)
      ? [...titleBeforeNumbers.candidates.map(markUncertain), ...seriesName.candidates]
      : seriesName.candidates
  return {
    ...commonFields,
    ids: isFolderNameUsable ? { ...fileIds, ...seriesName.ids } : fileIds,
    candidates: isFolderNameUsable && pathParts.length > 0 ? folderCandidates : titleBeforeNumbers.candidates,
    titleFolder: isOtherSeries ? '' : titleFolderParts.join('/'),
  }
}

/** The name of an episode may follow the title in the file name, so the file is not named by this title. */
const markUncertain = (candidate: TitleCandidate): TitleCandidate => ({ ...candidate, isUncertain: true })

/**
 * True if the words of a file after the title of its folder may be something else than a part of the title: the title
 * of the episode after a dash, text in brackets, or a country.
 */
function isAddition(foldedFolderTitle: string, { candidates }: NamedTitle): boolean {
  const title = candidates[0]?.title ?? ''
  const addition = foldSearchText(title).slice(foldedFolderTitle.length).trim()
  return (
    COUNTRY_PATTERN.test(addition) || foldSearchText(title.split(/ - | [([]/)[0] ?? '') === foldedFolderTitle
  )
}

/**
 * Returns the path of the folder that has the title of the file, if it is above the folder of the file: "Show
 * Name/2024" and "Show Name/Volume 1". Otherwise returns the path of the folder of the file.
 */
function findTitleFolder(pathParts: string[], fileTitle: NamedTitle): string[] {
  const foldedTitle = getFoldedTitle(fileTitle)
  const folderTitle = parseTitleName(pathParts.at(-1) ?? '')
  if (foldedTitle === '' || isDescriptive(folderTitle) || hasSameTitle(folderTitle, fileTitle))
    return pathParts
  const depth = pathParts.findLastIndex((name) => getFoldedTitle(parseTitleName(name)) === foldedTitle)
  return depth < 0 ? pathParts : pathParts.slice(0, depth + 1)
}

/**
 * Tells whether the number in a file name is an episode number. `text` is the part of the name before the number.
 * Returns true if `text` equals the name of the folder, without an id of a series, and contains no year: a number after
 * a name with a year usually denotes a version of the film. If the name begins with the number (`text` is empty),
 * returns true if the folder is inside another folder, its name has no year and no id, and the file has another name
 * than the folder.
 */
function isSeriesFolderName(text: string, pathParts: string[], stem: string): boolean {
  const folderName = pathParts.at(-1) ?? ''
  if (text === '')
    return (
      pathParts.length > 1 &&
      !isDescriptive(parseTitleName(folderName)) &&
      foldSearchText(stem) !== foldSearchText(folderName)
    )
  const { ids, remainingName } = extractTitleIds(folderName)
  const hasMovieId = ids.imdb !== undefined || ids.tmdb !== undefined
  return (
    foldSearchText(text) === foldSearchText(hasMovieId ? folderName : remainingName) &&
    !hasYear(parseTitleName(text))
  )
}

/** True if a text is the name of a folder, with or without its year. */
const isNameOfFolder = (text: string, folderName: string) =>
  foldSearchText(text) !== '' &&
  [foldSearchText(folderName), getFoldedTitle(parseTitleName(folderName))].includes(foldSearchText(text))

/**
 * Returns an episode without a number for a file in the season folder of a series. The number must be chosen by hand.
 * Returns null for a series without a name, and for a folder that may be something other than a season. Also returns
 * null if the file belongs to a film: its name has a year or an id, and another title than the series.
 */
function classifyUnnumberedEpisode(
  pathParts: string[],
  stem: string,
  quality: string | null,
): ClassifiedFile | null {
  const seriesFolderParts = pathParts.slice(0, -1)
  const seriesName = parseTitleName(seriesFolderParts.at(-1) ?? '')
  const fileTitle = parseTitleName(stem)
  const isMovie = isDescriptive(fileTitle) && !hasSameTitle(seriesName, fileTitle)
  if (isMovie || getFoldedTitle(seriesName) === '' || !isCertainSeasonFolder(pathParts.at(-1) ?? ''))
    return null
  return {
    ...seriesName,
    kind: 'tv',
    season: parseSeasonFolder(pathParts.at(-1) ?? '') ?? 0,
    episodes: [],
    quality,
    titleFolder: seriesFolderParts.join('/'),
  }
}

/** Prefers the name of the series folder, which contains the season folders, over the name in the file name. */
function preferFolderName(folderTitle: NamedTitle, hasFolder: boolean, fileTitle: NamedTitle): NamedTitle {
  return hasFolder && getFoldedTitle(folderTitle) !== '' ? folderTitle : fileTitle
}

function classifyMovie(pathParts: string[], stem: string, quality: string | null): ClassifiedFile | null {
  const fileTitle = parseTitleName(stem)
  const folderTitle = parseTitleName(pathParts.at(-1) ?? '')
  const isGeneric = GENERIC_NAME_PATTERN.test(stem.trim())
  const isInSubfolder = pathParts.length > 1
  const isFolderDescriptive =
    hasCertainYear(folderTitle) || hasId(folderTitle.ids) || (isGeneric && isInSubfolder)
  const isSameTitle = hasSameTitle(folderTitle, fileTitle) || isGeneric
  const titleCandidates = isGeneric
    ? isFolderDescriptive
      ? folderTitle.candidates
      : []
    : chooseMovieCandidates(folderTitle, fileTitle, isFolderDescriptive, isSameTitle)
  // A folder with an IMDb id holds one movie. A TMDB id may belong to a collection.
  const folderIds = isFolderDescriptive && (isSameTitle || !hasYear(fileTitle)) ? folderTitle.ids : {}
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

/**
 * Prefers the name with a year. If the name of the file has a year and the folder has another title, the folder is a
 * collection, and the name of the file is used.
 */
function chooseMovieCandidates(
  folderTitle: NamedTitle,
  fileTitle: NamedTitle,
  isFolderDescriptive: boolean,
  isSameTitle: boolean,
): TitleCandidate[] {
  if (!isFolderDescriptive) return fileTitle.candidates
  if (isSameTitle && hasYear(folderTitle)) return folderTitle.candidates
  return hasYear(fileTitle) ? fileTitle.candidates : [...folderTitle.candidates, ...fileTitle.candidates]
}

const hasYear = (namedTitle: NamedTitle) => namedTitle.candidates.some((candidate) => candidate.year !== null)
const hasId = (ids: TitleIds) => Object.keys(ids).length > 0
/** False for "2019 - Films": a year before the name may only sort folders. */
const hasCertainYear = ({ candidates }: NamedTitle) => (candidates[0]?.year ?? null) !== null
const isDescriptive = (namedTitle: NamedTitle) => hasCertainYear(namedTitle) || hasId(namedTitle.ids)
const getFoldedTitle = (namedTitle: NamedTitle) => foldSearchText(namedTitle.candidates[0]?.title ?? '')

/**
 * True when the titles are equal, ignoring the year; the title of the file may be longer ("Alien", "Alien Director's
 * Cut").
 */
function hasSameTitle(folderTitle: NamedTitle, fileTitle: NamedTitle): boolean {
  const foldedFolderTitle = getFoldedTitle(folderTitle)
  return (
    foldedFolderTitle !== '' &&
    (getFoldedTitle(fileTitle) === foldedFolderTitle ||
      getFoldedTitle(fileTitle).startsWith(`${foldedFolderTitle} `))
  )
}
