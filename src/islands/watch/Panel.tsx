import { type ReactNode, useEffect, useRef } from 'react'
import { togglePanel } from './controls.ts'

/**
 * Popover above the bottom bar. While the popover is open, subtitles are shown in the upper part of the video, which
 * the popover does not cover. The popover focuses the selected option, and restores the previous focus when it
 * closes.
 */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  const panelRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const previousFocus = document.activeElement
    const selectedOption = panelRef.current?.querySelector<HTMLElement>(
      '[aria-checked=true],[aria-current=true]',
    )
    selectedOption?.focus({ preventScroll: true })
    // If there are many options, or the text is large, the selected option may be below the visible part of the
    // panel.
    selectedOption?.scrollIntoView({ block: 'nearest' })
    return () => {
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected)
        previousFocus.focus({ preventScroll: true })
    }
  }, [])
  useEffect(closePanelOnCloseRequest, [])
  return (
    <section
      ref={panelRef}
      aria-label={label}
      data-controls
      data-popover
      className={`absolute end-(--edge) bottom-32 z-10 max-h-[calc(100%-8rem-max(30%,9rem))] overflow-y-auto [@media(max-height:31rem)]:bottom-3 [@media(max-height:31rem)]:max-h-[calc(100%-10rem)] w-[min(36rem,calc(100%-2*var(--edge)))] rounded-lg border border-line bg-raised p-3 text-ink shadow-(--shadow-dialog) animate-[rise_150ms_var(--ease-out)]`}
    >
      {children}
    </section>
  )
}

/**
 * Lets the Back gesture of Android close the panel. Without a close watcher, the gesture would leave the player,
 * because browsers close only modal dialogs by themselves.
 */
function closePanelOnCloseRequest() {
  if (!window.CloseWatcher) return
  const watcher = new CloseWatcher()
  watcher.onclose = () => togglePanel(null)
  return () => watcher.destroy()
}
