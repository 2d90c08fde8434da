/**
 * Measures the largest contentful paint of the home page for a signed-in user, compared with the baseline page in the same run,
 * and the time from a click on the home page to the title of the detail page. Both use 6x CPU throttling and slow 4G
 * (1.6 Mbit/s, 150 ms).
 * `--runs 9` sets the number of runs, `--only click` selects a part.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright'
import { launchChromium } from '../../scripts/browser.ts'
import { serveBaselinePage } from './baseline-page.ts'

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, only: { type: 'string', default: 'load,click' } },
})
const runs = Number(options.runs)
const parts = new Set(options.only.split(','))
const PORT = 23000 + (process.pid % 500)
const HELLO_PORT = PORT + 500
const folder = mkdtempSync(join(tmpdir(), 'marquee-first-load-'))

/** Opens a throttled tab. A first load has an empty HTTP cache; a click uses what the page has cached. */
async function openThrottledPage(context: BrowserContext, { usesCache = false } = {}): Promise<Page> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: !usesCache })
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 93_750,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) Object.assign(window, { __lcp: entry.startTime })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  /* Waits until the browser has finished the work that it does for every new tab. */
  await page.waitForTimeout(1_500)
  return page
}

/** `isRepeatVisit` keeps what the device has stored on an earlier visit of the same day (stores/home-hero.ts). */
async function measureLcp(
  context: BrowserContext,
  url: string,
  readySelector: string,
  isRepeatVisit = false,
): Promise<number> {
  const page = await openThrottledPage(context)
  if (!isRepeatVisit) await page.addInitScript(() => localStorage.removeItem('marquee-first'))
  await page.goto(url)
  await page.locator(readySelector).first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(2_500)
  const value = await page.evaluate(() => (window as unknown as { __lcp: number }).__lcp)
  await page.close()
  return value
}

async function measureClickToTitle(context: BrowserContext, url: string): Promise<number> {
  const page = await openThrottledPage(context, { usesCache: true })
  await page.goto(url)
  const card = page.locator('.row-track a[href*="/movies/"]').first()
  await card.waitFor({ timeout: 60_000 })
  // Simulates a user who looks at the page for a while and then hovers over a card before the click.
  await page.waitForTimeout(6_000)
  await card.hover()
  await page.waitForTimeout(150)
  await page.evaluate(() => {
    const recordClickDuration = async ({ timeStamp }: Event) => {
      while (!document.querySelector('article h1:not([hidden])')?.textContent)
        await new Promise(requestAnimationFrame)
      Object.assign(window, { __click: performance.now() - timeStamp })
    }
    addEventListener('click', (event) => void recordClickDuration(event), { capture: true, once: true })
  })
  await page.mouse.down()
  await page.waitForTimeout(60)
  await page.mouse.up()
  /* Evaluating script earlier would add work to the page that is measured. */
  await page.waitForTimeout(2_000)
  const ms = await page.evaluate(() => (window as unknown as { __click: number }).__click)
  await page.close()
  return ms
}

const getMedian = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function main(): Promise<void> {
  await serveBaselinePage(folder, HELLO_PORT)
  const data = join(folder, 'data')
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: String(PORT), DATA_DIR: data, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise((resolve) =>
    server.stderr?.on('data', (chunk) => String(chunk).includes('is at') && resolve(null)),
  )
  const browser = await launchChromium()
  try {
    const base = `http://127.0.0.1:${PORT}`
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const credentials = readFileSync(join(data, 'first-sign-in.txt'), 'utf8')
    await page.goto(`${base}/login/`)
    await page.locator('form[data-ready]').waitFor()
    await page.locator('input[name=email]').fill(/E-mail: (.*)/.exec(credentials)?.[1] ?? '')
    await page.locator('input[name=password]').fill(/Password: (.*)/.exec(credentials)?.[1] ?? '')
    await page.keyboard.press('Enter')
    await page.locator('[data-profile]').first().click()
    await page.locator('.row-track a').first().waitFor()
    await page.close()
    const homeLcp: number[] = []
    const baselineLcp: number[] = []
    const repeatLcp: number[] = []
    const clickDurations: number[] = []
    for (let run = 0; run < runs; run++) {
      if (parts.has('load')) {
        baselineLcp.push(await measureLcp(context, `http://127.0.0.1:${HELLO_PORT}/`, 'h1'))
        homeLcp.push(await measureLcp(context, `${base}/`, '.row-track a'))
        repeatLcp.push(await measureLcp(context, `${base}/`, '.row-track a', true))
      }
      if (parts.has('click')) clickDurations.push(await measureClickToTitle(context, `${base}/`))
    }
    const printResult = (name: string, values: number[], suffix = '') =>
      process.stdout.write(
        `${name}: ${Math.round(getMedian(values))} ms (${values.map(Math.round).join(', ')})${suffix}\n`,
      )
    const formatRatio = (values: number[]) =>
      `, ratio ${(getMedian(values) / getMedian(baselineLcp)).toFixed(2)}`
    if (parts.has('load')) {
      printResult('React hello world LCP', baselineLcp)
      printResult('home LCP, first visit of the day', homeLcp, formatRatio(homeLcp))
      printResult('home LCP, later visits', repeatLcp, formatRatio(repeatLcp))
    }
    if (parts.has('click')) printResult('click to detail title', clickDurations)
  } finally {
    await browser.close()
    server.kill()
  }
  process.exit(0)
}

await main()
