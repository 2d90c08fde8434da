/**
 * Measures a repeat visit: the service worker is installed, the caches are filled, and the page opens in a new
 * throttled tab.
 */
import type { Browser, CDPSession } from 'playwright'
import { type BenchHousehold, openSlowTab, SLOW_4G } from './bench-household.ts'
import { takePerformanceRecords } from './performance-entries.ts'

/** Throttles the service worker too, because its own requests bypass the throttling of the tab. */
async function throttleServiceWorkers(browser: Browser): Promise<void> {
  const cdp: CDPSession = await browser.newBrowserCDPSession()
  const { targetInfos } = await cdp.send('Target.getTargets')
  for (const { type, targetId } of targetInfos) {
    if (type !== 'service_worker') continue
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false })
    const sendToWorker = (messageId: number, method: string, parameters = {}) =>
      cdp.send('Target.sendMessageToTarget', {
        sessionId,
        message: JSON.stringify({ id: messageId, method, params: parameters }),
      })
    await sendToWorker(1, 'Network.enable')
    await sendToWorker(2, 'Network.emulateNetworkConditions', SLOW_4G)
  }
}

/** Opens the home page twice, so that the service worker is installed and all caches are filled. */
export async function warmUpCaches({ context, baseUrl }: BenchHousehold): Promise<void> {
  const page = await context.newPage()
  for (let visitIndex = 0; visitIndex < 2; visitIndex++) {
    await page.goto(`${baseUrl}/`)
    await page.locator('.row-track a').first().waitFor()
    await page.waitForTimeout(8_000)
  }
  await page.close()
}

/**
 * Returns the time of the largest contentful paint of the home page in a new tab, and a description of the painted
 * element.
 */
export async function measureRepeatVisit({
  context,
  baseUrl,
  browser,
}: BenchHousehold): Promise<{ lcpMs: number; element: string }> {
  const page = await openSlowTab(context)
  await throttleServiceWorkers(browser)
  /* Waits until the browser has finished the work that it does for every new tab. */
  await page.waitForTimeout(1_500)
  await page.goto(`${baseUrl}/`)
  await page.locator('.row-track a').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(3_000)
  const { lcpMs, lcpElement } = await takePerformanceRecords(page)
  await page.close()
  return { lcpMs, element: lcpElement }
}
