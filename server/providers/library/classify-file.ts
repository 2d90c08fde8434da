/** Classifies a file of the library by its path: a movie, one or more episodes, or neither. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import {
  type EpisodeNumbers,
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

const EXTRAS_FOLDER =
  /^(?:extras?|featurettes?|behind the scenes|deleted scenes|interviews?|scenes|shorts|trailers?|samples?|other|backdrops|theme-music|subs|subtitles)$/i
const EXTRA_FILE =
  /(?:^|[-._ ])(?:sample|trailer|featurette|behindthescenes|deleted|deletedscene|interview|scene|short|other|theme|teaser|extra)\d?$/i
const GENERIC_NAME = /^(?:movie|video|film|feature|main|index|master|playlist|stream|video_ts|title\d*)$/i
/** Subfolders of the folder of a film, one for each disc. */
export const DISC_FOLDER = /^(?:cd|dis[ck]|dvd)[ ._-]*[1-9]$/i
const DISC_COPY = /(?:^|\/)(?:VIDEO_TS|AUDIO_TS|BDMV)\/|\.iso$/i
const STREAM_FOLDER = /^(?:hls|stream|\d{3,4}p)$/i

/** Returns null for extras and for files without a usable name. `path` is relative, separated by `/`. Never throws. */
export function classifyFile(path: string): ClassifiedFile | null {
  const parts = toLatinDigits(path).split('/')
  const file = parts.pop() ?? ''
  let stem = file.slice(0, file.length - getFileExtension(file).length - 1)
  if (isInExtrasFolder(parts) || isExtraName(stem)) return null
  while (DISC_FOLDER.test(parts.at(-1) ?? '')) parts.pop()
  while (STREAM_FOLDER.test(parts.at(-1) ?? '')) parts.pop()
  if (GENERIC_NAME.test(stem) && parseEpisodeName(parts.at(-1) ?? '', null)) stem = parts.pop() ?? ''
  const quality = parseQuality(stem) ?? parseQuality(parts.at(-1) ?? '')
  return classifyEpisode(parts, stem, quality) ?? classifyMovie(parts, stem, quality)
}

/**
 * True for a disc image and for files of a copied disc. One film on a disc consists of several files, beside
 * menus and trailers.
 */
export const isDiscFile = (path: string): boolean => DISC_COPY.test(path)

/** Converts Arabic and Persian digits, as in "٢٠١٢", to Latin ones. */
const toLatinDigits = (text: string) =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))

/** True for trailers, samples and other extras, by the name of the file or its folder. `path` is relative. */
export function isExtraFile(path: string): boolean {
  const parts = path.split('/')
  const file = parts.pop() ?? ''
  return (
    isInExtrasFolder(parts) || isExtraName(file.slice(0, file.length - getFileExtension(file).length - 1))
  )
}

const isInExtrasFolder = (folders: string[]) =>
  folders.some((folder, index) => index > 0 && EXTRAS_FOLDER.test(folder))

/**
 * True for "Movie-trailer" and "sample", but not for a movie called "The Sample": the word must follow a dash or a
 * dot, or be at the start of the name.
 */
function isExtraName(stem: string): boolean {
  const match = EXTRA_FILE.exec(stem)
  return match !== null && (match.index === 0 || '-.'.includes(stem[match.index] ?? ''))
}

