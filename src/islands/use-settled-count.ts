import { useStore } from '@nanostores/react'
import { computed, type ReadableAtom } from 'nanostores'
import { useMemo, useRef } from 'react'
import type { ReadState } from '../lib/stores/query.ts'

/**
 * Returns the number of reads before the first read that has neither data nor an error. A page renders the section of a
 * read only when all sections above have their height. Otherwise the section would shift when the data above it
 * arrives. The number does not decrease, so that a section stays while its data is loaded again. The order of the reads
 * must not change, but reads may be added at the end.
 */
export function useSettledCount($reads: ReadableAtom<ReadState<unknown>>[]): number {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the array is new in each render, but not its reads
  const $settledCount = useMemo(
    () =>
      computed($reads, (...states) => {
        const firstPendingIndex = states.findIndex(({ data, error }) => data === undefined && !error)
        return firstPendingIndex === -1 ? states.length : firstPendingIndex
      }),
    [$reads.length],
  )
  const maxCountRef = useRef(0)
  maxCountRef.current = Math.max(maxCountRef.current, useStore($settledCount))
  return maxCountRef.current
}
