/** Leaves the player for the page that the viewer came from. */
import { navigate } from 'astro:transitions/client'
import { cameFrom } from '../remote.ts'
import { backHref } from './next.ts'

/** Goes back in the history if the previous page is ours, so that Back does not return to the player. */
export function leave(): true {
  if (cameFrom()) history.back()
  else void navigate(backHref(), { history: 'replace' })
  return true
}

/** Click handler of a back link: goes back in the history only if the previous page is the link's target. */
export function leaveByLink(event: { preventDefault: () => void }): void {
  const previousUrl = cameFrom()
  if (!previousUrl || new URL(previousUrl).pathname !== new URL(backHref(), location.href).pathname) return
  event.preventDefault()
  history.back()
}
