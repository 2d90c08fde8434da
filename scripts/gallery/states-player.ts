/** The player, with the demo clips. */
import type { Stage } from './stage.ts'
import type { State } from './states.ts'

const MOVIE = '/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival'
const EPISODE = '/watch/?type=tv&slug=the-last-of-us&season=1&episode=3'

/** Plays, is paused (so that the controls stay), and stands at a share of its length. */
const at = (share: number) => async (stage: Stage) => {
  const { page } = stage
  const video = page.locator('#picture')
  await page.waitForFunction(
    () => (document.querySelector<HTMLVideoElement>('#picture')?.currentTime ?? 0) > 0.2,
  )
  await video.evaluate((element: HTMLVideoElement, part) => {
    element.muted = true
    element.currentTime = element.duration * part
    if (part < 0.9) element.pause()
  }, share)
  await page.waitForTimeout(700)
}
const panel = (key: string) => async (stage: Stage) => {
  await at(0.4)(stage)
  await stage.page.mouse.move(200, 200)
  await stage.page.getByRole('button', { name: stage.w(key), exact: true }).click()
}

export const playerStates: State[] = [
  { name: 'watch', path: MOVIE, act: at(0.4) },
  { name: 'watch-episode', path: EPISODE, act: at(0.4) },
  { name: 'watch-settings', path: MOVIE, act: panel('watch:settings') },
  { name: 'watch-captions', path: MOVIE, act: panel('watch:captions') },
  { name: 'watch-info', path: MOVIE, act: panel('watch:info') },
  { name: 'watch-episodes', path: EPISODE, act: panel('watch:episodes') },
  { name: 'watch-next', path: EPISODE, act: at(0.95) },
]
