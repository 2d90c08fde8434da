/** States that the gallery takes screenshots of: the player with the demo clips. */

import type { StreamInfo } from '../../src/lib/contract/playback.ts'
import type { GalleryState } from './gallery-state.ts'
import type { GalleryWindow } from './window.ts'

const MOVIE_PATH = '/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival'
const EPISODE_PATH = '/watch/?type=tv&slug=the-last-of-us&season=1&episode=3'

/**
 * Seeks to a fraction of the duration. Pauses there, because a paused player keeps its controls visible. From 90 % of
 * the duration on, the video keeps playing, so that the card of the next episode or the end screen appears.
 */
const seekTo = (fraction: number) => async (galleryWindow: GalleryWindow) => {
  const { page } = galleryWindow
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
const openPanel = (buttonKey: string) => async (galleryWindow: GalleryWindow) => {
  await seekTo(0.4)(galleryWindow)
  await galleryWindow.page.mouse.move(200, 200)
  await galleryWindow.page
    .getByRole('button', { name: galleryWindow.translate(buttonKey), exact: true })
    .click()
}

/** Changes the stream of every movie, both in the stream lookup and in the session response. */
const changeStream =
  (changeStreamInfo: (stream: StreamInfo) => StreamInfo) =>
  async ({ page }: GalleryWindow): Promise<void> => {
    await page.route('**/stream/movie/**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: changeStreamInfo((await response.json()) as StreamInfo) })
    })
    await page.route('**/api/auth/refresh', async (route) => {
      const response = await route.fetch()
      const session = (await response.json()) as { watch?: { stream?: StreamInfo } }
      if (session.watch?.stream) session.watch.stream = changeStreamInfo(session.watch.stream)
      await route.fulfill({ response, json: session })
    })
  }

/** Makes the stream look like a movie of a media folder with several audio tracks and chapters. */
const showTracks = changeStream((stream) => ({
  ...stream,
  audio_tracks: [
    { id: 1, lang: 'en', label: 'English', kind: 'main', channels: 6, selected: true },
    { id: 2, lang: 'fr', label: 'Français', kind: 'main', channels: 2, selected: false },
    { id: 3, lang: 'ar', label: 'العربية', kind: 'description', channels: 2, selected: false },
    { id: 4, lang: 'en', label: 'English', kind: 'commentary', channels: 2, selected: false },
  ],
  chapters: ['The arrival', '', 'A visit to the ship, and what the linguist learns there', ''].map(
    (title, index) => ({ start: index * 18, title }),
  ),
}))
const showConversion = changeStream((stream) => ({
  ...stream,
  sources: stream.sources.map((source) => ({ ...source, delivery: 'transcode', reason: 'audio_codec' })),
  conversion: 'available',
}))
/** Replaces the stream with a file that the browser cannot play, with the given availability of conversions. */
const showUnplayableFile = (conversion: NonNullable<StreamInfo['conversion']>) =>
  changeStream((stream) => ({
    ...stream,
    sources: [{ url: '/none.mkv', mime_type: 'video/x-matroska', quality: '2160p', size: null }],
    conversion,
  }))
/** Shows the player while the server already runs its maximum number of conversions. */
const showBusyServer = async (galleryWindow: GalleryWindow): Promise<void> => {
  const busyUrl = '/busy/master.m3u8'
  await changeStream((stream) => ({
    ...stream,
    sources: [{ url: busyUrl, mime_type: 'application/vnd.apple.mpegurl', quality: '1080p', size: null }],
    conversion: 'busy',
    busy_with: { profiles: ['Robin', 'ليلى'], others: 0 },
  }))(galleryWindow)
  await galleryWindow.page.route(`**${busyUrl}*`, (route) => route.fulfill({ status: 503 }))
}
const showNoStream = async ({ page }: GalleryWindow): Promise<void> => {
  await page.route('**/api/auth/refresh', (route) => route.continue({ postData: '{}' }))
  const errorBody = { type: 'not_found', status: 404, message: '', errors: {} }
  await page.route('**/stream/movie/**', (route) => route.fulfill({ status: 404, json: errorBody }))
}

export const playerStates: GalleryState[] = [
  { name: 'watch', path: MOVIE_PATH, interact: seekTo(0.4) },
  { name: 'watch-episode', path: EPISODE_PATH, interact: seekTo(0.4) },
  { name: 'watch-settings', path: MOVIE_PATH, interact: openPanel('watch:settings') },
  { name: 'watch-captions', path: MOVIE_PATH, interact: openPanel('watch:captions') },
  { name: 'watch-info', path: MOVIE_PATH, interact: openPanel('watch:info') },
  { name: 'watch-episodes', path: EPISODE_PATH, interact: openPanel('watch:episodes') },
  { name: 'watch-next', path: EPISODE_PATH, interact: seekTo(0.95) },
  {
    name: 'watch-end',
    path: MOVIE_PATH,
    interact: async (galleryWindow) => {
      await seekTo(0.98)(galleryWindow)
      await galleryWindow.page
        .getByRole('region', { name: galleryWindow.translate('watch:theEnd') })
        .waitFor()
    },
  },
  { name: 'watch-tracks', path: MOVIE_PATH, prepare: showTracks, interact: openPanel('watch:captions') },
  { name: 'watch-chapters', path: MOVIE_PATH, prepare: showTracks, interact: openPanel('watch:chapters') },
  { name: 'watch-converted', path: MOVIE_PATH, prepare: showConversion, interact: openPanel('watch:info') },
  {
    name: 'watch-keys',
    path: MOVIE_PATH,
    interact: async (galleryWindow) => {
      await seekTo(0.4)(galleryWindow)
      await galleryWindow.page.keyboard.press('?')
    },
  },
  { name: 'watch-unsupported', path: MOVIE_PATH, prepare: showUnplayableFile('off') },
  { name: 'watch-no-ffmpeg', path: MOVIE_PATH, prepare: showUnplayableFile('missing') },
  { name: 'watch-damaged', path: MOVIE_PATH, prepare: showUnplayableFile('available') },
  {
    name: 'watch-busy',
    path: MOVIE_PATH,
    prepare: showBusyServer,
    interact: ({ page }) => page.locator('main [role=alert]').waitFor(),
  },
  { name: 'watch-nothing', path: MOVIE_PATH, prepare: showNoStream },
]
