/** The keys of a remote, as a browser gets them. */
import { expect, type Page } from '@playwright/test'

/** A press of the remote, once its script is there. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
/** The key of the remote that browsers have no press for; the call answers before the page it is sent from goes. */
export const back = (page: Page) =>
  page.evaluate(() => {
    setTimeout(() =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key: 'BrowserBack', bubbles: true, cancelable: true }),
      ),
    )
  })
/** Arrows have driven: from now on the focus is kept. */
export async function drive(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await press(page, 'ArrowDown')
      return page.evaluate(() => document.activeElement !== document.body)
    })
    .toBe(true)
}
