/** Leaves the player and returns to the page that the viewer came from. */
import { navigate } from '../../lib/client-navigation.ts'
import { getPreviousUrl } from '../navigation-state.ts'
import { getBackHref } from './episode-navigation.ts'

/**
 * Leaves the player. If the previous page belongs to this site, goes back in the history. Otherwise, the page of the
 * back link replaces the player. In both cases, the Back button of the browser does not return to the player later.
 */
export function exitPlayer(): true {
  if (getPreviousUrl()) history.back()
  else void navigate(getBackHref(), { history: 'replace' })
  return true
}

/**
 * Click handler of a back link. It goes back in the history only if the previous page is the target of the
 * link.
 */
export function exitPlayerByLink(event: { preventDefault: () => void }): void {
  const previousUrl = getPreviousUrl()
  if (!previousUrl || new URL(previousUrl).pathname !== new URL(getBackHref(), location.href).pathname) return
  event.preventDefault()
  history.back()
}
