/** Recognises the watchlist of a service by the name of its file. A personal list may have the word in its name too. */

/** Words beside "watchlist" in file names: a type of title, or the service. */
const TYPE = 'movies?|films?|shows?|series|tv'
const SERVICE = 'imdb|trakt|tmdb'

/**
 * The names of the watchlist: alone, after `lists-` as in a Trakt export, after the service, beside a type of title, or
 * before the number of a part or of a copy, or the date of a backup. `Watchlist 2020` and `My watchlist` are names of
 * personal lists.
 */
const WATCHLIST_PATTERN = new RegExp(
  `^(?:(?:lists?|${SERVICE}|${TYPE})[-_ ])*watchlist(?:[-_ ](?:${SERVICE}|${TYPE}|\\d{1,2}|\\d{4}-?\\d{2}-?\\d{2})| ?\\(\\d+\\))*$`,
  'i',
)

/** True if a file with this name, without its extension, contains the watchlist of a service. */
export const isWatchlistName = (baseName: string): boolean => WATCHLIST_PATTERN.test(baseName)
