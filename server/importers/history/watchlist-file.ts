/** Recognises the watchlist of a service by the name of its file. A personal list may have the word in its name too. */

/** Words beside "watchlist" in file names: a type of title, or the service. */
const TYPE = 'movies?|films?|shows?|series|tv'
const SERVICE = 'imdb|trakt|tmdb'

/**
 * Names of files that contain the watchlist of a service. The word `watchlist` may follow `lists-` (Trakt), a service
 * or a type of title. A service, a type of title, the number of a part or copy, or the date of a backup may follow
 * the word. `Watchlist 2020` and `My watchlist` do not match, because they are names of personal lists.
 */
const WATCHLIST_PATTERN = new RegExp(
  `^(?:(?:lists?|${SERVICE}|${TYPE})[-_ ])*watchlist(?:[-_ ](?:${SERVICE}|${TYPE}|\\d{1,2}|\\d{4}-?\\d{2}-?\\d{2})| ?\\(\\d+\\))*$`,
  'i',
)

/** True if a file with this name, without its extension, contains the watchlist of a service. */
export const isWatchlistName = (baseName: string): boolean => WATCHLIST_PATTERN.test(baseName)
