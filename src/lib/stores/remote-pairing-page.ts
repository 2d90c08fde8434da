/** Tells the server when the page of a pairing closes, and renews the pairing when the browser restores the page. */
import { callApi } from '../client/call.ts'
import * as remote from '../contract/remote.ts'

/**
 * Tells the server when the page closes: the pairing then ends, unless the next page of this tab continues it. Calls
 * `renewPairing` when the browser restores the page from the back/forward cache. Returns a function that removes the
 * listeners.
 */
export function listenToPageChanges(pairingId: string, renewPairing: () => void): () => void {
  const announceClosing = () =>
    void callApi(remote.renewPairing, {
      params: { pairing: pairingId },
      body: { closing: true },
      keepalive: true,
    }).catch(() => {})
  const renewAfterReturn = ({ persisted }: PageTransitionEvent) => {
    if (persisted) renewPairing()
  }
  addEventListener('pagehide', announceClosing)
  addEventListener('pageshow', renewAfterReturn)
  return () => {
    removeEventListener('pagehide', announceClosing)
    removeEventListener('pageshow', renewAfterReturn)
  }
}
