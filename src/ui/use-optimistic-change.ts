import { startTransition, useOptimistic } from 'react'
import { waitForPaint } from '../lib/wait-for-paint.ts'

/**
 * Returns the value that a control shows, and a function that changes the value. The control shows the new value in the
 * next frame. `onChange`, which may render a whole page, is called after this frame, unless another page was opened
 * meanwhile. `onChange` must not compute its changes from the props of the press: another change may come before it.
 */
export function useOptimisticChange<V>(
  value: V,
  onChange: (value: V) => void,
): [shownValue: V, changeValue: (nextValue: V) => void] {
  const [shownValue, setShownValue] = useOptimistic(value)
  const changeValue = (nextValue: V) => {
    const { pathname } = location
    startTransition(async () => {
      setShownValue(nextValue)
      await waitForPaint()
      if (location.pathname === pathname) onChange(nextValue)
    })
  }
  return [shownValue, changeValue]
}