function classifyEpisode(parts: string[], stem: string, quality: string | null): ClassifiedFile | null {
  const folder = parts.at(-1) ?? ''
  const { ids: fileIds, rest } = extractTitleIds(stem)
  const plainSeason = parseSeasonFolder(folder)
  const namedSeasonFolder = plainSeason === null ? parseNamedSeasonFolder(folder) : null
  const numbers = parseEpisodeName(
    rest.trim(),
    plainSeason ?? namedSeasonFolder?.season ?? null,
    // After a name with a year, a number usually denotes a version of the film, not an episode.
    (text) => foldSearchText(text) === foldSearchText(folder) && !hasYear(parseTitleName(text)),
  )
  if (!numbers) return null
  const { textBefore, ...episodeNumbers } = numbers
  const commonFields = { kind: 'tv' as const, ...episodeNumbers, quality }
  const titleBeforeNumbers = parseTitleName(textBefore)
  if (plainSeason !== null) {
    const seriesFolder = parts.slice(0, -1)
    const seriesName = parseTitleName(seriesFolder.at(-1) ?? '')
    return {
      ...commonFields,
      ...preferFolderName(seriesName, seriesFolder.length > 0, titleBeforeNumbers),
      titleFolder: seriesFolder.join('/'),
    }
  }
  const seriesName = namedSeasonFolder ? parseTitleName(namedSeasonFolder.seriesName) : parseTitleName(folder)
  const ids = { ...fileIds, ...(namedSeasonFolder ? extractTitleIds(folder).ids : seriesName.ids) }
  if (namedSeasonFolder) {
    const parentName = parseTitleName(parts.at(-2) ?? '')
    const isSameTitle = matchesTitle(parentName, seriesName)
    const titleFolderParts = isSameTitle ? parts.slice(0, -1) : parts
    return {
      ...commonFields,
      ids: { ...ids, ...parentName.ids },
      candidates: isSameTitle ? parentName.candidates : seriesName.candidates,
      titleFolder: titleFolderParts.join('/'),
    }
  }
  const isFolderNameUsable =
    hasId(seriesName.ids) ||
    matchesTitle(seriesName, titleBeforeNumbers) ||
    getFoldedTitle(titleBeforeNumbers) === ''
  return {
    ...commonFields,
    ids: isFolderNameUsable ? ids : fileIds,
    candidates: (isFolderNameUsable && parts.length > 0 ? seriesName : titleBeforeNumbers).candidates,
    titleFolder: parts.join('/'),
  }
}

/** Prefers the name of the series folder, which contains the season folders, over the name in the file name. */
function preferFolderName(folder: NamedTitle, hasFolder: boolean, file: NamedTitle): NamedTitle {
  return hasFolder && getFoldedTitle(folder) !== '' ? folder : file
}

function classifyMovie(parts: string[], stem: string, quality: string | null): ClassifiedFile | null {
  const file = parseTitleName(stem)
  const folder = parseTitleName(parts.at(-1) ?? '')
  const isGeneric = GENERIC_NAME.test(stem.trim())
  const isInSubfolder = parts.length > 1
  const isFolderDescriptive = hasYear(folder) || hasId(folder.ids) || (isGeneric && isInSubfolder)
  const isSameTitle = matchesTitle(folder, file) || isGeneric
  const candidates = isGeneric
    ? isFolderDescriptive
      ? folder.candidates
      : []
    : chooseMovieCandidates(folder, file, isFolderDescriptive, isSameTitle)
  // A folder with an IMDb id holds one movie. A TMDB id may belong to a collection.
  const folderIds = isFolderDescriptive && (isSameTitle || !hasYear(file)) ? folder.ids : {}
  const ids: TitleIds = { ...folderIds, ...(folder.ids.imdb && { imdb: folder.ids.imdb }), ...file.ids }
  if (candidates.every((candidate) => foldSearchText(candidate.title) === '') && !hasId(ids)) return null
  return {
    kind: 'movie',
    season: 0,
    episodes: [],
    ids,
    candidates,
    quality,
    titleFolder: parts.join('/'),
  }
}

/**
 * Prefers the name with a year. If a file has its own year and the folder has another title, the folder is a
 * collection.
 */
function chooseMovieCandidates(
  folder: NamedTitle,
  file: NamedTitle,
  isFolderDescriptive: boolean,
  isSameTitle: boolean,
): TitleCandidate[] {
  if (!isFolderDescriptive) return file.candidates
  if (isSameTitle && hasYear(folder)) return folder.candidates
  return hasYear(file) ? file.candidates : [...folder.candidates, ...file.candidates]
}

const hasYear = (name: NamedTitle) => name.candidates.some((candidate) => candidate.year !== null)
const hasId = (ids: TitleIds) => ids.imdb !== undefined || ids.tmdb !== undefined
const getFoldedTitle = (name: NamedTitle) => foldSearchText(name.candidates[0]?.title ?? '')

/** True when the titles are equal, ignoring the year; the title of the file may be longer ("Alien", "Alien Director's Cut"). */
function matchesTitle(folder: NamedTitle, file: NamedTitle): boolean {
  const folderTitle = getFoldedTitle(folder)
  return (
    folderTitle !== '' &&
    (getFoldedTitle(file) === folderTitle || getFoldedTitle(file).startsWith(`${folderTitle} `))
  )
}
