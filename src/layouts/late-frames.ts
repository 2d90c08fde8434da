/** Watches the first scrolling of each visit; when frames come late there, lite mode is on from then on (ux.md). */
import { areLate, FRAMES } from '../lib/rules/late-frames.ts'

const times: number[] = []
let running = false

function watch(): void {
  if (running || 'lite' in document.documentElement.dataset || isDecided()) return
  running = true
  let last = 0
  /* Only what follows one another within a second is one movement; a hidden page has no frames. */
  const tick = (now: number) => {
    if (last > 0 && now - last < 1_000) times.push(now - last)
    last = now
    if (times.length < FRAMES) requestAnimationFrame(tick)
    else if (areLate(times)) turnLite()
  }
  requestAnimationFrame(tick)
}

/** By hand, either way. */
function isDecided(): boolean {
  try {
    return localStorage.getItem('marquee-lite') !== null
  } catch {
    return false
  }
}

function turnLite(): void {
  document.documentElement.dataset['lite'] = ''
  try {
    sessionStorage.setItem('marquee-late', '1')
  } catch {
    /* Storage is forbidden: it holds for this page. */
  }
}

addEventListener('scroll', watch, { passive: true, capture: true })
