import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'

interface Props {
  label: string
  button: ReactNode
  children: (closeMenu: () => void) => ReactNode
  isWide?: boolean
}
const MENU_ITEM_SELECTOR = 'a[href],button:not(:disabled),select'

/**
 * A button that opens a panel. The panel closes on Escape, on a click outside, and when the focus moves outside. Arrow
 * keys move the focus in the panel.
 */
export function Menu({ label, button, children, isWide = false }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const rootRef = useRef<HTMLDivElement>(null)
  const openerRef = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const closeOnOutsideClick = (event: PointerEvent) => {
      if (!rootRef.current?.contains(event.target as Node)) setIsOpen(false)
    }
    /* The header persists across pages, so its open menu has to be closed on navigation. */
    const closeOnNavigation = () => setIsOpen(false)
    document.addEventListener('pointerdown', closeOnOutsideClick)
    document.addEventListener('astro:after-swap', closeOnNavigation)
    return () => {
      document.removeEventListener('pointerdown', closeOnOutsideClick)
      document.removeEventListener('astro:after-swap', closeOnNavigation)
    }
  }, [isOpen])
  const closeMenu = () => {
    setIsOpen(false)
    openerRef.current?.focus()
  }
  /*
   * If no other element receives the focus, for example because the focused item has disappeared, the menu stays open.
   */
  const closeWhenFocusLeaves = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !rootRef.current?.contains(relatedTarget)) setIsOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      closeMenu()
      event.preventDefault()
    }
    /*
     * Moves the focus from the button into the panel. Within the panel, page-scripts/arrow-keys.ts moves the focus.
     */
    if (event.key !== 'ArrowDown' || !isOpen || document.activeElement !== openerRef.current) return
    const firstItem = rootRef.current?.querySelector<HTMLElement>(`[data-panel] :is(${MENU_ITEM_SELECTOR})`)
    firstItem?.focus()
    if (firstItem) event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: key events bubble from the controls inside
    <div ref={rootRef} className="relative" onKeyDown={onKeyDown} onBlur={closeWhenFocusLeaves}>
      <button
        ref={openerRef}
        type="button"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="relative grid min-h-[max(44px,min(2.75rem,12vw))] min-w-[max(44px,min(2.75rem,12vw))] place-items-center rounded-md hover:text-accent"
      >
        {button}
      </button>
      {isOpen && (
        <div
          data-panel
          // Scrolls a focused item above the last section, which is sticky and would cover it.
          style={{ scrollPaddingBottom: '7rem' }}
          className={`absolute end-0 top-full z-40 mt-2 ${isWide ? 'w-96' : 'w-64'} overflow-y-auto rounded-lg border border-line bg-overlay p-2 shadow-(--shadow-dialog) animate-[rise_150ms_var(--ease-out)]`}
        >
          {children(closeMenu)}
        </div>
      )}
    </div>
  )
}

/** Classes of an item in the panel. */
export const menuItemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-start text-ink hover:bg-raised'
