/** Checks the layout of a page at 200 % text size, at 400 % zoom and with long texts. */
import { expect, type Page } from '@playwright/test'
import { type LongTexts, showLongTexts } from './long-data.ts'

const WINDOW_SIZES = [
  { name: 'a laptop', width: 1280, height: 800 },
  { name: 'a phone', width: 390, height: 844 },
]

/** Viewport of a laptop that is 1280 pixels wide, at 400 % zoom. */
const ZOOMED_WINDOW_SIZE = { width: 320, height: 256 }
const LANDSCAPE_PHONE_SIZE = { width: 844, height: 390 }

/**
 * Returns descriptions of at most eight problems: controls outside the window, text that is cut off without an
 * ellipsis, overlapping controls, and a page that scrolls sideways.
 */
function findLayoutProblems(): string[] {
  const problems: string[] = []
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return (
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1 && height > 1
    )
  }
  const describeElement = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 30)}"`
  /** Returns a predicate that is true for an element if `isMatch` is true for it or for an ancestor below the body. */
  const createAncestorPredicate = (isMatch: (element: Element) => boolean) => {
    const outcomesByElement = new Map<Element, boolean>()
    const matchesSelfOrAncestor = (element: Element | null): boolean => {
      if (element === null || element === document.body) return false
      const isMatched =
        outcomesByElement.get(element) ?? (isMatch(element) || matchesSelfOrAncestor(element.parentElement))
      outcomesByElement.set(element, isMatched)
      return isMatched
    }
    return matchesSelfOrAncestor
  }
  const mayOverflow = createAncestorPredicate(
    (element) =>
      element.matches('[aria-hidden=true]') ||
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
  )
  const controls = [...document.querySelectorAll('button,a[href],input,select,[role=switch]')]
    .filter(isVisible)
    .filter((control) => !control.matches('.sr-only,.sr-only *,[inert] *') && !mayOverflow(control))
  for (const control of controls) {
    const { left, right } = control.getBoundingClientRect()
    if (left < -1 || right > innerWidth + 1) problems.push(`outside: ${describeElement(control)}`)
  }
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const hasOwnText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    if (!hasOwnText || !isVisible(element) || element.closest('.sr-only,[aria-hidden=true],svg')) continue
    const computedStyle = getComputedStyle(element)
    /* An ellipsis or a line clamp shows that text is cut off, so both are allowed. */
    const isMarkedAsTruncated =
      computedStyle.textOverflow === 'ellipsis' || computedStyle.webkitLineClamp !== 'none'
    const isClippedHorizontally =
      computedStyle.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
    const isClippedVertically =
      computedStyle.overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 2
    if (!isMarkedAsTruncated && (isClippedHorizontally || isClippedVertically))
      problems.push(`cut: ${describeElement(element)}`)
  }
  const isPositioned = createAncestorPredicate((element) =>
    ['fixed', 'sticky', 'absolute'].includes(getComputedStyle(element).position),
  )
  const boxesInFlow = controls
    .filter((control) => !isPositioned(control))
    .map((control) => ({ control, box: control.getBoundingClientRect() }))
  for (const [index, { control, box }] of boxesInFlow.entries()) {
    for (const { control: otherControl, box: otherBox } of boxesInFlow.slice(index + 1)) {
      const overlapWidth = Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left)
      const overlapHeight = Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top)
      if (overlapWidth <= 4 || overlapHeight <= 4) continue
      if (control.contains(otherControl) || otherControl.contains(control)) continue
      problems.push(`overlap: ${describeElement(control)} and ${describeElement(otherControl)}`)
    }
  }
  const horizontalOverflow = document.documentElement.scrollWidth - innerWidth
  if (horizontalOverflow > 1) {
    const widestElement = [...document.querySelectorAll('body *')].find((element) => {
      const { left, right } = element.getBoundingClientRect()
      return (left < -1 || right > innerWidth + 1) && isVisible(element) && !mayOverflow(element)
    })
    problems.push(
      `the page scrolls sideways by ${horizontalOverflow} px: ${widestElement?.outerHTML.slice(0, 120) ?? 'a text is wider than its box'}`,
    )
  }
  return [...new Set(problems)].slice(0, 8)
}

/**
 * Additional space between letters, in em. A letter is about 0.55 em wide. The values thus simulate fonts that are 12 %
 * wider and 8 % narrower than the fonts of this machine. The test result must not depend on the fonts of the machine.
 */
const LETTER_SPACINGS_BY_FONT = { 'with wide fonts': '0.066em', 'with narrow fonts': '-0.044em' }

/** Makes all text of the page wider or narrower. An empty `letterSpacing` removes the additional space. */
const setLetterSpacing = (page: Page, letterSpacing: string) =>
  page.evaluate((spacing) => {
    const styleSheet = new CSSStyleSheet()
    styleSheet.replaceSync(`body, body * { letter-spacing: ${spacing} !important; }`)
    document.adoptedStyleSheets = spacing === '' ? [] : [styleSheet]
  }, letterSpacing)

async function expectNoLayoutProblems(page: Page, failureMessage: string): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  // Repeats the check, because the layout may change once more, for example when a font has loaded.
  await expect.soft
    .poll(() => page.evaluate(findLayoutProblems), { message: failureMessage, timeout: 3_000 })
    .toEqual([])
}

/**
 * Expects that no text or control is cut off or covered, at 200 % text size and on a screen 320 px wide (400 % zoom).
 * The page has its default text size afterwards.
 */
export async function expectReadableAtLargeText(page: Page, path: string): Promise<void> {
  for (const [fontDescription, letterSpacing] of Object.entries(LETTER_SPACINGS_BY_FONT)) {
    await setLetterSpacing(page, letterSpacing)
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    for (const { name, width, height } of WINDOW_SIZES) {
      await page.setViewportSize({ width, height })
      await expectNoLayoutProblems(page, `${path} on ${name} ${fontDescription}`)
    }
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    await page.setViewportSize(ZOOMED_WINDOW_SIZE)
    await expectNoLayoutProblems(page, `${path} at 400 % zoom ${fontDescription}`)
  }
  await setLetterSpacing(page, '')
}

/**
 * Expects that no text or control is cut off or covered on small screens when names, titles and email addresses are as
 * long as real ones can be. The long texts stay on the page. Returns the number of replaced texts.
 */
export async function expectRoomForLongTexts(
  page: Page,
  path: string,
  longTexts: LongTexts,
): Promise<number> {
  await page.setViewportSize(ZOOMED_WINDOW_SIZE)
  const replacedTextCount = await showLongTexts(page, longTexts)
  await expectNoLayoutProblems(page, `${path} with long texts at 400 % zoom`)
  await page.setViewportSize(LANDSCAPE_PHONE_SIZE)
  await expectNoLayoutProblems(page, `${path} with long texts on a phone in landscape`)
  return replacedTextCount
}
