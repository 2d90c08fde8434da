/** Plays another episode without leaving the page, so that fullscreen and volume are kept. */
import type { Episode } from '../../lib/contract/media.ts'
import { getCurrentLocale } from '../../lib/i18n/t.ts'
import { getSafeRedirect, href } from '../../lib/routes.ts'
import { $player, openPlayer } from '../../lib/stores/player.ts'
import { reportProgress } from './progress-reporting.ts'
import { $isPaused, pausePlayback } from './video-element.ts'

/** Returns the `redirect` parameter if it is a path on this site, else the URL of the home page. */
export function getBackHref(): string {
  const redirectPath = getSafeRedirect(new URLSearchParams(location.search).get('redirect'))
  return redirectPath === '/' ? href('home', getCurrentLocale()) : redirectPath
}

export function playEpisode(episode: Episode | null): void {
  const player = $player.get()
  if (!episode?.released || player.status !== 'ready') return
  /* A pause saves the progress (progress-reporting.ts). If the video is already paused, a separate call is needed. */
  if ($isPaused.get()) reportProgress()
  else pausePlayback()
  const query = new URLSearchParams(location.search)
  query.set('type', 'tv')
  query.set('slug', player.media.slug)
  query.set('season', String(episode.season_number))
  query.set('episode', String(episode.episode_number))
  /* `history.state` holds the index of the page, which the router needs. */
  history.replaceState(history.state, '', `${location.pathname}?${query}`)
  void openPlayer(location.search)
}
