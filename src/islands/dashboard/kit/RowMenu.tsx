import { Ellipsis } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

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
const WINDOW_MARGIN_PX = 8

/** Menu with the actions of a table row. It is a popover, so that the table does not clip it and the browser closes it. */
export function RowMenu({ label, items }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const listMenuButtons = () => [...(panel.current?.querySelectorAll('button') ?? [])]
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
        ref={button}
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
        ref={panel}
        id={id}
        popover="auto"
        onKeyDown={handleArrowKeys}
        onToggle={(event) => {
          if (event.newState !== 'open') return
          positionPanel(button.current, panel.current)
          listMenuButtons()[0]?.focus()
        }}
        className="fixed m-0 min-w-56 rounded-lg border border-line bg-overlay p-1.5 text-ink shadow-(--shadow-dialog)"
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            onClick={() => {
              panel.current?.hidePopover()
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

/** Places the panel below the button, or above it if there is no room below, aligned with the end edge of the button. */
function positionPanel(button: HTMLElement | null, panel: HTMLElement | null): void {
  if (!button || !panel) return
  const buttonRect = button.getBoundingClientRect()
  const { width, height } = panel.getBoundingClientRect()
  const topBelowButton = buttonRect.bottom + 4
  const top =
    topBelowButton + height > innerHeight - WINDOW_MARGIN_PX ? buttonRect.top - height - 4 : topBelowButton
  const preferredLeft = document.documentElement.dir === 'rtl' ? buttonRect.left : buttonRect.right - width
  panel.style.insetBlockStart = `${Math.max(WINDOW_MARGIN_PX, top)}px`
  panel.style.insetBlockEnd = 'auto'
  /* `left` is a physical offset, because getBoundingClientRect() measures from the left edge in every direction. */
  panel.style.setProperty(
    'left',
    `${Math.min(Math.max(WINDOW_MARGIN_PX, preferredLeft), innerWidth - width - WINDOW_MARGIN_PX)}px`,
  )
  panel.style.setProperty('right', 'auto')
}
