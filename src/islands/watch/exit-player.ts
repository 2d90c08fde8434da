/** Leaves the player and returns to the page that the viewer came from. */
import { navigate } from '../../lib/client-navigation.ts'
import { getPreviousUrl } from '../navigation-state.ts'
import { getBackHref } from './episode-navigation.ts'

/**
 * Goes back in the history if the previous page belongs to this site, so that the Back button does not return to the
 * player.
 */
export function exitPlayer(): true {
  if (getPreviousUrl()) history.back()
  else void navigate(getBackHref(), { history: 'replace' })
  return true
}

/** Click handler of a back link: goes back in the history only if the previous page is the link's target. */
export function exitPlayerByLink(event: { preventDefault: () => void }): void {
  const previousUrl = getPreviousUrl()
  if (!previousUrl || new URL(previousUrl).pathname !== new URL(getBackHref(), location.href).pathname) return
  event.preventDefault()
  history.back()
}
