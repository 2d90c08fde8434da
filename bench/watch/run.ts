/**
 * Measures the time from opening /watch/ to the first frame of a demo clip for a signed-in user. Compares it with a
 * bare page of the same origin, which contains only a `<video>` of the clip. Uses 4x CPU throttling, an empty cache and
 * alternating runs. The exit code is 1 if the target is missed, except on a busy machine.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, CDPSession } from 'playwright'
import { AUTOPLAY_ARGUMENT, launchChromium } from '../../scripts/browser.ts'
import { reportMachineLoad, sampleMachineLoad } from '../load-samples.ts'
import { signInBrowser, startMarquee } from '../marquee-server.ts'
import { getMedian } from '../statistics.ts'

const RUN_COUNT = 9
/** Highest accepted ratio of the times to the first frame: watch page to bare page. */
const TARGET_RATIO = 1.2
const CPU_SLOWDOWN_FACTOR = 4
const TAB_SETTLE_MS = 1_500
const WATCH_PATH = '/watch/?type=movie&slug=arrival'
const folder = mkdtempSync(join(tmpdir(), 'marquee-watch-'))

const BODY_HEADER_PATTERN = /^(content-encoding|content-length|etag|transfer-encoding)$/i

/**
 * Answers the requests of this tab for `url` with `html`. Other requests are not intercepted, because interception
 * would slow them down. The response has the headers of the watch page, so that the browser spends the same time on the
 * security policy.
 */
async function serveHtmlInTab(cdp: CDPSession, url: string, html: string): Promise<void> {
  const { headers } = await fetch(new URL(WATCH_PATH, url))
  const responseHeaders = [...headers]
    .filter(([name]) => !BODY_HEADER_PATTERN.test(name))
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

/** Returns the milliseconds from the start of the navigation to the first video frame on screen. */
async function measureFirstFrame(context: BrowserContext, url: string, html?: string): Promise<number> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  if (html) await serveHtmlInTab(cdp, url, html)
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN_FACTOR })
  /*
   * The page reports the frame through a binding: polling would inject scripts, which delays the page under CPU
   * throttling.
   */
  const framePromise = new Promise<number>((resolve) =>
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
  const frameTimeMs = await framePromise
  await page.close()
  return frameTimeMs
}

/** Returns the URL of the clip that /watch/ plays for this login. */
async function findClipUrl(context: BrowserContext, baseUrl: string): Promise<string> {
  const page = await context.newPage()
  await page.goto(baseUrl + WATCH_PATH)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  const url = await page.evaluate(
    async () => (await fetch(document.querySelector('video')?.currentSrc ?? '')).url,
  )
  await page.goto('about:blank')
  await page.close()
  return url
}

const formatTimesMs = (timesMs: number[]) => timesMs.map(Math.round).join(', ')

/** Prints the times to the first frame of both pages, and returns the ratio of their medians. */
async function measureWatchPage(context: BrowserContext, baseUrl: string): Promise<number> {
  await signInBrowser(context, baseUrl, folder)
  const clipUrl = await findClipUrl(context, baseUrl)
  const barePageHtml = `<!doctype html><html lang="en"><title>Bare</title><video autoplay playsinline width="1280" src="${clipUrl.replaceAll('&', '&amp;')}"></video></html>`
  const watchPageMs: number[] = []
  const barePageMs: number[] = []
  for (let runIndex = 0; runIndex < RUN_COUNT; runIndex++) {
    await sampleMachineLoad()
    barePageMs.push(await measureFirstFrame(context, `${baseUrl}/bare`, barePageHtml))
    watchPageMs.push(await measureFirstFrame(context, baseUrl + WATCH_PATH))
  }
  const ratio = getMedian(watchPageMs) / getMedian(barePageMs)
  process.stdout.write(
    `bare <video>: ${Math.round(getMedian(barePageMs))} ms to the first frame (${formatTimesMs(barePageMs)})\n/watch/: ${Math.round(getMedian(watchPageMs))} ms (${formatTimesMs(watchPageMs)})\nratio ${ratio.toFixed(2)} (target ${TARGET_RATIO})\n`,
  )
  return ratio
}

async function main(): Promise<void> {
  const server = await startMarquee(folder)
  const browser = await launchChromium(AUTOPLAY_ARGUMENT)
  let ratio = 0
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    ratio = await measureWatchPage(context, server.baseUrl)
  } finally {
    await browser.close()
    server.process.kill()
  }
  if (reportMachineLoad() && ratio > TARGET_RATIO) process.exitCode = 1
}

await main()
