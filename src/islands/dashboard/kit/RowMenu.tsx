import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { Ellipsis } from '../../../icons/index.ts'
import { positionPanel } from './position-panel.ts'

export interface RowMenuItem {
  label: string
  icon: ReactNode
  onSelect: () => void
  isDestructive?: boolean
}
interface Props {
  label: string
  items: readonly RowMenuItem[]
}

/**
 * Menu with the actions of a table row. It is a popover, so that the table does not clip it and the browser
 * closes it on Escape or an outside click.
 */
export function RowMenu({ label, items }: Props) {
  const id = useId()
  const buttonRef = useRef<HTMLButtonElement>(null)
  const panelRef = useRef<HTMLDivElement>(null)
  const listMenuButtons = () => [...(panelRef.current?.querySelectorAll('button') ?? [])]
  const handleArrowKeys = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const menuButtons = listMenuButtons()
    const focusedIndex = menuButtons.indexOf(document.activeElement as HTMLButtonElement)
    menuButtons[
      (focusedIndex + (event.key === 'ArrowDown' ? 1 : -1) + menuButtons.length) % menuButtons.length
    ]?.focus()
    event.preventDefault()
  }
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        aria-label={label}
        title={label}
        popoverTarget={id}
        className="grid size-9 place-items-center rounded-md text-muted hover:bg-ink/8 hover:text-ink pointer-coarse:size-11"
      >
        <Ellipsis aria-hidden size={18} />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys bubble from the buttons inside */}
      <div
        ref={panelRef}
        id={id}
        popover="auto"
        onKeyDown={handleArrowKeys}
        onToggle={(event) => {
          if (event.newState !== 'open') return
          positionPanel(buttonRef.current, panelRef.current)
          listMenuButtons()[0]?.focus()
        }}
        className="fixed m-0 min-w-56 rounded-lg border border-line bg-overlay p-1.5 text-ink shadow-(--shadow-dialog)"
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            onClick={() => {
              panelRef.current?.hidePopover()
              item.onSelect()
            }}
            className={`flex min-h-10 w-full items-center gap-3 rounded-md px-3 text-start text-sm hover:bg-raised ${item.isDestructive ? 'text-danger' : ''}`}
          >
            <span aria-hidden className="grid w-5 place-items-center">
              {item.icon}
            </span>
            {item.label}
          </button>
        ))}
      </div>
    </>
  )
}
