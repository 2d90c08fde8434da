/** From one episode to another without leaving the page, so that full screen and sound stay as they are. */
import type { Episode } from '../../lib/contract/media.ts'
import { currentLocale } from '../../lib/i18n/t.ts'
import { href, safeRedirect } from '../../lib/routes.ts'
import { $player, openPlayer } from '../../lib/stores/player.ts'
import { $paused, pause } from './deck.ts'
import { savePlace } from './saving.ts'

/** Where the viewer came from: `redirect`, when it is a page of ours, else home. */
export function backHref(): string {
  const wanted = safeRedirect(new URLSearchParams(location.search).get('redirect'))
  return wanted === '/' ? href('home', currentLocale()) : wanted
}

export function playEpisode(episode: Episode | null): void {
  const player = $player.get()
  if (!episode?.released || player.status !== 'ready') return
  /* A pause saves by itself. */
  if ($paused.get()) savePlace()
  else pause()
  const query = new URLSearchParams(location.search)
  query.set('type', 'tv')
  query.set('slug', player.media.slug)
  query.set('season', String(episode.season_number))
  query.set('episode', String(episode.episode_number))
  /* `history.state` holds where the page stands among the others: it is kept. */
  history.replaceState(history.state, '', `${location.pathname}?${query}`)
  void openPlayer(location.search)
}
