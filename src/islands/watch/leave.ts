/** Out of the player, to where the viewer came from. */
import { navigate } from 'astro:transitions/client'
import { cameFrom } from '../remote.ts'
import { backHref } from './next.ts'

/** One step back in the history where that leads to a page of ours, so that Back does not lead into the player again. */
export function leave(): true {
  if (cameFrom()) history.back()
  else void navigate(backHref(), { history: 'replace' })
  return true
}

/** The same, from a link that names a page: by history only when the page before is that one. */
export function leaveByLink(event: { preventDefault: () => void }): void {
  const from = cameFrom()
  if (!from || new URL(from).pathname !== new URL(backHref(), location.href).pathname) return
  event.preventDefault()
  history.back()
}
