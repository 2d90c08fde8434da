/** States of the player, with the demo clips. */

import type { GalleryState } from './gallery-state.ts'
import type { GalleryWindow } from './window.ts'

const MOVIE = '/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival'
const EPISODE = '/watch/?type=tv&slug=the-last-of-us&season=1&episode=3'

/** Seeks to a fraction of the duration. Pauses there unless it is near the end, because a paused player keeps its controls visible. */
const seekTo = (fraction: number) => async (window: GalleryWindow) => {
  const { page } = window
  const video = page.locator('#picture')
  await page.waitForFunction(
    () => (document.querySelector<HTMLVideoElement>('#picture')?.currentTime ?? 0) > 0.2,
  )
  await video.evaluate((element: HTMLVideoElement, fractionInPage) => {
    element.muted = true
    element.currentTime = element.duration * fractionInPage
    if (fractionInPage < 0.9) element.pause()
  }, fraction)
  await page.waitForTimeout(700)
}
const openPanel = (buttonKey: string) => async (window: GalleryWindow) => {
  await seekTo(0.4)(window)
  await window.page.mouse.move(200, 200)
  await window.page.getByRole('button', { name: window.translate(buttonKey), exact: true }).click()
}

export const playerStates: GalleryState[] = [
  { name: 'watch', path: MOVIE, act: seekTo(0.4) },
  { name: 'watch-episode', path: EPISODE, act: seekTo(0.4) },
  { name: 'watch-settings', path: MOVIE, act: openPanel('watch:settings') },
  { name: 'watch-captions', path: MOVIE, act: openPanel('watch:captions') },
  { name: 'watch-info', path: MOVIE, act: openPanel('watch:info') },
  { name: 'watch-episodes', path: EPISODE, act: openPanel('watch:episodes') },
  { name: 'watch-next', path: EPISODE, act: seekTo(0.95) },
]
