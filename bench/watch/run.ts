/**
 * Measures the time from opening /watch/ to the first frame of a demo clip for a signed-in user, compared with a page that
 * contains only a `<video>` of the same clip from the same server. Uses 4x CPU throttling, an empty cache and alternating runs. The
 * exit code is 1 if the target is missed, except on a busy machine.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, CDPSession } from 'playwright'
import { AUTOPLAY_ARGUMENT, launchChromium } from '../../scripts/browser.ts'
import { reportMachineLoad, sampleMachineLoad } from '../load-samples.ts'
import { getMedian } from '../statistics.ts'

const RUN_COUNT = 9
/** Greatest ratio of the first frames. */
const TARGET_RATIO = 1.2
const CPU_SLOWDOWN_FACTOR = 4
const TAB_SETTLE_MS = 1_500
const PORT = 24000 + (process.pid % 500)
const BASE_URL = `http://127.0.0.1:${PORT}`
const WATCH_URL = `${BASE_URL}/watch/?type=movie&slug=arrival`
const folder = mkdtempSync(join(tmpdir(), 'marquee-watch-'))

/** Signs in as the administrator of the demo household and selects the first profile. */
async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  const credentials = readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')
  await page.goto(`${BASE_URL}/login/`)
  await page.locator('form[data-ready]').waitFor()
  await page.locator('input[name=email]').fill(/E-mail: (.*)/.exec(credentials)?.[1] ?? '')
  await page.locator('input[name=password]').fill(/Password: (.*)/.exec(credentials)?.[1] ?? '')
  await page.keyboard.press('Enter')
  await page.locator('[data-profile]').first().click()
  await page.locator('.row-track a').first().waitFor()
  await page.close()
}

const BODY_HEADERS = /^(content-encoding|content-length|etag|transfer-encoding)$/i

/**
 * Answers requests for `url` with `html` in this tab only, because intercepting all requests of the browser would slow
 * them down. The response has the headers of our own pages, so that the browser spends the same time on the security policy.
 */
async function serveInTab(cdp: CDPSession, url: string, html: string): Promise<void> {
  const { headers } = await fetch(WATCH_URL)
  const responseHeaders = [...headers]
    .filter(([name]) => !BODY_HEADERS.test(name))
    .map(([name, value]) => ({ name, value }))
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: url }] })
  cdp.on('Fetch.requestPaused', ({ requestId }) =>
    cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders,
      body: Buffer.from(html).toString('base64'),
    }),
  )
}

/** Milliseconds from the start of the navigation to the first video frame on screen. */
async function measureFirstFrame(context: BrowserContext, url: string, html?: string): Promise<number> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  if (html) await serveInTab(cdp, url, html)
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN_FACTOR })
  /*
   * The page reports the frame through a binding: polling would inject scripts, which delays the page under CPU
   * throttling.
   */
  const frame = new Promise<number>((resolve) =>
    cdp.on('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload))),
  )
  await cdp.send('Runtime.enable')
  await cdp.send('Runtime.addBinding', { name: 'reportFrame' })
  await page.addInitScript(() => {
    const { reportFrame } = window as unknown as { reportFrame: (timeText: string) => void }
    const observedVideos = new Set<HTMLVideoElement>()
    const observeVideo = () => {
      const video = document.querySelector<HTMLVideoElement>('video[src]')
      if (!video || observedVideos.has(video)) return
      observedVideos.add(video)
      video.requestVideoFrameCallback((nowMs) => reportFrame(`${nowMs}`))
    }
    new MutationObserver(observeVideo).observe(document, {
      childList: true,
      subtree: true,
      attributeFilter: ['src'],
    })
  })
  /* Waits until the browser has finished the work that it does for every new tab. */
  await page.waitForTimeout(TAB_SETTLE_MS)
  await page.goto(url, { waitUntil: 'commit' })
  const value = await frame
  await page.close()
  return value
}

/** Returns the URL of the clip that /watch/ plays for this login. */
async function findClipUrl(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  await page.goto(WATCH_URL)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  const url = await page.evaluate(
    async () => (await fetch(document.querySelector('video')?.currentSrc ?? '')).url,
  )
  await page.goto('about:blank')
  await page.close()
  return url
}

const formatList = (values: number[]) => values.map(Math.round).join(', ')

/** Prints the times, and returns their ratio. */
async function measureWatchPage(context: BrowserContext): Promise<number> {
  await signIn(context)
  const clipUrl = await findClipUrl(context)
  const html = `<!doctype html><html lang="en"><title>Bare</title><video autoplay playsinline width="1280" src="${clipUrl.replaceAll('&', '&amp;')}"></video></html>`
  const watchPageMs: number[] = []
  const barePageMs: number[] = []
  for (let run = 0; run < RUN_COUNT; run++) {
    await sampleMachineLoad()
    barePageMs.push(await measureFirstFrame(context, `${BASE_URL}/bare`, html))
    watchPageMs.push(await measureFirstFrame(context, WATCH_URL))
  }
  const ratio = getMedian(watchPageMs) / getMedian(barePageMs)
  process.stdout.write(
    `bare <video>: ${Math.round(getMedian(barePageMs))} ms to the first frame (${formatList(barePageMs)})\n/watch/: ${Math.round(getMedian(watchPageMs))} ms (${formatList(watchPageMs)})\nratio ${ratio.toFixed(2)} (target ${TARGET_RATIO})\n`,
  )
  return ratio
}

async function main(): Promise<void> {
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: String(PORT), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise((resolve) =>
    server.stderr?.on('data', (chunk) => String(chunk).includes('is at') && resolve(null)),
  )
  const browser = await launchChromium(AUTOPLAY_ARGUMENT)
  let ratio = 0
  try {
    ratio = await measureWatchPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }))
  } finally {
    await browser.close()
    server.kill()
  }
  if (reportMachineLoad() && ratio > TARGET_RATIO) process.exitCode = 1
}

await main()
