/** A six-key remote in a test: where arrows lead from each control, and what they never reach. */
import { expect, type Page } from '@playwright/test'

export interface Walk {
  /** Controls on the page, by a short description. */
  wanted: string[]
  /** Those that arrows never reached. */
  missed: string[]
  /** After these steps nothing visible had the focus. */
  lost: string[]
}

/**
 * Presses each arrow on each control that was reached so far, until nothing new comes. Of a long row or grid the first cards
 * and the last one of a row stand for all. Keys are events of the page's own, since a walk of some hundred steps through the
 * browser's input takes minutes.
 */
export function walk(page: Page): Promise<Walk> {
  return page.evaluate(async () => {
    const STOPS =
      ':is(a[href],button,input,select,textarea,[tabindex]):not(:disabled,[tabindex="-1"]),[data-card],[role=tab]'
    const KEYS = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']
    const IN_ROW = 3
    const IN_GRID = 14
    const room = () => [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body
    const shown = (one: HTMLElement) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      !one.closest('[inert],[aria-hidden=true]') &&
      one.getBoundingClientRect().width > 1
    /* Whether it stands for the others of its list; what comes below a grid without end stands with them. */
    const counts = (one: HTMLElement) => {
      const row = one.closest('.row-track')
      const items = [...(one.closest('.row-track,.card-grid')?.children ?? [])]
      const at = items.findIndex((item) => item.contains(one))
      if (row) return at < IN_ROW || at === items.length - 1
      const grid = document.querySelector(`.card-grid:has(> :nth-child(${IN_GRID + 1}))`)
      const below = grid && grid.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING
      return at === -1 ? !below : at < IN_GRID
    }
    const stops = () => [...room().querySelectorAll<HTMLElement>(STOPS)].filter(shown).filter(counts)
    const say = (one: Element | null) =>
      one
        ? `${one.tagName.toLowerCase()} "${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}" ${one.getAttribute('href') ?? one.id}`
        : 'nothing'
    const press = async (from: HTMLElement, key: string) => {
      from.focus({ preventScroll: true, focusVisible: true } as FocusOptions)
      from.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      await Promise.resolve()
      return document.activeElement as HTMLElement | null
    }
    const reached = new Set<HTMLElement>()
    const queue: HTMLElement[] = []
    const lost: string[] = []
    const meet = (one: HTMLElement) => {
      if (reached.has(one)) return
      reached.add(one)
      if (counts(one)) queue.push(one)
    }
    const active = document.activeElement as HTMLElement
    const start =
      active !== document.body && room().contains(active) ? active : await press(document.body, 'ArrowDown')
    if (start && start !== document.body && room().contains(start)) meet(start)
    else lost.push(`the first arrow: ${say(start)}`)
    const visit = async (from: HTMLElement) => {
      /* Along a row by End, as by holding the arrow. */
      const keys = from.matches('.row-track > :first-child [data-card]') ? [...KEYS, 'End'] : KEYS
      for (const key of keys) {
        const to = await press(from, key)
        if (!to || to === document.body || !shown(to)) lost.push(`${key} on ${say(from)}: ${say(to)}`)
        else meet(to)
      }
    }
    let patience = 4
    for (let at = 0; ; at++) {
      if (at === queue.length) {
        /* What scrolling fetched arrives now, and what led nowhere may lead to it. */
        await new Promise((done) => setTimeout(done, 250))
        if (patience-- === 0 || stops().every((one) => reached.has(one))) break
        queue.push(...[...reached].filter((one) => counts(one)).slice(-20))
        if (at === queue.length) break
      }
      const from = queue[at] as HTMLElement
      if (from.isConnected && room().contains(from)) await visit(from)
    }
    const wanted = stops()
    return {
      wanted: wanted.map(say),
      missed: wanted.filter((one) => !reached.has(one)).map(say),
      lost: lost.slice(0, 10),
    }
  })
}

/** Arrows lead to every control of what is on top, and never into nothing. */
export async function expectWalkable(page: Page, name: string): Promise<void> {
  const { missed, lost, wanted } = await walk(page)
  expect.soft(wanted.length, name).toBeGreaterThan(0)
  expect.soft({ missed, lost }, name).toEqual({ missed: [], lost: [] })
}
