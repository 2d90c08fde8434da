/** Reads the title, the year and the ids of a movie from the path of a file. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { ClassifiedFile } from './classified-file.ts'
import { getFoldedTitle, hasCertainYear, hasId, hasSameTitle, hasYear } from './named-title.ts'
import { type NamedTitle, parseTitleName, type TitleCandidate, type TitleIds } from './title-name.ts'

/** Names of files that say nothing about the title. */
export const GENERIC_NAME_PATTERN =
  /^(?:movie|video|film|feature|main|index|master|playlist|stream|video_ts|title\d*)$/i
/** Returns the movie of a file; null if neither the file nor a folder has a usable name. `stem` has no extension. */
export function classifyMovie(
  pathParts: string[],
  stem: string,
  quality: string | null,
): ClassifiedFile | null {
  const fileTitle = parseTitleName(stem)
  const folderTitle = parseTitleName(pathParts.at(-1) ?? '')
  const isGenericName = GENERIC_NAME_PATTERN.test(stem.trim())
  const isInSubfolder = pathParts.length > 1
  const isFolderTitleReliable =
    hasCertainYear(folderTitle) || hasId(folderTitle.ids) || (isGenericName && isInSubfolder)
  const isSameTitle =
    isGenericName || (hasSameTitle(folderTitle, fileTitle) && !isOtherMovieThanFolder(folderTitle, fileTitle))
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
 * True if the name of the file continues after the title of its folder and states another year, as in "Rocky
 * (1976)/Rocky II (1979).mkv". False if the additional words name an edition. A year that differs by one may be a
 * mistake, so a number must then follow the title.
 */
function isOtherMovieThanFolder(folderTitle: NamedTitle, fileTitle: NamedTitle): boolean {
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
