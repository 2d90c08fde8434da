/** Recognises the watchlist of a service by the name of its file. A personal list may have the word in its name too. */

/**
 * The names of the watchlist: alone, after `lists-` as in a Trakt export, or before a type of title, the number of a
 * part or of a copy, or the date of a backup. `Watchlist 2020` and `My watchlist` are names of personal lists.
 */
const WATCHLIST_PATTERN =
  /^(?:lists?-)?watchlist(?:[-_ ](?:movies?|films?|shows?|series|tv|\d{1,2}|\d{4}-?\d{2}-?\d{2})| ?\(\d+\))*$/i

/** True if a file with this name, without its extension, contains the watchlist of a service. */
export const isWatchlistName = (baseName: string): boolean => WATCHLIST_PATTERN.test(baseName)
