import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { ChevronLeft, ChevronRight } from '../icons/index.ts'
import { isPageRightToLeft } from '../lib/page-direction.ts'
import { isMotionReduced } from './motion.ts'

interface Props {
  title: ReactNode
  label: string
  previousLabel: string
  nextLabel: string
  /** Key under which the scroll offset and the tab stop are saved, to restore them after Back. */
  scrollKey: string
  isWide?: boolean
  children: ReactNode
}
/** Scroll offset in pixels and index of the tab stop, by scroll key, to restore the rows after Back. */
const offsetsByScrollKey = new Map<string, number>()
const tabStopIndexesByScrollKey = new Map<string, number>()
export function clearRowPositions(): void {
  offsetsByScrollKey.clear()
  tabStopIndexesByScrollKey.clear()
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
  const listRef = useRef<HTMLUListElement>(null)
  const [scrollEnds, setScrollEnds] = useState({ start: true, end: false })
  /*
   * The row of skeletons is shorter than the row of cards. Therefore the saved offset is applied at every
   * render until the row has cards.
   */
  const pendingOffsetPxRef = useRef(offsetsByScrollKey.get(scrollKey) ?? 0)
  const updateScrollState = useCallback(() => {
    const listElement = listRef.current
    if (!listElement) return
    const offsetPx = Math.abs(listElement.scrollLeft)
    if (offsetPx >= Math.abs(pendingOffsetPxRef.current) - 2) pendingOffsetPxRef.current = 0
    if (pendingOffsetPxRef.current === 0) offsetsByScrollKey.set(scrollKey, listElement.scrollLeft)
    const newScrollEnds = {
      start: offsetPx < 8,
      end: offsetPx > listElement.scrollWidth - listElement.clientWidth - 8,
    }
    setScrollEnds((currentScrollEnds) =>
      currentScrollEnds.start === newScrollEnds.start && currentScrollEnds.end === newScrollEnds.end
        ? currentScrollEnds
        : newScrollEnds,
    )
  }, [scrollKey])
  useEffect(() => {
    const listElement = listRef.current
    if (!listElement) return
    const cards = [...listElement.querySelectorAll<HTMLElement>(CARD_SELECTOR)]
    if (pendingOffsetPxRef.current !== 0) listElement.scrollLeft = pendingOffsetPxRef.current
    /*
     * Once the row has its cards, the offset is not applied again. A row that has become shorter than the offset is
     * scrolled to its end.
     */
    if (cards.length > 0 && listElement.clientWidth > 0) pendingOffsetPxRef.current = 0
    updateScrollState()
    const tabStopIndex = Math.min(tabStopIndexesByScrollKey.get(scrollKey) ?? 0, cards.length - 1)
    for (const [index, card] of cards.entries()) setTabStop(card, index === tabStopIndex)
  })
  const scrollByPage = (step: 1 | -1) => {
    const listElement = listRef.current
    if (!listElement) return
    pendingOffsetPxRef.current = 0
    const directionSign = isPageRightToLeft() ? -1 : 1
    listElement.scrollBy({
      left: directionSign * step * getPageWidthPx(listElement),
      behavior: isMotionReduced() ? 'instant' : 'smooth',
    })
  }
  return (
    <section aria-label={label} className="group/row relative">
      <div className="edge mb-1 flex items-baseline gap-4">{title}</div>
      <div className="relative">
        <ul
          ref={listRef}
          className={`row-track ${isWide ? 'row-wide' : ''}`}
          onScroll={updateScrollState}
          onKeyDown={moveFocusToRowEnd}
          onFocus={(event) => saveTabStop(event, scrollKey)}
        >
          {children}
        </ul>
        <ScrollButton
          side="start"
          label={previousLabel}
          isHidden={scrollEnds.start}
          onClick={() => scrollByPage(-1)}
        />
        <ScrollButton
          side="end"
          label={nextLabel}
          isHidden={scrollEnds.end}
          onClick={() => scrollByPage(1)}
        />
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

/**
 * Returns the scroll distance in pixels: the width of all cards that fit except one, so that the last visible card
 * becomes the first.
 */
function getPageWidthPx(listElement: HTMLElement): number {
  const [firstCard, secondCard] = listElement.children
  if (!(firstCard instanceof HTMLElement) || !(secondCard instanceof HTMLElement))
    return listElement.clientWidth
  const cardStridePx = Math.abs(secondCard.offsetLeft - firstCard.offsetLeft)
  return Math.max(1, Math.floor(listElement.clientWidth / cardStridePx) - 1) * cardStridePx
}

/** Writes the attribute only if it changes, because each write makes the browser restyle the card. */
function setTabStop(card: HTMLElement, isTabStop: boolean): void {
  const tabIndexText = isTabStop ? '0' : '-1'
  if (card.getAttribute('tabindex') !== tabIndexText) card.setAttribute('tabindex', tabIndexText)
}

/** Makes the focused card the tab stop of the row. */
function saveTabStop(event: FocusEvent<HTMLUListElement>, scrollKey: string) {
  if (!event.target.matches(CARD_SELECTOR)) return
  for (const [index, card] of event.currentTarget.querySelectorAll<HTMLElement>(CARD_SELECTOR).entries()) {
    setTabStop(card, card === event.target)
    if (card === event.target) tabStopIndexesByScrollKey.set(scrollKey, index)
  }
}

/**
 * The Home key moves the focus to the first card of the row, and the End key to the last one.
 * page-scripts/arrow-keys.ts handles the arrow keys.
 */
function moveFocusToRowEnd(event: KeyboardEvent<HTMLUListElement>) {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>(CARD_SELECTOR)]
  if (!cards.includes(document.activeElement as HTMLElement)) return
  const targetCard = event.key === 'Home' ? cards[0] : event.key === 'End' ? cards.at(-1) : undefined
  if (!targetCard) return
  event.preventDefault()
  targetCard.focus({ preventScroll: true })
  targetCard.scrollIntoView({
    block: 'nearest',
    inline: 'nearest',
    behavior: isMotionReduced() ? 'instant' : 'smooth',
  })
}
