import { atom, computed } from 'nanostores'
import { useEffect, useLayoutEffect, useRef } from 'react'

/** A screen over the player: after the end of the video, after an error, and when the viewing time is over. */
export type CoveringScreen = 'end' | 'error' | 'time'

const $coveringScreens = atom<readonly CoveringScreen[]>([])
/**
 * True while a screen covers the controls. The controls are then invisible, so that no key moves the focus behind the
 * screen.
 */
export const $isCovered = computed($coveringScreens, (screens) => screens.length > 0)
/**
 * True while the viewing time is over. The keys of the player can then only focus the covering screen, close a panel or
 * leave the player.
 */
export const $isTimeOver = computed($coveringScreens, (screens) => screens.includes('time'))

/**
 * Hides the controls while the calling screen is displayed. Returns a ref for the element that contains the links and
 * buttons of the screen. With `shouldFocus`, the first of these links and buttons gets the focus. Otherwise no element
 * would have the focus after the controls are hidden. The arrow keys could then not reach the buttons, because the
 * arrow keys of the player only move an existing focus.
 */
export function useCoveringScreen(screen: CoveringScreen, shouldFocus = true) {
  const actionsRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    $coveringScreens.set([...$coveringScreens.get(), screen])
    return () => {
      const screens = $coveringScreens.get()
      $coveringScreens.set(screens.toSpliced(screens.lastIndexOf(screen), 1))
    }
  }, [screen])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves only when the screen appears
  useEffect(() => {
    if (!shouldFocus) return
    const focusFirstAction = () => actionsRef.current?.querySelector<HTMLElement>('a,button')?.focus()
    // Nothing behind a modal dialog can get the focus. A dialog of the player closes after this effect, so the focus
    // moves in the next frame.
    if (!document.querySelector('dialog[open]')) return focusFirstAction()
    const frame = requestAnimationFrame(focusFirstAction)
    return () => cancelAnimationFrame(frame)
  }, [])
  return actionsRef
}
