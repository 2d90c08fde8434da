import { useEffect, useRef } from 'react'

/**
 * Returns a ref for a screen that covers the controls. The first link or button in its element gets the focus. The
 * controls that had the focus are gone, and in the player arrow keys only move an existing focus.
 */
export function useFirstActionFocus(isEnabled = true) {
  const screenRef = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves only when the screen appears
  useEffect(() => {
    if (isEnabled) screenRef.current?.querySelector<HTMLElement>('a,button')?.focus()
  }, [])
  return screenRef
}
