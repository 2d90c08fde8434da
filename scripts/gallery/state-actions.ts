/** Actions that several states of the gallery use. */

import type { GalleryWindow } from './window.ts'

/** Clicks the first button whose text is exactly the translation of `buttonKey`. */
export const clickButton =
  (buttonKey: string) =>
  async ({ page, translate }: GalleryWindow): Promise<void> => {
    await page
      .getByRole('button', { name: translate(buttonKey), exact: true })
      .first()
      .click()
  }

/** Scrolls until the heading with the translation of `headingKey` is at the top, below the header. */
export const scrollToHeading =
  (headingKey: string) =>
  async ({ page, translate }: GalleryWindow): Promise<void> => {
    const heading = page.getByRole('heading', { name: translate(headingKey), exact: true }).first()
    await heading.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
  }

/** Responds to requests with mocked JSON. `repliesByPattern` maps a pattern of URLs to the JSON for these URLs. */
export const fulfilRequests =
  (repliesByPattern: Record<string, object>) =>
  async ({ page }: GalleryWindow): Promise<void> => {
    for (const [pattern, json] of Object.entries(repliesByPattern))
      await page.route(pattern, (route) => route.fulfill({ json }))
  }

/** Changes the JSON that the server returns for GET requests whose URL matches `urlPattern`. */
export const changeResponse =
  <T>(urlPattern: string, changeReply: (reply: T) => T) =>
  async ({ page }: GalleryWindow): Promise<void> => {
    await page.route(urlPattern, async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch()
      await route.fulfill({ response, json: changeReply((await response.json()) as T) })
    })
  }

/** Responds with status 500 to the requests whose URL matches `urlPattern`. */
export const failRequests =
  (urlPattern: string) =>
  async ({ page }: GalleryWindow): Promise<void> => {
    const errorBody = { type: 'server_error', status: 500, message: '', errors: {} }
    await page.route(urlPattern, (route) => route.fulfill({ status: 500, json: errorBody }))
  }
/** Never responds to the requests whose URL matches `urlPattern`, so that the pending state stays visible. */
export const holdRequests =
  (urlPattern: string) =>
  async ({ page }: GalleryWindow): Promise<void> => {
    await page.route(urlPattern, () => undefined)
  }
