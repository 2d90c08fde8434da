/** Opens the dialog of the pairing in a separate React root, because the menu that opens it is unmounted. */
import { createRoot } from 'react-dom/client'
import { $televisionPairing, endTelevisionPairing } from '../../lib/stores/remote-television.ts'
import { RemoteDialog } from './RemoteDialog.tsx'
import { openPairing } from './television-pairing.ts'

export function showRemoteDialog(): void {
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  const closeDialog = () => {
    document.removeEventListener('astro:before-preparation', closeDialog)
    // The pairing that waits for a phone ends, because a code that is no longer visible must not work.
    if ($televisionPairing.get().status === 'waiting') void endTelevisionPairing()
    root.unmount()
    host.remove()
  }
  document.addEventListener('astro:before-preparation', closeDialog)
  root.render(<RemoteDialog onClose={closeDialog} onNewCodeRequest={() => void openPairing()} />)
  void openPairing()
}
