/** Key presses of a television remote. */
import { expect, type Page } from '@playwright/test'

/** Presses the keys one after the other. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
/**
 * Presses the Back key of a remote, which Playwright's keyboard does not support. The event is dispatched asynchronously, so
 * that this call returns before a navigation destroys the page.
 */
export const pressRemoteBack = (page: Page) =>
  page.evaluate(() => {
    setTimeout(() =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key: 'BrowserBack', bubbles: true, cancelable: true }),
      ),
    )
  })
/** Presses the down arrow until an element has the focus, which turns on remote control mode. */
export async function turnOnRemoteControl(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await pressKeys(page, 'ArrowDown')
      return page.evaluate(() => document.activeElement !== document.body)
    })
    .toBe(true)
}
