import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'

interface Props {
  title: ReactNode
  label: string
  previousLabel: string
  nextLabel: string
  /** Remembers the scroll offset across Back. */
  memory: string
  wide?: boolean
  children: ReactNode
}
const offsets = new Map<string, number>()
const CARDS = 'a[data-card],button[data-card]'

/** A row of cards: native scrolling and snapping, arrow strips, one tab stop that remembers its card. */
export function Row({ title, label, previousLabel, nextLabel, memory, wide = false, children }: Props) {
  const track = useRef<HTMLUListElement>(null)
  const [ends, setEnds] = useState({ start: true, end: false })
  const measure = useCallback(() => {
    const list = track.current
    if (!list) return
    const at = Math.abs(list.scrollLeft)
    offsets.set(memory, list.scrollLeft)
    setEnds({ start: at < 8, end: at > list.scrollWidth - list.clientWidth - 8 })
  }, [memory])
  useEffect(() => {
    const list = track.current
    if (!list) return
    list.scrollLeft = offsets.get(memory) ?? 0
    measure()
    const cards = list.querySelectorAll<HTMLElement>(CARDS)
    if (!list.querySelector('[tabindex="0"]'))
      for (const [at, card] of cards.entries()) card.tabIndex = at === 0 ? 0 : -1
  })
  const page = (step: 1 | -1) => {
    const list = track.current
    if (!list) return
    const sign = document.documentElement.dir === 'rtl' ? -1 : 1
    list.scrollBy({ left: sign * step * list.clientWidth * 0.85, behavior: 'smooth' })
  }
  return (
    <section aria-label={label} className="group/row relative">
      <div className="edge mb-1 flex items-baseline gap-4">{title}</div>
      <div className="relative">
        <ul
          ref={track}
          className={`row-track ${wide ? 'row-wide' : ''}`}
          onScroll={measure}
          onKeyDown={moveFocus}
          onFocus={keepStop}
        >
          {children}
        </ul>
        <Strip side="start" label={previousLabel} hidden={ends.start} onClick={() => page(-1)} />
        <Strip side="end" label={nextLabel} hidden={ends.end} onClick={() => page(1)} />
      </div>
    </section>
  )
}

function Strip({
  side,
  label,
  hidden,
  onClick,
}: {
  side: 'start' | 'end'
  label: string
  hidden: boolean
  onClick: () => void
}) {
  const Icon = side === 'start' ? ChevronLeft : ChevronRight
  if (hidden) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      onClick={onClick}
      className={`absolute inset-y-2 hidden w-(--edge) place-items-center bg-ground/70 text-ink opacity-0 transition-opacity group-hover/row:opacity-100 pointer-fine:grid ${side === 'start' ? 'start-0' : 'end-0'}`}
    >
      <Icon aria-hidden className="rtl:-scale-x-100" />
    </button>
  )
}

/** The card that has the focus is the row's tab stop from now on. */
function keepStop(event: React.FocusEvent<HTMLUListElement>) {
  if (!event.target.matches(CARDS)) return
  for (const card of event.currentTarget.querySelectorAll<HTMLElement>(CARDS))
    card.tabIndex = card === event.target ? 0 : -1
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>(CARDS)]
  const at = cards.indexOf(document.activeElement as HTMLElement)
  if (at === -1) return
  const rtl = document.documentElement.dir === 'rtl'
  const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key]
  const target =
    step !== undefined
      ? cards[at + step]
      : event.key === 'Home'
        ? cards[0]
        : event.key === 'End'
          ? cards.at(-1)
          : otherRow(event)
  if (!target) return
  event.preventDefault()
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'smooth' })
}

/** Up and down go to the row above or below, to the card that stands nearest. */
function otherRow(event: KeyboardEvent<HTMLUListElement>): HTMLElement | undefined {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return undefined
  const tracks = [...document.querySelectorAll<HTMLElement>('.row-track')]
  const next = tracks[tracks.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)]
  const here = document.activeElement?.getBoundingClientRect()
  if (!next || !here) return undefined
  const distance = (card: HTMLElement) => Math.abs(card.getBoundingClientRect().left - here.left)
  return [...next.querySelectorAll<HTMLElement>(CARDS)].sort((a, b) => distance(a) - distance(b))[0]
}
