/** The next visit of a household: worker and caches warm, a new tab, the same slow device and line. */
import type { Browser, CDPSession } from 'playwright'
import { type House, SLOW_4G, slowTab } from './house.ts'
import { drain } from './observe.ts'

/** The worker asks the server by itself, so that the line is made slow for it too. */
async function slowWorker(browser: Browser): Promise<void> {
  const cdp: CDPSession = await browser.newBrowserCDPSession()
  const { targetInfos } = await cdp.send('Target.getTargets')
  for (const { type, targetId } of targetInfos) {
    if (type !== 'service_worker') continue
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false })
    const say = (id: number, method: string, params = {}) =>
      cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) })
    await say(1, 'Network.enable')
    await say(2, 'Network.emulateNetworkConditions', SLOW_4G)
  }
}

/** Opens home until worker and caches have everything. */
export async function warmUp({ context, base }: House): Promise<void> {
  const page = await context.newPage()
  for (let visit = 0; visit < 2; visit++) {
    await page.goto(`${base}/`)
    await page.locator('.row-track a').first().waitFor()
    await page.waitForTimeout(8_000)
  }
  await page.close()
}

/** Largest contentful paint of home in a new tab, ms. */
export async function visitAgain({ context, base, browser }: House): Promise<{ ms: number; of: string }> {
  const page = await slowTab(context)
  await slowWorker(browser)
  /* A tab of its own begins with work of the browser's, which is not the site's. */
  await page.waitForTimeout(1_500)
  await page.goto(`${base}/`)
  await page.locator('.row-track a').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(3_000)
  const { lcp, lcpOf } = await drain(page)
  await page.close()
  return { ms: lcp, of: lcpOf }
}
