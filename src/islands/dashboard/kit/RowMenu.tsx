import { Ellipsis } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface Item {
  label: string
  icon: ReactNode
  onSelect: () => void
  danger?: boolean
}
interface Props {
  label: string
  items: readonly Item[]
}
const EDGE_PX = 8

/** What can be done with a row. It lies over everything, so that no table cuts it off; the browser closes it. */
export function RowMenu({ label, items }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const buttons = () => [...(panel.current?.querySelectorAll('button') ?? [])]
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const all = buttons()
    const at = all.indexOf(document.activeElement as HTMLButtonElement)
    all[(at + (event.key === 'ArrowDown' ? 1 : -1) + all.length) % all.length]?.focus()
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
        onKeyDown={keys}
        onToggle={(event) => {
          if (event.newState !== 'open') return
          place(button.current, panel.current)
          buttons()[0]?.focus()
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
            className={`flex min-h-10 w-full items-center gap-3 rounded-md px-3 text-start text-sm hover:bg-raised ${item.danger ? 'text-danger' : ''}`}
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

/** Under the button, or above it where the window ends; its far edge on the button's. */
function place(button: HTMLElement | null, panel: HTMLElement | null): void {
  if (!button || !panel) return
  const at = button.getBoundingClientRect()
  const { width, height } = panel.getBoundingClientRect()
  const below = at.bottom + 4
  const top = below + height > innerHeight - EDGE_PX ? at.top - height - 4 : below
  const wanted = document.documentElement.dir === 'rtl' ? at.left : at.right - width
  panel.style.insetBlockStart = `${Math.max(EDGE_PX, top)}px`
  panel.style.insetBlockEnd = 'auto'
  /* A distance from the window's own left edge, as the browser measures. */
  panel.style.setProperty('left', `${Math.min(Math.max(EDGE_PX, wanted), innerWidth - width - EDGE_PX)}px`)
  panel.style.setProperty('right', 'auto')
}
