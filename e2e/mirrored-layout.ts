/** Compares the layout of a page in Arabic with the same page in English. */
import { expect, type Page } from '@playwright/test'

/** Tolerance for start edges. End edges are not compared, because texts differ in length. */
const TOLERANCE_PX = 3

export interface StartEdge {
  name: string
  /** Distance in pixels from the side where reading starts. */
  startPx: number
}

/** Returns the start edges of landmarks, sections, headings and the first cards of rows and grids. */
export function findStartEdges(page: Page): Promise<StartEdge[]> {
  return page.evaluate(() => {
    const isRightToLeft = document.documentElement.dir === 'rtl'
    /* The edges are measured within the body, because the browser decides at which side the scrollbar is. */
    const bodyBox = document.body.getBoundingClientRect()
    /* Times, charts and codes are not mirrored. */
    const NOT_MIRRORED_SELECTOR = 'body [dir=ltr], body [dir=ltr] *, svg *'
    const shouldBeMirrored = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 1 &&
      getComputedStyle(element).textAlign !== 'center' &&
      !element.matches(NOT_MIRRORED_SELECTOR)
    const edges: StartEdge[] = []
    const addEdges = (elementKind: string, elements: Iterable<Element>) => {
      for (const [index, element] of [...elements].filter(shouldBeMirrored).entries()) {
        const { left, right } = element.getBoundingClientRect()
        edges.push({
          name: `${elementKind} ${index}`,
          startPx: Math.round(isRightToLeft ? bodyBox.right - right : left - bodyBox.left),
        })
      }
    }
    addEdges('landmark', document.querySelectorAll('header, main, main > astro-island > *'))
    addEdges('section', document.querySelectorAll('main section, main form'))
    addEdges('heading', document.querySelectorAll('main :is(h1, h2, h3)'))
    addEdges('first card', document.querySelectorAll('.row-track > :first-child'))
    addEdges('second card', document.querySelectorAll('.row-track > :nth-child(2)'))
    addEdges('grid card', document.querySelectorAll('.card-grid > :nth-child(-n + 3)'))
    addEdges(
      'first link',
      [document.querySelector('header a')].filter((link) => link !== null),
    )
    return edges
  })
}

/** Expects that the start edges of the open page equal those of the English page, within TOLERANCE_PX. */
export async function expectMirrored(page: Page, englishEdges: StartEdge[], path: string): Promise<void> {
  /* Waits for all sections, because rows below the first screen load later. */
  const sectionCount = englishEdges.filter(({ name }) => name.startsWith('section')).length
  const visibleSections = page.locator('main section, main form').filter({ visible: true })
  await expect.poll(() => visibleSections.count()).toBeGreaterThanOrEqual(sectionCount)
  const arabicStartsPxByName = new Map((await findStartEdges(page)).map((edge) => [edge.name, edge.startPx]))
  expect.soft(englishEdges.length, path).toBeGreaterThan(0)
  const mismatches = englishEdges
    .map((edge) => ({ ...edge, arabicStartPx: arabicStartsPxByName.get(edge.name) }))
    .filter(
      (edge) =>
        Math.abs((edge.arabicStartPx ?? Number.NaN) - edge.startPx) > TOLERANCE_PX ||
        edge.arabicStartPx === undefined,
    )
  expect.soft(mismatches, path).toEqual([])
}
