/**
 * Reloads the watchlist entries, ratings and feedback that buttons display. The first render of the home page does not
 * need this file.
 */
import type { MapStore } from 'nanostores'
import {
  $requestedTitleKeys,
  $serverWatchlistEntries,
  loadWatchlistEntry,
  type TitleRef,
} from './watchlist.ts'

/** Maximum number of titles that are reloaded. Titles at the end of the list of keys have priority. */
const MAX_RELOADED_TITLES = 30

/** Calls `load` for the last MAX_RELOADED_TITLES titles. If `load` fails for a title, the title keeps its value. */
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

/**
 * Reloads the values of a store, and the values that buttons have requested. The titles that were requested last have
 * priority. At most MAX_RELOADED_TITLES values are reloaded. All others are removed from the store, so that they do not
 * hide newer values in the reply of a list.
 */
export async function reloadStoredValues<Value>(
  $valuesByTitleKey: MapStore<Record<string, Value>>,
  requestedTitleKeys: Iterable<string>,
  load: (title: TitleRef) => Promise<void>,
): Promise<void> {
  const requestedKeys = new Set(requestedTitleKeys)
  const storedKeys = Object.keys($valuesByTitleKey.get()).filter((titleKey) => !requestedKeys.has(titleKey))
  const keysToReload = [...storedKeys, ...requestedKeys].slice(-MAX_RELOADED_TITLES)
  const valuesToKeep = Object.entries($valuesByTitleKey.get()).filter(([titleKey]) =>
    keysToReload.includes(titleKey),
  )
  $valuesByTitleKey.set(Object.fromEntries(valuesToKeep))
  await reloadTitleValues(keysToReload, load)
}

/** Reloads the watchlist entries that are loaded, and repeats failed requests for entries. */
export async function reloadWatchlistEntries(): Promise<void> {
  const requestedTitleKeys = $requestedTitleKeys.get().keys()
  $requestedTitleKeys.set(new Map())
  await reloadStoredValues($serverWatchlistEntries, requestedTitleKeys, loadWatchlistEntry)
}

/** Repeats the failed requests for watchlist entries. */
export const loadMissingWatchlistEntries = () =>
  reloadTitleValues(
    [...$requestedTitleKeys.get()].flatMap(([titleKey, isLoaded]) => (isLoaded ? [] : [titleKey])),
    loadWatchlistEntry,
  )
