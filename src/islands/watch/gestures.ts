/** Pointers on the picture: a click plays and pauses; a tap shows the controls, two taps at a side go ten seconds. */
import { atom } from 'nanostores'
import { STEP } from '../../lib/rules/player-keys.ts'
import { noteInput } from './attention.ts'
import { $controls, $panel, hideControls, openPanel, wake } from './controls.ts'
import { picture, skip, toggle } from './deck.ts'
import { toggleFullscreen } from './screens.ts'

/** The last skip by touch, for the mark that says so; `total` in seconds. */
export const $skipped = atom<{ total: number; at: number } | null>(null)

const DOUBLE_MS = 300
/** Shares of the width that count as sides. */
const SIDE = 0.35

let lastTap = 0
let single: ReturnType<typeof setTimeout> | undefined

const onPicture = (event: Event) => event.target instanceof Element && event.target.closest('[data-surface]')

function tap(event: PointerEvent): void {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
  const share = (event.clientX - box.x) / box.width
  const side = share < SIDE ? -1 : share > 1 - SIDE ? 1 : 0
  const now = performance.now()
  const again = now - lastTap < DOUBLE_MS
  lastTap = now
  clearTimeout(single)
  if (again && side !== 0) {
    const last = $skipped.get()
    const going = last && now - last.at < 800 && Math.sign(last.total) === side ? last.total : 0
    skip(side * STEP)
    $skipped.set({ total: going + side * STEP, at: now })
    return
  }
  single = setTimeout(() => ($controls.get() ? hideControls() : wake()), again ? 0 : DOUBLE_MS)
}

function release(event: PointerEvent): void {
  noteInput()
  if (!onPicture(event) || event.button > 0) return
  if ($panel.get()) openPanel(null)
  else if (event.pointerType === 'touch') tap(event)
  else {
    wake()
    toggle()
  }
}

/** Returns how to stop. Without controls (embed) a tap plays and pauses too. */
export function listenToPointer(theatre: HTMLElement, embed: boolean): () => void {
  const up = (event: PointerEvent) => {
    if (embed && event.pointerType === 'touch') return void (onPicture(event) && toggle())
    release(event)
  }
  const move = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return
    noteInput()
    wake()
  }
  const double = (event: MouseEvent) => {
    const touch = (event as PointerEvent).pointerType === 'touch'
    if (onPicture(event) && !touch && picture()) void toggleFullscreen()
  }
  theatre.addEventListener('pointerup', up)
  theatre.addEventListener('pointermove', move)
  theatre.addEventListener('dblclick', double)
  return () => {
    clearTimeout(single)
    theatre.removeEventListener('pointerup', up)
    theatre.removeEventListener('pointermove', move)
    theatre.removeEventListener('dblclick', double)
  }
}
