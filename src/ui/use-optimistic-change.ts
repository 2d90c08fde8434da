import { startTransition, useOptimistic, useRef } from 'react'
import { waitForPaint } from '../lib/wait-for-paint.ts'

/**
 * Returns the value that a control shows, and a function that changes the value. The control shows the new value in the
 * next frame, and until all such changes on the page are done. `onChange`, which may render a whole page, is called
 * after this frame. `onChange` is not called if the control was changed again or another page was opened meanwhile.
 * `onChange` must not compute its changes from the props that were rendered before the press, because other changes may
 * be applied before the call.
 */
export function useOptimisticChange<V>(
  value: V,
  onChange: (value: V) => void,
): [shownValue: V, changeValue: (nextValue: V) => void] {
  const [shownValue, setShownValue] = useOptimistic(value)
  const lastChangeNumberRef = useRef(0)
  const changeValue = (nextValue: V) => {
    const changeNumber = ++lastChangeNumberRef.current
    // Another page has another body.
    const { body } = document
    startTransition(async () => {
      setShownValue(nextValue)
      await waitForPaint()
      if (changeNumber === lastChangeNumberRef.current && document.body === body) onChange(nextValue)
    })
  }
  return [shownValue, changeValue]
}
