/**
 * From opening /watch/ to the first frame of a demo clip, signed in, against a page that is nothing but a `<video>` of the
 * same clip from the same server, in the same run. Processor slowed down four times, nothing cached, runs by turns.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium } from 'playwright'
import { findChromium } from '../../scripts/browser.ts'

const RUNS = 9
const SLOWER = 4
const TAB_MS = 1_500
const PORT = 24000 + (process.pid % 500)
const BASE = `http://127.0.0.1:${PORT}`
const WATCH = `${BASE}/watch/?type=movie&slug=arrival`
const folder = mkdtempSync(join(tmpdir(), 'marquee-watch-'))

/** Signs in as the demo household's administrator and picks the first profile. */
async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  const note = readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')
  await page.goto(`${BASE}/login/`)
  await page.locator('form[data-ready]').waitFor()
  await page.locator('input[name=email]').fill(/E-mail: (.*)/.exec(note)?.[1] ?? '')
  await page.locator('input[name=password]').fill(/Password: (.*)/.exec(note)?.[1] ?? '')
  await page.keyboard.press('Enter')
  await page.locator('[data-profile]').first().click()
  await page.locator('.row-track a').first().waitFor()
  await page.close()
}

const OF_THE_BODY = /^(content-encoding|content-length|etag|transfer-encoding)$/i

/**
 * Answers `url` with `html` in that tab alone: whoever listens to all requests of a browser slows all of them. With the
 * headers of our own pages: what a policy costs the browser is the same for both.
 */
async function serveIn(cdp: CDPSession, url: string, html: string): Promise<void> {
  const { headers } = await fetch(WATCH)
  const responseHeaders = [...headers]
    .filter(([name]) => !OF_THE_BODY.test(name))
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

/** Milliseconds from the start of the navigation until a frame of the video was put on the screen. */
async function firstFrame(context: BrowserContext, url: string, html?: string): Promise<number> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  if (html) await serveIn(cdp, url, html)
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  /* The page tells by itself: whoever asks it meanwhile puts scripts of his own into it, which takes a weak device long. */
  const frame = new Promise<number>((resolve) =>
    cdp.on('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload))),
  )
  await cdp.send('Runtime.enable')
  await cdp.send('Runtime.addBinding', { name: 'tellFrame' })
  await page.addInitScript(() => {
    const { tellFrame } = window as unknown as { tellFrame: (at: string) => void }
    const asked = new Set<HTMLVideoElement>()
    const look = () => {
      const video = document.querySelector<HTMLVideoElement>('video[src]')
      if (!video || asked.has(video)) return
      asked.add(video)
      video.requestVideoFrameCallback((now) => tellFrame(`${now}`))
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributeFilter: ['src'] })
  })
  /* A tab of its own begins with work of the browser's, which is not the page's. */
  await page.waitForTimeout(TAB_MS)
  await page.goto(url, { waitUntil: 'commit' })
  const value = await frame
  await page.close()
  return value
}

/** The address of the clip that /watch/ plays for this login. */
async function clipAddress(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  await page.goto(WATCH)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  const url = await page.evaluate(
    async () => (await fetch(document.querySelector('video')?.currentSrc ?? '')).url,
  )
  await page.goto('about:blank')
  await page.close()
  return url
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const list = (values: number[]) => values.map(Math.round).join(', ')

async function measure(context: BrowserContext): Promise<void> {
  await signIn(context)
  const clip = await clipAddress(context)
  const html = `<!doctype html><html lang="en"><title>Bare</title><video autoplay playsinline width="1280" src="${clip.replaceAll('&', '&amp;')}"></video></html>`
  const ours: number[] = []
  const plain: number[] = []
  for (let run = 0; run < RUNS; run++) {
    plain.push(await firstFrame(context, `${BASE}/bare`, html))
    ours.push(await firstFrame(context, WATCH))
  }
  const ratio = median(ours) / median(plain)
  process.stdout.write(
    `bare <video>: ${Math.round(median(plain))} ms to the first frame (${list(plain)})\n/watch/: ${Math.round(median(ours))} ms (${list(ours)})\nratio ${ratio.toFixed(2)} (bar 1.5)\n`,
  )
}

async function main(): Promise<void> {
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: String(PORT), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise((resolve) =>
    server.stderr?.on('data', (chunk) => String(chunk).includes('is at') && resolve(null)),
  )
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  try {
    await measure(await browser.newContext({ viewport: { width: 1440, height: 900 } }))
  } finally {
    await browser.close()
    server.kill()
  }
}

await main()
