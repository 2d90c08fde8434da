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
import { isMotionReduced } from './motion.ts'

interface Props {
  title: ReactNode
  label: string
  previousLabel: string
  nextLabel: string
  /** Key under which the scroll offset and the tab stop are restored after Back. */
  scrollKey: string
  isWide?: boolean
  children: ReactNode
}
/** Scroll offset in pixels and index of the tab stop, by scroll key, to restore the rows after Back. */
const savedOffsets = new Map<string, number>()
const savedTabStops = new Map<string, number>()
export function clearRowPositions(): void {
  savedOffsets.clear()
  savedTabStops.clear()
}

const CARD_SELECTOR = 'a[data-card],button[data-card]'

/** A row of cards with native scrolling and snapping, previous and next buttons, and a roving tab stop. */
export function CardRow({
  title,
  label,
  previousLabel,
  nextLabel,
  scrollKey,
  isWide = false,
  children,
}: Props) {
  const track = useRef<HTMLUListElement>(null)
  const [scrollEnds, setScrollEnds] = useState({ start: true, end: false })
  /*
   * The row of skeletons is shorter than the row of cards. Therefore the saved offset is applied at every
   * render until it is reached.
   */
  const pendingOffset = useRef(savedOffsets.get(scrollKey) ?? 0)
  const updateScrollState = useCallback(() => {
    const list = track.current
    if (!list) return
    const offset = Math.abs(list.scrollLeft)
    if (offset >= Math.abs(pendingOffset.current) - 2) pendingOffset.current = 0
    if (pendingOffset.current === 0) savedOffsets.set(scrollKey, list.scrollLeft)
    const nextEnds = { start: offset < 8, end: offset > list.scrollWidth - list.clientWidth - 8 }
    setScrollEnds((currentEnds) =>
      currentEnds.start === nextEnds.start && currentEnds.end === nextEnds.end ? currentEnds : nextEnds,
    )
  }, [scrollKey])
  useEffect(() => {
    const list = track.current
    if (!list) return
    if (pendingOffset.current !== 0) list.scrollLeft = pendingOffset.current
    updateScrollState()
    const cards = [...list.querySelectorAll<HTMLElement>(CARD_SELECTOR)]
    const tabStop = Math.min(savedTabStops.get(scrollKey) ?? 0, cards.length - 1)
    for (const [index, card] of cards.entries()) setTabStop(card, index === tabStop)
  })
  const scrollPage = (step: 1 | -1) => {
    const list = track.current
    if (!list) return
    pendingOffset.current = 0
    const directionSign = document.documentElement.dir === 'rtl' ? -1 : 1
    list.scrollBy({
      left: directionSign * step * getPageWidth(list),
      behavior: isMotionReduced() ? 'instant' : 'smooth',
    })
  }
  return (
    <section aria-label={label} className="group/row relative">
      <div className="edge mb-1 flex items-baseline gap-4">{title}</div>
      <div className="relative">
        <ul
          ref={track}
          className={`row-track ${isWide ? 'row-wide' : ''}`}
          onScroll={updateScrollState}
          onKeyDown={moveFocus}
          onFocus={(event) => saveTabStop(event, scrollKey)}
        >
          {children}
        </ul>
        <ScrollButton
          side="start"
          label={previousLabel}
          isHidden={scrollEnds.start}
          onClick={() => scrollPage(-1)}
        />
        <ScrollButton side="end" label={nextLabel} isHidden={scrollEnds.end} onClick={() => scrollPage(1)} />
      </div>
    </section>
  )
}

function ScrollButton({
  side,
  label,
  isHidden,
  onClick,
}: {
  side: 'start' | 'end'
  label: string
  isHidden: boolean
  onClick: () => void
}) {
  const Icon = side === 'start' ? ChevronLeft : ChevronRight
  if (isHidden) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      onClick={onClick}
      className={`absolute inset-y-2 hidden w-(--edge) place-items-center bg-ground/70 text-ink opacity-0 overflow-hidden transition-opacity group-hover/row:opacity-100 pointer-fine:grid ${side === 'start' ? 'start-0' : 'end-0'}`}
    >
      <Icon aria-hidden className="rtl:-scale-x-100" />
    </button>
  )
}

/** Returns the scroll distance: the number of cards that fit minus one, so that the last visible card becomes the first. */
function getPageWidth(list: HTMLElement): number {
  const [firstCard, secondCard] = list.children
  if (!(firstCard instanceof HTMLElement) || !(secondCard instanceof HTMLElement)) return list.clientWidth
  const cardStride = Math.abs(secondCard.offsetLeft - firstCard.offsetLeft)
  return Math.max(1, Math.floor(list.clientWidth / cardStride) - 1) * cardStride
}

/** Writes the attribute only if it changes, because each write makes the browser restyle the card. */
function setTabStop(card: HTMLElement, isTabStop: boolean): void {
  const value = isTabStop ? '0' : '-1'
  if (card.getAttribute('tabindex') !== value) card.setAttribute('tabindex', value)
}

/** Makes the focused card the tab stop of the row. */
function saveTabStop(event: FocusEvent<HTMLUListElement>, scrollKey: string) {
  if (!event.target.matches(CARD_SELECTOR)) return
  for (const [index, card] of event.currentTarget.querySelectorAll<HTMLElement>(CARD_SELECTOR).entries()) {
    setTabStop(card, card === event.target)
    if (card === event.target) savedTabStops.set(scrollKey, index)
  }
}

/** Moves the focus on Home and End. page-scripts/arrow-keys.ts handles the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>(CARD_SELECTOR)]
  if (!cards.includes(document.activeElement as HTMLElement)) return
  const target = event.key === 'Home' ? cards[0] : event.key === 'End' ? cards.at(-1) : undefined
  if (!target) return
  event.preventDefault()
  target.focus({ preventScroll: true })
  target.scrollIntoView({
    block: 'nearest',
    inline: 'nearest',
    behavior: isMotionReduced() ? 'instant' : 'smooth',
  })
}
