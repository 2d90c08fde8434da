/** Reloads values of titles that buttons display. The home page does not load this code. */
import {
  $requestedTitleKeys,
  $serverWatchlistEntries,
  loadWatchlistEntry,
  type TitleRef,
} from './watchlist.ts'

/** Maximum number of titles to reload: the most recently loaded ones. Older values are loaded again when needed. */
const MAX_RELOADED_TITLES = 30

/** Loads the values of these titles with `load`. A title that cannot be loaded keeps its value. */
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

/** Reloads the known watchlist entries, and those that could not be loaded. */
export async function reloadWatchlistEntries(): Promise<void> {
  const titleKeys = [...Object.keys($serverWatchlistEntries.get()), ...$requestedTitleKeys.get().keys()]
  $requestedTitleKeys.set(new Map())
  await reloadTitleValues(titleKeys, loadWatchlistEntry)
}
