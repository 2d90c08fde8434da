/**
 * Screens and prompts over the video. With a remote control they have the focus, OK performs their action, and Back
 * leaves the player. The last test is about controls that stay visible for users of a screen reader.
 */
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { getPlayLink, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { signInAsParent } from './parent-requests.ts'
import {
  ARRIVAL_WATCH_PATH,
  getCurrentTimeSeconds,
  isPaused,
  openAndPlay,
  replaceStream,
  waitForStream,
  waitUntilPlaying,
} from './player.ts'
import { pressKeys, pressRemoteBack, turnOnRemoteControl } from './remote-control.ts'

const t = (key: string) => getTranslation('en', key)
const EPISODE_PATH =
  '/watch/?type=tv&slug=the-last-of-us&season=1&episode=2&redirect=%2Ftvshows%2Fthe-last-of-us'
let context: BrowserContext
let page: Page

test.beforeEach(async ({ browser }) => {
  context = await browser.newContext()
  page = await context.newPage()
  await signInAsProfile(page, 'Alex')
})
test.afterEach(() => context.close())

/** Opens a player page in remote control mode. No key is pressed in the player. */
async function openWithRemoteControl(path: string): Promise<void> {
  await page.goto('/mylist/')
  await page.locator('[data-card]').first().waitFor()
  await turnOnRemoteControl(page)
  await openAndPlay(page, path)
}

/**
 * Waits until the video has played for `seconds`. After more than three seconds without input, the controls are hidden
 * unless they are set to stay visible.
 */
async function waitForPlayback(playerPage: Page, seconds: number): Promise<void> {
  const startSeconds = await getCurrentTimeSeconds(playerPage)
  await expect.poll(() => getCurrentTimeSeconds(playerPage)).toBeGreaterThan(startSeconds + seconds)
}

test('with a remote control, the next episode card gets the focus when it appears, even before a key press in the player, and the OK key plays the next episode', async () => {
  await openWithRemoteControl(EPISODE_PATH)
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 52
  })
  const card = page.getByRole('region', { name: t('watch:next') })
  await expect(card.getByRole('button', { name: t('watch:playNow') })).toBeFocused()
  await pressKeys(page, 'Enter')
  await expect(page).toHaveURL(/episode=3/)
})

test('with a remote control, the OK key activates the focused skip intro button, and the Right key seeks without moving the focus', async () => {
  const streamPromise = waitForStream(page)
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('0')
  await replaceStream(page, { ...(await streamPromise), intro: { start: 0, end: 40 } })
  await openWithRemoteControl(ARRIVAL_WATCH_PATH)
  const skipButton = page.getByRole('button', { name: t('watch:skipIntro') })
  // While the video is paused, the button stays visible, and only keys change the position.
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => video.pause())
  await expect(skipButton).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: t('watch:skipIntro') })).toHaveCount(1)
  const positionSeconds = await getCurrentTimeSeconds(page)
  await pressKeys(page, 'ArrowRight')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(positionSeconds + 9)
  await expect(skipButton).toBeFocused()
  await pressKeys(page, 'Enter')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(39.5)
  expect(await isPaused(page)).toBe(true)
})

test('with a remote control, pressing Back once on the end screen returns to the title page', async () => {
  await page.goto('/movies/arrival')
  await getPlayLink(page, 'en').waitFor()
  await turnOnRemoteControl(page)
  await getPlayLink(page, 'en').press('Enter')
  await waitUntilPlaying(page)
  await page.keyboard.press('End')
  const endScreen = page.getByRole('region', { name: t('watch:theEnd') })
  await expect(endScreen.getByRole('link', { name: t('common:back') })).toBeFocused()
  await pressRemoteBack(page)
  await expect(page).toHaveURL(/\/movies\/arrival$/)
})

/** Returns the focused element as HTML if it is outside the dialog; otherwise null. */
const getFocusedHtmlOutside = (dialog: Element) => {
  const focusedElement = document.querySelector(':focus')
  return focusedElement && !dialog.contains(focusedElement) ? focusedElement.outerHTML.slice(0, 300) : null
}

test('no key moves the focus out of the dialog about the used-up viewing time, and the button for finishing the movie keeps the focus when its request fails', async () => {
  const { setViewingMinutes } = await signInAsParent(page.request, 'Sunny')
  await setViewingMinutes(60)
  try {
    await signInAsProfile(page, 'Sunny')
    await page.goto('/movies/')
    await page.locator('[data-card]').first().click()
    await getPlayLink(page, 'en').click()
    await waitUntilPlaying(page)
    await setViewingMinutes(0)
    const timeUpDialog = page.getByRole('alertdialog', { name: t('viewingtime:overTitle') })
    await expect(timeUpDialog).toBeVisible()
    const finishButton = page.getByRole('button', { name: t('viewingtime:finishMovie') })
    await expect(finishButton).toBeFocused()
    const stoppedAtSeconds = await getCurrentTimeSeconds(page)
    for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Tab', 'Tab', 'j']) {
      await pressKeys(page, key)
      expect(await timeUpDialog.evaluate(getFocusedHtmlOutside), key).toBeNull()
    }
    await pressKeys(page, 'ArrowDown')
    await expect(finishButton).toBeFocused()
    expect(await getCurrentTimeSeconds(page)).toBeCloseTo(stoppedAtSeconds, 0)
    await page.route('**/viewing-time/**', (route) => route.fulfill({ status: 500, json: {} }))
    await finishButton.press('Enter')
    await expect(page.getByText(t('errors:failed'))).toBeVisible()
    await expect(finishButton).toBeFocused()
  } finally {
    await setViewingMinutes(null)
  }
})

test('after a screen reader user presses the button "Keep controls visible", the player controls stay visible, also in the next video', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  const seekBar = page.getByRole('slider', { name: t('watch:seek') })
  await expect(seekBar).toBeHidden()
  const keepControlsButton = page.getByRole('button', { name: t('watch:keepControls') }).first()
  await expect(keepControlsButton).toHaveAttribute('aria-pressed', 'false')
  await keepControlsButton.evaluate((button: HTMLElement) => button.click())
  await expect(seekBar).toBeVisible()
  await waitForPlayback(page, 5)
  await expect(seekBar).toBeVisible()
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await waitForPlayback(page, 5)
  await expect(seekBar).toBeVisible()
  await page.getByRole('button', { name: t('watch:settings') }).click()
  await page
    .getByRole('region', { name: t('watch:settings') })
    .getByRole('button', { name: t('watch:keepControls') })
    .click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(seekBar).toBeHidden()
})
