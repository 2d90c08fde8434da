/** Replaces the names, titles and email addresses of a page with versions of the greatest likely length. */
import type { Page } from '@playwright/test'

/** Greatest likely length of a text, by the name of its field in replies of the API. */
const LENGTH_BY_FIELD: Record<string, number> = { title: 120, name: 80, email: 60 }
/** Shorter values are not replaced, because interface texts contain them too. */
const MIN_LENGTH = 3

/** The values of text fields that the API sent, with their longer versions. */
export type LongTexts = Map<string, string>

/** Repeats a value up to a length. Email addresses and names without spaces get no place where a line can wrap. */
function lengthenText(field: string, value: string, length: number): string {
  if (field === 'email') return `${'long.address.'.repeat(9)}@example.org`.slice(-length)
  if (field === 'name' && !value.includes(' ')) return value.repeat(length).slice(0, length)
  return `${value} `.repeat(length).slice(0, length).trim()
}

function collectTexts(value: unknown, texts: LongTexts): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    const length = LENGTH_BY_FIELD[key]
    if (length && typeof child === 'string' && child.length >= MIN_LENGTH)
      texts.set(child, lengthenText(key, child, length))
    else collectTexts(child, texts)
  }
}

/** Collects the texts of all replies of the API from now on. */
export function collectLongTexts(page: Page): LongTexts {
  const texts: LongTexts = new Map()
  page.on('response', (response) => {
    if (!response.headers()['content-type']?.includes('application/json')) return
    // The body of a reply is gone once the browser has left its page. Its texts are then no longer visible.
    response.json().then(
      (body) => collectTexts(body, texts),
      () => undefined,
    )
  })
  return texts
}

/** Shows the longer versions of all texts of the page. Returns how many were replaced. */
export const showLongTexts = (page: Page, texts: LongTexts): Promise<number> =>
  page.evaluate(
    (pairs) => {
      const longTexts = new Map(pairs)
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      let count = 0
      while (walker.nextNode()) {
        const node = walker.currentNode as Text
        const longText = longTexts.get(node.data.trim())
        if (!longText || node.parentElement?.closest('script,style,option')) continue
        node.data = longText
        count += 1
      }
      return count
    },
    [...texts],
  )
