/** Starts a server with the demo household, signs a browser in, and throttles its tabs. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { launchChromium } from '../../scripts/browser.ts'
import { signInBrowser, startMarquee } from '../marquee-server.ts'
import { observePerformance } from './performance-entries.ts'

export interface BenchHousehold {
  baseUrl: string
  browser: Browser
  /** Browser context that is signed in with the first profile. */
  context: BrowserContext
  close(): Promise<void>
}

/** Slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms latency; throughput in bytes per second. */
export const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
export const CPU_SLOWDOWN_FACTOR = 6
const PHONE_VIEWPORT = { width: 412, height: 823 }
const LAPTOP_VIEWPORT = { width: 1440, height: 900 }
export const VIEWPORTS = { laptop: LAPTOP_VIEWPORT, phone: PHONE_VIEWPORT }

export async function startBenchHousehold(): Promise<BenchHousehold> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-feel-'))
  const { baseUrl, process: server } = await startMarquee(dataDir)
  const browser = await launchChromium()
  const context = await browser.newContext({ viewport: LAPTOP_VIEWPORT, colorScheme: 'dark' })
  const close = async () => {
    await browser.close()
    server.kill()
  }
  try {
    await signInBrowser(context, baseUrl, dataDir)
  } catch (error) {
    await close()
    throw error
  }
  return { baseUrl, browser, context, close }
}

/**
 * Opens a tab with a throttled CPU and, by default, a throttled network. From then on, the tab records the entries that
 * `takePerformanceRecords` returns.
 */
export async function openSlowTab(context: BrowserContext, { isNetworkSlow = true } = {}): Promise<Page> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  if (isNetworkSlow) {
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', SLOW_4G)
  }
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN_FACTOR })
  await observePerformance(page)
  return page
}
