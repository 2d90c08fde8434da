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
    let patience = 6
    for (let at = 0; reached.size < most; at++) {
      if (at === queue.length) {
        /* What scrolling fetched arrives now. */
        await new Promise((done) => setTimeout(done, 400))
        if (patience-- === 0 || stops().every((one) => reached.has(one))) break
        queue.push(...[...reached].slice(-24), ...[...reached].filter((one) => one.matches('[role=tab]')))
      }
      const from = queue[at] as HTMLElement
      if (!from.isConnected) continue
      /* A long grid or row is alike all the way: there, forward and down are enough. */
      const keys = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']
      const tabAgain = from.matches('[role=tab]') && patience < 6
      for (const key of tabAgain
        ? keys.slice(2)
        : from.matches('[data-card]') && at > 60
          ? keys.slice(0, 3)
          : keys) {
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
