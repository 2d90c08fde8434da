/**
 * Recognises the watchlist of a service by the name of its file. The name of a personal list may contain the word
 * `watchlist` too.
 */

/** Words that may stand beside "watchlist" in a file name: types of titles, and services. */
const TYPE_WORDS = 'movies?|films?|shows?|series|tv'
const SERVICE_WORDS = 'imdb|trakt|tmdb'

/**
 * Names of files that contain the watchlist of a service. The word `watchlist` may follow `lists-` (Trakt), a service
 * or a type of title. A service, a type of title, the number of a part or copy, or the date of a backup may follow
 * the word. `Watchlist 2020` and `My watchlist` do not match, because they are names of personal lists.
 */
const WATCHLIST_PATTERN = new RegExp(
  `^(?:(?:lists?|${SERVICE_WORDS}|${TYPE_WORDS})[-_ ])*watchlist(?:[-_ ](?:${SERVICE_WORDS}|${TYPE_WORDS}|\\d{1,2}|\\d{4}-?\\d{2}-?\\d{2})| ?\\(\\d+\\))*$`,
  'i',
)

/** True if a file with this name, without its extension, contains the watchlist of a service. */
export const isWatchlistName = (baseName: string): boolean => WATCHLIST_PATTERN.test(baseName)
