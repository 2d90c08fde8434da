import { useEffect, useState } from 'react'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'

/**
 * Searches when the text has not changed for `debounceMs`. Returns the results and the key of the error message. The
 * results are null before the first search, for an empty text and after a failure. `search` must do the same in every
 * render, because only a change of the text starts a search.
 */
export function useDebouncedSearch<T>(
  searchText: string,
  search: (trimmedText: string) => Promise<T[]>,
  debounceMs: number,
) {
  const [results, setResults] = useState<T[] | null>(null)
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const trimmedText = searchText.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `search` does the same in every render
  useEffect(() => {
    setErrorKey(null)
    if (trimmedText === '') return setResults(null)
    let isStale = false
    const timer = setTimeout(() => {
      search(trimmedText).then(
        (foundResults) => !isStale && setResults(foundResults),
        (error: unknown) => {
          if (isStale) return
          setResults(null)
          setErrorKey(getErrorMessageKey(error))
        },
      )
    }, debounceMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [trimmedText])
  return { results, errorKey }
}
