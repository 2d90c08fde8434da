/** Reloads the watchlist entries, ratings and feedback that buttons display. The home page does not load this file. */
import {
  $requestedTitleKeys,
  $serverWatchlistEntries,
  loadWatchlistEntry,
  type TitleRef,
} from './watchlist.ts'

/** Maximum number of titles that are reloaded. Titles at the end of the list of keys have priority. */
const MAX_RELOADED_TITLES = 30

/** Calls `load` for each title. When `load` fails for a title, the title keeps its previous value. */
export async function reloadTitleValues(
  titleKeys: readonly string[],
  load: (title: TitleRef) => Promise<void>,
): Promise<void> {
  await Promise.all(
    [...new Set(titleKeys)].slice(-MAX_RELOADED_TITLES).map((titleKey) => {
      const [type, id = ''] = titleKey.split('/')
      return load({ type: type === 'tv' ? 'tv' : 'movie', id }).catch(() => {})
    }),
  )
}

/** Reloads the loaded watchlist entries, and repeats the requests that have failed. */
export async function reloadWatchlistEntries(): Promise<void> {
  const titleKeys = [...Object.keys($serverWatchlistEntries.get()), ...$requestedTitleKeys.get().keys()]
  $requestedTitleKeys.set(new Map())
  await reloadTitleValues(titleKeys, loadWatchlistEntry)
}

/** Repeats the requests for watchlist entries that have failed. */
export const loadMissingWatchlistEntries = () =>
  reloadTitleValues(
    [...$requestedTitleKeys.get()].flatMap(([titleKey, isLoaded]) => (isLoaded ? [] : [titleKey])),
    loadWatchlistEntry,
  )
