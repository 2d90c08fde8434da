import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { ApiError } from '../../../lib/client/errors.ts'
import type { ReadStore } from '../../../lib/stores/query.ts'

export interface StoreQuery<T> {
  data: T | undefined
  /** Error of the last request if there is no data to show. Undefined while a request runs. */
  error: ApiError | undefined
  /** True while a request runs. `data` is then the previous response; undefined during the first request. */
  isLoading: boolean
  retry: () => void
}

/**
 * Returns the result of a store's request. The hook revalidates on mount and keeps the previous data while newer data
 * loads.
 */
export function useStoreQuery<T>($store: ReadStore<T>): StoreQuery<T> {
  const { data, error, loading: isLoading } = useStore($store)
  const lastDataRef = useRef<T | undefined>(undefined)
  if (data !== undefined) lastDataRef.current = data
  useEffect(() => $store.revalidate(), [$store])
  const shownData = data ?? (isLoading ? lastDataRef.current : undefined)
  return {
    data: shownData,
    error: shownData === undefined && !isLoading ? error : undefined,
    isLoading,
    retry: () => $store.revalidate(),
  }
}

const POLL_INTERVAL_MS = 1_000

/** Calls `poll` every second while `isEnabled` is true and the page is visible. */
export function usePolling(isEnabled: boolean, poll: () => void): void {
  const latestPollRef = useRef(poll)
  latestPollRef.current = poll
  useEffect(() => {
    if (!isEnabled) return
    const timer = setInterval(
      () => document.visibilityState === 'visible' && latestPollRef.current(),
      POLL_INTERVAL_MS,
    )
    return () => clearInterval(timer)
  }, [isEnabled])
}
