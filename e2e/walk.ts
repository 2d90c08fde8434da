/** A six-key remote in a test: where arrows lead from each control, and what they never reach. */
import type { Page } from '@playwright/test'

export interface Walk {
  /** Controls on the page, by a short description. */
  wanted: string[]
  /** Those that arrows never reached. */
  missed: string[]
  /** After these steps nothing visible had the focus. */
  lost: string[]
}

/**
 * Presses each arrow on each control that was reached so far, until nothing new comes, for at most `limit` controls.
 * Keys are events of the page's own, since a walk of some hundred steps through the browser's input takes minutes.
 */
export function walk(page: Page, limit = 400): Promise<Walk> {
  return page.evaluate(async (most) => {
    const STOPS =
      ':is(a[href],button,input,select,textarea,[tabindex]):not(:disabled,[tabindex="-1"]),[data-card],[role=tab]'
    const room = () => document.querySelector<HTMLElement>('dialog[open]') ?? document.body
    const shown = (one: HTMLElement) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      !one.closest('[inert],[aria-hidden=true]') &&
      one.getBoundingClientRect().width > 1
    const stops = () => [...room().querySelectorAll<HTMLElement>(STOPS)].filter(shown)
    const say = (one: Element | null) =>
      one
        ? `${one.tagName.toLowerCase()} "${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}" ${one.getAttribute('href') ?? one.id}`
        : 'nothing'
    const press = async (from: HTMLElement, key: string) => {
      from.focus({ preventScroll: true, focusVisible: true } as FocusOptions)
      from.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      await new Promise((done) => setTimeout(done))
      return document.activeElement as HTMLElement | null
    }
    const first = await press(document.body, 'ArrowDown')
    const reached = new Set<HTMLElement>()
    const queue: HTMLElement[] = []
    const lost: string[] = []
    const start =
      first && first !== document.body && room().contains(first) ? first : (stops()[0] ?? document.body)
    if (start !== first) lost.push(`the first arrow: ${say(first)}`)
    reached.add(start)
    queue.push(start)
    for (let at = 0; at < queue.length && reached.size < most; at++) {
      const from = queue[at] as HTMLElement
      if (!from.isConnected) continue
      for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight']) {
        const to = await press(from, key)
        if (!to || to === document.body || !shown(to)) lost.push(`${key} on ${say(from)}: ${say(to)}`)
        else if (!reached.has(to)) {
          reached.add(to)
          queue.push(to)
        }
      }
    }
    const wanted = stops()
    return {
      wanted: wanted.map(say),
      missed: wanted.filter((one) => !reached.has(one)).map(say),
      lost: lost.slice(0, 10),
    }
  }, limit)
}
