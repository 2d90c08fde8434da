/**
 * Measures playback in Chromium: time to the first frame, time to the first frame after a seek, and which
 * tracks of each test video are decoded.
 */
import type { Browser, BrowserContext, Page } from 'playwright'
import { AUTOPLAY_ARGUMENT, launchChromium } from '../../scripts/browser.ts'
import { getMedian } from '../statistics.ts'
import type { BenchServer, BenchTitle } from './server.ts'

const FRAME_TIMEOUT_MS = 30_000
/** Playing time after which the decoded frames and audio bytes are counted. */
const DECODED_COUNT_DELAY_MS = 2_500

/**
 * Returns a browser context with a new login. Each login has its own converted segments, so none exist for this login
 * yet.
 */
async function openContextWithNewLogin(browser: Browser, server: BenchServer): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    baseURL: server.baseUrl,
  })
  const loginResponse = await context.request.post('/api/auth/login', { data: server.readCredentials() })
  if (!loginResponse.ok()) throw new Error(`login: ${loginResponse.status()}`)
  const page = await context.newPage()
  await page.goto('/profiles/')
  await page.locator('[data-profile]').first().click()
  await page.locator('.row-track a').first().waitFor()
  await page.close()
  return context
}

/** Opens a title and returns the milliseconds from the start of the navigation to the first frame of the video. */
async function measureFirstFrameMs(page: Page, { slug }: BenchTitle): Promise<number> {
  await page.addInitScript(() => {
    const observedVideos = new Set<HTMLVideoElement>()
    const observeFirstFrame = () => {
      const video = document.querySelector<HTMLVideoElement>('#picture')
      if (!video || observedVideos.has(video)) return
      observedVideos.add(video)
      video.requestVideoFrameCallback((nowMs) => Object.assign(window, { firstFrameMs: nowMs }))
    }
    new MutationObserver(observeFirstFrame).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`/watch/?type=movie&slug=${slug}`, { waitUntil: 'commit' })
  const firstFrameHandle = await page.waitForFunction(
    () => (window as unknown as { firstFrameMs?: number }).firstFrameMs,
    undefined,
    { timeout: FRAME_TIMEOUT_MS, polling: 50 },
  )
  return Number(await firstFrameHandle.jsonValue())
}

/** Seeks to a fraction of the video and returns the milliseconds to the first frame at that position. */
const seekTo = (page: Page, fraction: number) =>
  page.locator('#picture').evaluate((element, fraction) => {
    const video = element as HTMLVideoElement
    const targetSeconds = video.duration * fraction
    const startedAtMs = performance.now()
    return new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error('no frame after the seek')), 30_000)
      const waitForFrame = () =>
        video.requestVideoFrameCallback((nowMs, { mediaTime }) =>
          mediaTime >= targetSeconds - 1 ? resolve(nowMs - startedAtMs) : waitForFrame(),
        )
      waitForFrame()
      video.currentTime = targetSeconds
    })
  }, fraction)

const formatTimesMs = (timesMs: number[]) => timesMs.map(Math.round).join(', ')

/**
 * Prints the median times to the first frame and to the first frame after a seek, for each kind of delivery. In each
 * run, the browser has cached the scripts of the player, and no segment has been converted.
 */
export async function benchFirstFrame(
  server: BenchServer,
  titlesByDelivery: Record<string, BenchTitle>,
  runCount: number,
): Promise<void> {
  const browser = await launchChromium(AUTOPLAY_ARGUMENT)
  const measurements = Object.entries(titlesByDelivery).map(([name, title]) => ({
    name,
    title,
    startTimesMs: [] as number[],
    seekTimesMs: [] as number[],
  }))
  const playOnce = async (context: BrowserContext, title: BenchTitle, runIndex: number) => {
    const page = await context.newPage()
    const startMs = await measureFirstFrameMs(page, title)
    // Alternates the target of the seek. Playback resumes where the last run ended, and a seek to the same position
    // would measure nothing.
    const seekMs = await seekTo(page, runIndex % 2 === 0 ? 0.7 : 0.3)
    await page.goto('about:blank')
    await page.close()
    return { startMs, seekMs }
  }
  for (let runIndex = 0; runIndex < runCount; runIndex++) {
    const context = await openContextWithNewLogin(browser, server)
    if (measurements[0]) await playOnce(context, measurements[0].title, runIndex + 1)
    for (const { title, startTimesMs, seekTimesMs } of measurements) {
      const { startMs, seekMs } = await playOnce(context, title, runIndex)
      startTimesMs.push(startMs)
      seekTimesMs.push(seekMs)
    }
    await context.close()
    // Stops the streams, because each run has a new login. An encoding of the next login would wait until the encodings
    // of this login count as paused (STREAM_PAUSED_AFTER_MS).
    await server.stopStreams()
  }
  await browser.close()
  for (const { name, startTimesMs, seekTimesMs } of measurements)
    process.stdout.write(
      `first frame, ${name}: ${Math.round(getMedian(startTimesMs))} ms (${formatTimesMs(startTimesMs)}); after a seek: ${Math.round(getMedian(seekTimesMs))} ms (${formatTimesMs(seekTimesMs)})\n`,
    )
}

/** Prints for each test video how it is delivered, and whether Chromium decodes its picture and sound. */
export async function benchMatrix(
  server: BenchServer,
  titles: readonly (BenchTitle & { name: string })[],
): Promise<void> {
  const browser = await launchChromium(AUTOPLAY_ARGUMENT)
  const context = await openContextWithNewLogin(browser, server)
  let playedCount = 0
  process.stdout.write('video | delivery | reason | first frame | frames | sound\n')
  for (const title of titles) {
    const [firstSource] = (await server.lookUpSources(title)).sources
    const page = await context.newPage()
    const firstFrameMs = await measureFirstFrameMs(page, title).catch(() => null)
    await page.waitForTimeout(DECODED_COUNT_DELAY_MS)
    const { frameCount, audioBytes } = await readDecodedCounts(page)
    const isSilent = title.name.includes('silent')
    const isPlayed = frameCount > 10 && (isSilent || audioBytes > 0)
    if (isPlayed) playedCount += 1
    const messageText = isPlayed ? '' : ` | ${await readPlayerMessage(page)}`
    const firstFrameText = firstFrameMs === null ? 'none' : `${Math.round(firstFrameMs)} ms`
    process.stdout.write(
      `${[title.name, firstSource?.delivery, firstSource?.reason, firstFrameText, frameCount, isSilent ? 'none' : audioBytes].join(' | ')}${messageText}\n`,
    )
    await page.goto('about:blank')
    await page.close()
  }
  await browser.close()
  process.stdout.write(`${playedCount} of ${titles.length} test videos play with picture and sound\n`)
}

const readDecodedCounts = (page: Page) =>
  page.locator('#picture').evaluate((element) => {
    const video = element as HTMLVideoElement & { webkitAudioDecodedByteCount: number }
    return {
      frameCount: video.getVideoPlaybackQuality().totalVideoFrames,
      audioBytes: video.webkitAudioDecodedByteCount,
    }
  })

/** Returns the message that the player shows when it does not play, or `no message`. */
const readPlayerMessage = async (page: Page) =>
  (await page.getByRole('alert').allInnerTexts()).join(' ').replace(/\s+/g, ' ').slice(0, 120) || 'no message'
