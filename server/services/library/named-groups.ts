/** Groups the files without a title by the names that they state. */
import { basename, extname } from 'node:path'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { splitFilePath } from '../../providers/library/file-path.ts'
import { getFoldedTitle } from '../../providers/library/named-title.ts'
import { parseQuality } from '../../providers/library/quality.ts'
import { parseTitleName } from '../../providers/library/title-name.ts'
import type { FileWithoutTitle } from '../../queries/library-file.ts'
import type { TitleType } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'

/** Files with the same name, year and ids, for which one title is added. */
export interface NamedFileGroup {
  type: TitleType
  name: string
  /** The complete name, if `name` omits the year at its start: `2001 - A Space Odyssey` for `A Space Odyssey`. */
  nameWithYear?: string
  year: number | null
  imdbId?: string | undefined
  tmdbId?: number | undefined
  tvdbId?: number | undefined
  /**
   * True if the catalogue has the name with another year. In this case, either the file is a remake or the year
   * of the file is wrong, and only TMDB can decide between the two.
   */
  hasOtherYear?: boolean
}

/**
 * Matches folded names that cameras, phones and converters give to recordings. Such names do not contain a
 * title.
 */
const CAMERA_NAME_PATTERN =
  /^(?:(?:img|vid|dsc[fn]?|mvi|mov|pxl|gopr|g[hx]|dji|trim|clip|video|movie|title|whatsapp video|screen recording) ?[\d ]+(?:at [\d ]+)?|[\d ]{6,}|\d{3,4}[ip])$/

/** A camera name that may also be a title, because it begins with a word of titles: `Movie 43`. */
const WORD_AND_NUMBER_PATTERN = /^(?:trim|clip|video|movie|title) \d/
const YEAR_IN_BRACKETS_PATTERN = /[([](?:19|20)\d\d[)\]]/

/**
 * True if a name such as `Movie 43` is a title: the file name states a year in brackets or a quality, or the folder has
 * the same title, as in `Movie 43 (2013)/Movie 43.mkv`.
 */
function isStatedTitle(path: string, foldedTitle: string): boolean {
  const { folders, stem } = splitFilePath(path)
  const folderName = folders.at(-1) ?? ''
  return (
    WORD_AND_NUMBER_PATTERN.test(foldedTitle) &&
    (YEAR_IN_BRACKETS_PATTERN.test(stem) ||
      parseQuality(stem) !== null ||
      getFoldedTitle(parseTitleName(folderName)) === foldedTitle)
  )
}

/**
 * True if a camera, a phone or a converter gave the file its name (CAMERA_NAME_PATTERN). In such a name, a number may
 * look like a year or a date of broadcast: `IMG_2019`. A year in brackets belongs to a title: `Clip (2012)`.
 */
function isCameraName(path: string, foldedTitle: string): boolean {
  const fileStem = basename(path, extname(path))
  const foldedStem = foldSearchText(fileStem)
  if (isStatedTitle(path, foldedTitle)) return false
  return (
    CAMERA_NAME_PATTERN.test(foldedTitle) ||
    (CAMERA_NAME_PATTERN.test(foldedStem) &&
      foldedStem.startsWith(`${foldedTitle} `) &&
      !YEAR_IN_BRACKETS_PATTERN.test(fileStem))
  )
}

/**
 * Groups the files by name, year and ids. Leaves out files whose names contain no title (`isCameraName`). Groups with a
 * year come first, because a file without a year may belong to the title of a file with a year.
 */
export function groupFilesByName(
  { streamSources }: Deps,
  files: readonly FileWithoutTitle[],
): NamedFileGroup[] {
  const filesByPath = new Map(streamSources.library?.listFiles()?.map((file) => [file.path, file]))
  const groupsByKey = new Map<string, NamedFileGroup>()
  for (const { path, named_kind, parsed_title, parsed_year, reason } of files) {
    const { ids = {}, candidates: [firstCandidate] = [] } = filesByPath.get(path) ?? {}
    const foldedTitle = foldSearchText(parsed_title)
    const hasYearFirst =
      firstCandidate && foldSearchText(firstCandidate.title) === `${parsed_year} ${foldedTitle}`
    const groupKey = JSON.stringify([named_kind, foldedTitle, parsed_year, ids])
    if (groupsByKey.has(groupKey) || foldedTitle === '') continue
    if (isCameraName(path, foldedTitle)) continue
    groupsByKey.set(groupKey, {
      type: named_kind,
      name: capitaliseName(parsed_title.trim()),
      ...(hasYearFirst && { nameWithYear: firstCandidate.title }),
      year: parsed_year,
      imdbId: ids.imdb,
      tmdbId: ids.tmdb,
      tvdbId: ids.tvdb,
      hasOtherYear: reason === 'other_year',
    })
  }
  return [...groupsByKey.values()].toSorted((a, b) => Number(a.year === null) - Number(b.year === null))
}

/** Capitalises each word of a lower-case name, because file names are often in lower case. */
const capitaliseName = (name: string) =>
  name === name.toLowerCase() ? name.replace(/(?<!\S)\p{Ll}/gu, (letter) => letter.toUpperCase()) : name
