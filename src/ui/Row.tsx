import { ChevronLeft, ChevronRight } from 'lucide-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'

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
/** What rows remember across Back: how far they were scrolled, and which card had the focus. */
const offsets = new Map<string, number>()
const stops = new Map<string, number>()
const CARDS = 'a[data-card],button[data-card]'

/** A row of cards: native scrolling and snapping, arrow strips, one tab stop that remembers its card. */
export function Row({ title, label, previousLabel, nextLabel, memory, wide = false, children }: Props) {
  const track = useRef<HTMLUListElement>(null)
  const [ends, setEnds] = useState({ start: true, end: false })
  /* Cards arrive after the skeleton, which is shorter: the old offset is kept until it can be reached. */
  const goal = useRef(offsets.get(memory) ?? 0)
  const measure = useCallback(() => {
    const list = track.current
    if (!list) return
    const at = Math.abs(list.scrollLeft)
    if (at >= Math.abs(goal.current) - 2) goal.current = 0
    if (goal.current === 0) offsets.set(memory, list.scrollLeft)
    const next = { start: at < 8, end: at > list.scrollWidth - list.clientWidth - 8 }
    setEnds((last) => (last.start === next.start && last.end === next.end ? last : next))
  }, [memory])
  useEffect(() => {
    const list = track.current
    if (!list) return
    if (goal.current !== 0) list.scrollLeft = goal.current
    measure()
    const cards = [...list.querySelectorAll<HTMLElement>(CARDS)]
    const stop = Math.min(stops.get(memory) ?? 0, cards.length - 1)
    for (const [at, card] of cards.entries()) setStop(card, at === stop)
  })
  const page = (step: 1 | -1) => {
    const list = track.current
    if (!list) return
    goal.current = 0
    const sign = document.documentElement.dir === 'rtl' ? -1 : 1
    list.scrollBy({ left: sign * step * pageWidth(list), behavior: isCalm() ? 'instant' : 'smooth' })
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
          onFocus={(event) => keepStop(event, memory)}
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

/** One card less than fits, so that the last one seen is the first one next. */
function pageWidth(list: HTMLElement): number {
  const [first, second] = list.children
  if (!(first instanceof HTMLElement) || !(second instanceof HTMLElement)) return list.clientWidth
  const stride = Math.abs(second.offsetLeft - first.offsetLeft)
  return Math.max(1, Math.floor(list.clientWidth / stride) - 1) * stride
}

/** Whether nothing should glide: the viewer asked for less motion, or lite mode is on. */
function isCalm(): boolean {
  const { lite, motion } = document.documentElement.dataset
  return matchMedia('(prefers-reduced-motion: reduce)').matches || lite !== undefined || motion !== undefined
}

/** What is so already is not written again: each write has the browser style the card anew. */
function setStop(card: HTMLElement, on: boolean): void {
  const value = on ? '0' : '-1'
  if (card.getAttribute('tabindex') !== value) card.setAttribute('tabindex', value)
}

/** The card that has the focus is the row's tab stop from now on. */
function keepStop(event: FocusEvent<HTMLUListElement>, memory: string) {
  if (!event.target.matches(CARDS)) return
  for (const [at, card] of event.currentTarget.querySelectorAll<HTMLElement>(CARDS).entries()) {
    setStop(card, card === event.target)
    if (card === event.target) stops.set(memory, at)
  }
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>(CARDS)]
  const at = cards.indexOf(document.activeElement as HTMLElement)
  if (at === -1) return
  const rtl = document.documentElement.dir === 'rtl'
  const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key]
  const target =
    step !== undefined
      ? (cards[at + step] ?? (step === 1 ? above(event) : undefined))
      : event.key === 'Home'
        ? cards[0]
        : event.key === 'End'
          ? cards.at(-1)
          : (under(event) ?? otherRow(event))
  if (!target) return
  event.preventDefault()
  target.focus({ preventScroll: true })
  target.scrollIntoView({
    block: 'nearest',
    inline: 'nearest',
    behavior: isCalm() ? 'instant' : 'smooth',
  })
}

/** Past the last card lies what stands above the row: the way to all of them, what to do about it. */
function above(event: KeyboardEvent<HTMLUListElement>): HTMLElement | undefined {
  const title = event.currentTarget.closest('section')?.firstElementChild
  return title?.querySelector<HTMLElement>(':is(a[href],button):not([tabindex="-1"])') ?? undefined
}

/** Down leads first to what stands under the card and belongs to it. */
function under(event: KeyboardEvent<HTMLUListElement>): HTMLElement | undefined {
  const card = document.activeElement
  if (event.key !== 'ArrowDown' || !card) return undefined
  const { bottom } = card.getBoundingClientRect()
  const own = card.closest('li')?.querySelectorAll<HTMLElement>('button') ?? []
  return [...own].find((one) => one !== card && one.getBoundingClientRect().bottom > bottom)
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
