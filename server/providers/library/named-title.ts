/**
 * Functions that check whether a name has a year or an id, and whether the names of a folder and a file have the same
 * title.
 */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { NamedTitle, TitleIds } from './title-name.ts'

export const hasYear = (namedTitle: NamedTitle) =>
  namedTitle.candidates.some((candidate) => candidate.year !== null)
export const hasId = (ids: TitleIds) => Object.keys(ids).length > 0
/**
 * True if the most likely candidate has a year. False for "2019 - Films", because a year before the name may be there
 * only to sort the folders.
 */
export const hasCertainYear = ({ candidates }: NamedTitle) => (candidates[0]?.year ?? null) !== null
/** True for a name with an id, or with a year that is not there only for sorting (`hasCertainYear`). */
export const hasIdOrCertainYear = (namedTitle: NamedTitle) =>
  hasCertainYear(namedTitle) || hasId(namedTitle.ids)
export const getFoldedTitle = (namedTitle: NamedTitle) =>
  foldSearchText(namedTitle.candidates[0]?.title ?? '')

/**
 * True when the titles are equal, ignoring the year; the title of the file may be longer ("Alien", "Alien Director's
 * Cut").
 */
export function hasSameTitle(folderTitle: NamedTitle, fileTitle: NamedTitle): boolean {
  const foldedFolderTitle = getFoldedTitle(folderTitle)
  return (
    foldedFolderTitle !== '' &&
    (getFoldedTitle(fileTitle) === foldedFolderTitle ||
      getFoldedTitle(fileTitle).startsWith(`${foldedFolderTitle} `))
  )
}
