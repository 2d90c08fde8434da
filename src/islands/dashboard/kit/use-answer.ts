import type { FetcherStore } from '@nanostores/query'
import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { ApiError } from '../../../lib/client/errors.ts'

export interface Answer<T> {
  data: T | undefined
  /** What went wrong, while there is nothing to show. */
  error: ApiError | undefined
  /** The next answer is on its way; what is shown is the last one. */
  stale: boolean
  retry: () => void
}

/** An answer of the server, asked for anew when its section opens; the last one stays while the next is on its way. */
export function useAnswer<T>($store: FetcherStore<T, ApiError>): Answer<T> {
  const { data, error, loading } = useStore($store)
  const last = useRef<T | undefined>(undefined)
  if (data !== undefined) last.current = data
  useEffect(() => $store.revalidate(), [$store])
  const shown = data ?? (loading ? last.current : undefined)
  return {
    data: shown,
    error: shown === undefined && !loading ? error : undefined,
    stale: loading,
    retry: () => $store.revalidate(),
  }
}

const EACH_SECOND_MS = 1_000

/** Asks every second while something runs and somebody looks. */
export function useEachSecond(running: boolean, ask: () => void): void {
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    if (!running) return
    const timer = setInterval(
      () => document.visibilityState === 'visible' && latest.current(),
      EACH_SECOND_MS,
    )
    return () => clearInterval(timer)
  }, [running])
}
