/**
 * Largest contentful paint of home, signed in, against a React hello-world page in the same run; and how long a click
 * takes from home to a detail page's title. Both on a 6 times slower processor and slow 4G (1.6 Mbit/s, 150 ms).
 * `--runs 9` is how often, `--only click` runs one part.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { findChromium } from '../../scripts/browser.ts'
import { serveHello } from './hello.ts'

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, only: { type: 'string', default: 'load,click' } },
})
const runs = Number(options.runs)
const parts = new Set(options.only.split(','))
const PORT = 23000 + (process.pid % 500)
const HELLO_PORT = PORT + 500
const folder = mkdtempSync(join(tmpdir(), 'marquee-first-load-'))

/** A first load finds no cache; a click comes after one and finds what that has fetched. */
async function slowed(context: BrowserContext, { cached = false } = {}): Promise<Page> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: !cached })
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
  /* A tab of its own begins with work of the browser's, which is neither page's. */
  await page.waitForTimeout(1_500)
  return page
}

/** `again`: with what the device keeps of an earlier visit of the day (stores/first-picture.ts). */
async function lcp(context: BrowserContext, url: string, ready: string, again = false): Promise<number> {
  const page = await slowed(context)
  if (!again) await page.addInitScript(() => localStorage.removeItem('marquee-first'))
  await page.goto(url)
  await page.locator(ready).first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(2_500)
  const value = await page.evaluate(() => (window as unknown as { __lcp: number }).__lcp)
  await page.close()
  return value
}

async function clickTime(context: BrowserContext, url: string): Promise<number> {
  const page = await slowed(context, { cached: true })
  await page.goto(url)
  const card = page.locator('.row-track a[href*="/movies/"]').first()
  await card.waitFor({ timeout: 60_000 })
  // Somebody looks at home for a while, then rests on a card as long as a hand takes to press.
  await page.waitForTimeout(6_000)
  await card.hover()
  await page.waitForTimeout(150)
  await page.evaluate(() => {
    const pressed = async ({ timeStamp }: Event) => {
      while (!document.querySelector('article h1:not([hidden])')?.textContent)
        await new Promise(requestAnimationFrame)
      Object.assign(window, { __click: performance.now() - timeStamp })
    }
    addEventListener('click', (event) => void pressed(event), { capture: true, once: true })
  })
  await page.mouse.down()
  await page.waitForTimeout(60)
  await page.mouse.up()
  /* To ask before it is over would be work of the page's. */
  await page.waitForTimeout(2_000)
  const ms = await page.evaluate(() => (window as unknown as { __click: number }).__click)
  await page.close()
  return ms
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function main(): Promise<void> {
  await serveHello(folder, HELLO_PORT)
  const data = join(folder, 'data')
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: String(PORT), DATA_DIR: data, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise((resolve) =>
    server.stderr?.on('data', (chunk) => String(chunk).includes('is at') && resolve(null)),
  )
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const base = `http://127.0.0.1:${PORT}`
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const note = readFileSync(join(data, 'first-sign-in.txt'), 'utf8')
    await page.goto(`${base}/login/`)
    await page.locator('form[data-ready]').waitFor()
    await page.locator('input[name=email]').fill(/E-mail: (.*)/.exec(note)?.[1] ?? '')
    await page.locator('input[name=password]').fill(/Password: (.*)/.exec(note)?.[1] ?? '')
    await page.keyboard.press('Enter')
    await page.locator('[data-profile]').first().click()
    await page.locator('.row-track a').first().waitFor()
    await page.close()
    const ours: number[] = []
    const plain: number[] = []
    const later: number[] = []
    const clicks: number[] = []
    for (let run = 0; run < runs; run++) {
      if (parts.has('load')) {
        plain.push(await lcp(context, `http://127.0.0.1:${HELLO_PORT}/`, 'h1'))
        ours.push(await lcp(context, `${base}/`, '.row-track a'))
        later.push(await lcp(context, `${base}/`, '.row-track a', true))
      }
      if (parts.has('click')) clicks.push(await clickTime(context, `${base}/`))
    }
    const tell = (name: string, values: number[], beside = '') =>
      process.stdout.write(
        `${name}: ${Math.round(median(values))} ms (${values.map(Math.round).join(', ')})${beside}\n`,
      )
    const ratio = (values: number[]) => `, ratio ${(median(values) / median(plain)).toFixed(2)}`
    if (parts.has('load')) {
      tell('React hello world LCP', plain)
      tell('home LCP, first visit of the day', ours, ratio(ours))
      tell('home LCP, later visits', later, ratio(later))
    }
    if (parts.has('click')) tell('click to detail title', clicks)
  } finally {
    await browser.close()
    server.kill()
  }
  process.exit(0)
}

await main()
