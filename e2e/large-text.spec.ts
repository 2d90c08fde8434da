/** At twice the size every word can still be read: on a laptop and on a telephone. */
import { expect, type Page, test } from '@playwright/test'
import { enter, open } from './settle.ts'

const PAGES = [
  '/',
  '/movies/',
  '/movies/pulp-fiction',
  '/tvshows/stranger-things',
  '/search/?q=dark',
  '/mylist/',
  '/account/?tab=preferences',
  '/account/?tab=security',
  '/dashboard/',
  '/dashboard/?section=settings',
  '/profiles/',
  '/nowhere/',
]
test.setTimeout(120_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ reducedMotion: 'reduce' })
  await enter(page)
})
test.afterAll(() => page.close())

/** Controls beyond the window's sides, words cut off without an ellipsis, controls that lie on each other. */
function faults(): string[] {
  const found: string[] = []
  const seen = (one: Element) => {
    const { width, height } = one.getBoundingClientRect()
    return one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1 && height > 1
  }
  const say = (one: Element) =>
    `${one.tagName.toLowerCase()} "${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 30)}"`
  const scrolls = (one: Element | null): boolean =>
    one !== null &&
    one !== document.body &&
    (one.matches('[aria-hidden=true]') ||
      ['auto', 'scroll'].includes(getComputedStyle(one).overflowX) ||
      scrolls(one.parentElement))
  const controls = [...document.querySelectorAll('button,a[href],input,select,[role=switch]')]
    .filter(seen)
    .filter((one) => !one.matches('.sr-only,.sr-only *,[inert] *') && !scrolls(one))
  for (const one of controls) {
    const { left, right } = one.getBoundingClientRect()
    if (left < -1 || right > innerWidth + 1) found.push(`outside: ${say(one)}`)
  }
  for (const one of document.querySelectorAll<HTMLElement>('body *')) {
    const style = getComputedStyle(one)
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    if (!own || !seen(one) || one.closest('.sr-only,[aria-hidden=true],svg')) continue
    /* An ellipsis or a clamp says itself that there is more. */
    const meant = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
    const across = style.overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1
    const down = style.overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 2
    if (!meant && (across || down)) found.push(`cut: ${say(one)}`)
  }
  const floats = (one: Element | null): boolean =>
    one !== null &&
    (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(one).position) || floats(one.parentElement))
  const flat = controls.filter((one) => !floats(one))
  for (const [at, one] of flat.entries()) {
    const a = one.getBoundingClientRect()
    for (const other of flat.slice(at + 1)) {
      if (one.contains(other) || other.contains(one)) continue
      const b = other.getBoundingClientRect()
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (wide > 4 && high > 4) found.push(`overlap: ${say(one)} and ${say(other)}`)
    }
  }
  const sideways = document.documentElement.scrollWidth - innerWidth
  const widest = [...document.querySelectorAll('body *')].find(
    (one) => one.getBoundingClientRect().right > innerWidth + 1 && seen(one) && !scrolls(one),
  )
  if (sideways > 1)
    found.push(`the page scrolls sideways by ${sideways} px: ${widest?.outerHTML.slice(0, 120)}`)
  return [...new Set(found)].slice(0, 8)
}

for (const [name, width, height] of [
  ['a laptop', 1280, 800],
  ['a telephone', 390, 844],
] as const) {
  test(`at 200 % text nothing is cut off or covered on ${name}`, async () => {
    await page.setViewportSize({ width, height })
    for (const path of PAGES) {
      await open(page, 'en', path)
      await page.evaluate(async () => {
        document.documentElement.style.fontSize = '200%'
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      })
      expect.soft(await page.evaluate(faults), path).toEqual([])
    }
  })
}
