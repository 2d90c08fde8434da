/** Replaces the names, titles and email addresses of a page with versions of the greatest likely length. */
import type { Page } from '@playwright/test'

/** Greatest likely length of a text, by the name of its field in replies of the API. */
const MAX_LENGTH_BY_FIELD: Record<string, number> = { title: 120, name: 80, email: 60 }
/** Values with fewer characters are not replaced, because interface texts contain such values too. */
const MIN_REPLACED_LENGTH = 3

/** The values of text fields that the API sent, with their longer versions. */
export type LongTexts = Map<string, string>

/**
 * Returns a text of about `targetLength` for a value: a constant email address, or the repeated value. Email addresses
 * and names without spaces get no spaces, so they cannot wrap.
 */
function lengthenText(field: string, text: string, targetLength: number): string {
  if (field === 'email') return `${'long.address.'.repeat(9)}@example.org`.slice(-targetLength)
  if (field === 'name' && !text.includes(' ')) return text.repeat(targetLength).slice(0, targetLength)
  return `${text} `.repeat(targetLength).slice(0, targetLength).trim()
}

function collectTexts(json: unknown, texts: LongTexts): void {
  if (typeof json !== 'object' || json === null) return
  for (const [field, fieldValue] of Object.entries(json)) {
    const targetLength = MAX_LENGTH_BY_FIELD[field]
    if (targetLength && typeof fieldValue === 'string' && fieldValue.length >= MIN_REPLACED_LENGTH)
      texts.set(fieldValue, lengthenText(field, fieldValue, targetLength))
    else collectTexts(fieldValue, texts)
  }
}

/** Collects the texts of all replies of the API from now on. */
export function collectLongTexts(page: Page): LongTexts {
  const texts: LongTexts = new Map()
  page.on('response', (response) => {
    if (!response.headers()['content-type']?.includes('application/json')) return
    // Reading a body fails after the browser has left the page. The error is ignored, because the texts of that page
    // are no longer visible.
    response.json().then(
      (body) => collectTexts(body, texts),
      () => undefined,
    )
  })
  return texts
}

/** Replaces each text of the page that is in `texts` with its longer version. Returns the number of replaced texts. */
export const showLongTexts = (page: Page, texts: LongTexts): Promise<number> =>
  page.evaluate(
    (textPairs) => {
      const longTexts = new Map(textPairs)
      const textWalker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      let replacedTextCount = 0
      while (textWalker.nextNode()) {
        const textNode = textWalker.currentNode as Text
        const longText = longTexts.get(textNode.data.trim())
        if (!longText || textNode.parentElement?.closest('script,style,option')) continue
        textNode.data = longText
        replacedTextCount += 1
      }
      return replacedTextCount
    },
    [...texts],
  )
