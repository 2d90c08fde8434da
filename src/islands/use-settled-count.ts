import { useStore } from '@nanostores/react'
import { computed, type ReadableAtom } from 'nanostores'
import { useMemo, useRef } from 'react'
import type { ReadState } from '../lib/stores/query.ts'

/**
 * `$reads` are the stores with the data of the sections of a page. Returns the number of stores before the first one
 * that has neither data nor an error. A page renders a section only when all sections above have their height.
 * Otherwise the section would shift when the data above it arrives. The number does not decrease, so that a section
 * stays while its data is loaded again. The order of the stores must not change, but stores may be added at the end.
 */
export function useSettledCount($reads: ReadableAtom<ReadState<unknown>>[]): number {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the array is new in each render, but not its stores
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
