/** Arrows move the focus to what lies there, so that six keys of a remote reach everything (Back is the browser's). */
import { setRemote } from '../islands/remote.ts'
import { nearest, type Way } from './nearest.ts'
import './back-key.ts'
import './keep-focus.ts'
import './keep-scroll.ts'
import { put, room, stopsIn, TEXT } from './stops.ts'

const WAYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** Whoever moves a pointer scrolls with the arrows, until a key has put the focus somewhere. */
let pointing = false

export function onArrow(event: KeyboardEvent): void {
  const way = event.key as Way
  const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
  if (!WAYS.has(way) || event.defaultPrevented || modified) return
  const place = room()
  const here = focusedIn(place)
  /* The player's own keys work until one of its buttons has the focus. */
  if (!here && (pointing || document.querySelector('video'))) return
  if (here && (means(here, way) || !here.matches(':focus-visible'))) return
  const stops = stopsIn(place).filter((one) => one !== here)
  const inside = stops.filter((one) => one.closest('main'))
  /* The header floats over the page: it comes after what the page itself still has that way. */
  const target = here
    ? ((here.closest('main') && next(here, inside, way)) ?? next(here, stops, way))
    : (inside[0] ?? stops[0])
  if (!target) return
  event.preventDefault()
  pointing = false
  setRemote(true)
  put(target)
}

function next(here: HTMLElement, stops: readonly HTMLElement[], way: Way): HTMLElement | undefined {
  const boxes = stops.map((one) => one.getBoundingClientRect())
  return stops[nearest(here.getBoundingClientRect(), boxes, way)]
}

function focusedIn(room: HTMLElement): HTMLElement | null {
  const active = document.activeElement
  const lost = active === document.body || active?.id === 'main' || !room.contains(active)
  return lost || !(active instanceof HTMLElement) ? null : active
}

/** Whether the arrow already does something there: moves a caret, a slider, a choice. */
function means(element: HTMLElement, way: Way): boolean {
  const upright = way === 'ArrowUp' || way === 'ArrowDown'
  /* A closed choice would swallow up and down, and hold a remote for ever: there OK opens it, as on a Mac. */
  if (element.matches('select')) return upright && (pointing || isOpen(element))
  if (element.matches(TEXT)) return !upright && !atEdge(element, way)
  return element.matches('textarea,input:not([type=checkbox]),[role=slider]')
}

function isOpen(element: Element): boolean {
  return CSS.supports('selector(:open)') && element.matches(':open')
}

function onEnter(event: KeyboardEvent): void {
  const { target } = event
  if (event.key !== 'Enter' || event.defaultPrevented || !(target instanceof HTMLSelectElement)) return
  if (isOpen(target) || !('showPicker' in target)) return
  event.preventDefault()
  target.showPicker()
}

/** Whether the caret can go no further that way; then the arrow leaves the field, to the button beside it. */
function atEdge(element: HTMLElement, way: Way): boolean {
  if (!(element instanceof HTMLInputElement)) return false
  const { value, selectionStart: start, selectionEnd: end } = element
  if (value === '') return true
  /* Some kinds (e-mail) tell nothing of their caret. */
  if (start === null || start !== end) return false
  const onward = (way === 'ArrowRight') !== (getComputedStyle(element).direction === 'rtl')
  return start === (onward ? value.length : 0)
}

for (const moved of ['pointermove', 'pointerdown'])
  document.addEventListener(moved, () => {
    pointing = true
    setRemote(false)
  })
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Tab') return
  pointing = false
  setRemote(false)
})
/* On the window and in the bubbling phase: after every island had its say. */
window.addEventListener('keydown', onArrow)
window.addEventListener('keydown', onEnter)
