/** Key presses of a television remote. */
import { expect, type Page } from '@playwright/test'

/** A television browser, which the site recognises by its user agent. */
export const TELEVISION_CONTEXT_OPTIONS = {
  userAgent:
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0 Safari/537.36',
  viewport: { width: 1920, height: 1080 },
}

/** Presses the keys one after the other. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
/** The Back key of the remote of an LG television. Its key events have a `keyCode` but no `key`. */
export const LG_BACK_KEY = { keyCode: 461 }
/**
 * Presses the Back key of a remote, which Playwright's keyboard does not support. Returns after the page has handled
 * the key, so that the next key press cannot overtake it. The key may start a navigation that destroys the
 * execution context before the call returns. That error is ignored.
 */
export async function pressRemoteBack(
  page: Page,
  backKey: Pick<KeyboardEventInit, 'key' | 'keyCode'> = { key: 'BrowserBack' },
): Promise<void> {
  try {
    await page.evaluate((keyEventInit) => {
      const focusedElement = document.activeElement ?? document.body
      focusedElement.dispatchEvent(
        new KeyboardEvent('keydown', { ...keyEventInit, bubbles: true, cancelable: true }),
      )
    }, backKey)
  } catch (error) {
    if (!String(error).includes('Execution context was destroyed')) throw error
  }
}
/** Presses the down arrow until an element has the focus. The first key press turns on remote control mode. */
export async function turnOnRemoteControl(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await pressKeys(page, 'ArrowDown')
      return page.evaluate(() => document.activeElement !== document.body)
    })
    .toBe(true)
}
