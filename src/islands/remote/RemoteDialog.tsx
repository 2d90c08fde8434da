import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { FALLBACK_LOCALE } from '../../lib/i18n/locales.ts'
import { t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { formatPairingCode } from '../../lib/rules/remote-commands.ts'
import { $televisionPairing, endTelevisionPairing } from '../../lib/stores/remote-television.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { formatDeviceName } from '../format-device-name.ts'

const QrCode = lazy(() => import('../../ui/QrCode.tsx'))

interface Props {
  onClose: () => void
  onNewCodeRequest: () => void
}

/**
 * Shows the code with which a phone becomes the remote control of this screen. If a phone is already paired, shows
 * the name of the phone instead.
 */
export function RemoteDialog({ onClose, onNewCodeRequest }: Props) {
  const pairing = useStore($televisionPairing)
  const hasWaitedForPhoneRef = useRef(false)
  useEffect(() => {
    if (pairing.status === 'waiting') hasWaitedForPhoneRef.current = true
    // Closes the dialog once the phone is paired, because the dialog would cover the page.
    else if (pairing.status === 'paired' && hasWaitedForPhoneRef.current) onClose()
  }, [pairing.status, onClose])
  const endPairing = () => {
    void endTelevisionPairing()
    onClose()
  }
  const hasEnded = pairing.status === 'ended' || pairing.status === 'failed'
  return (
    <Dialog title={t('header:phoneTitle')} closeLabel={t('common:close')} onClose={onClose} isWide>
      {pairing.status === 'paired' ? (
        <p role="status">
          {t('header:phoneConnected', { device: isolateBidi(formatDeviceName(pairing.deviceName)) })}
        </p>
      ) : hasEnded ? (
        <p role="alert">{t(pairing.status === 'ended' ? 'header:phoneEnded' : 'errors:generic')}</p>
      ) : (
        <PairingInstructions pairingCode={pairing.status === 'waiting' ? pairing.code : null} />
      )}
      <DialogActions>
        {pairing.status === 'paired' && (
          <Button variant="danger" onClick={endPairing}>
            {t('header:phoneEnd')}
          </Button>
        )}
        {hasEnded && (
          <Button variant="primary" onClick={onNewCodeRequest}>
            {t('header:phoneNewCode')}
          </Button>
        )}
        <Button data-first onClick={onClose}>
          {t('common:close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/**
 * Shows the address and the QR code that the user opens on the phone, and the pairing code. The address has the host
 * of this page, because the phone most likely reaches the server under the same host.
 */
function PairingInstructions({ pairingCode }: { pairingCode: string | null }) {
  const remotePath = href('remote', FALLBACK_LOCALE)
  const url = location.origin + href('remote', FALLBACK_LOCALE, { query: { code: pairingCode } })
  return (
    <div className="flex flex-col items-center gap-8 md:flex-row md:items-start">
      <div className="size-56 shrink-0">
        {pairingCode === null ? (
          <div className="skeleton size-56" />
        ) : (
          <Suspense fallback={<div className="skeleton size-56" />}>
            <QrCode text={url} label={t('header:phoneQr')} />
          </Suspense>
        )}
      </div>
      <ol className="flex list-decimal flex-col gap-4 ps-5">
        <li>{t('header:phoneScan', { address: isolateBidi(location.host + remotePath) })}</li>
        <li>
          {t('header:phoneEnterCode')}
          <output
            dir="ltr"
            aria-label={t('header:phoneCode')}
            className="mt-2 block min-h-[1.2em] w-fit text-2xl font-bold tracking-widest text-accent"
          >
            {pairingCode !== null && formatPairingCode(pairingCode)}
          </output>
        </li>
        <li className="list-none text-sm text-muted">{t('header:phoneLife')}</li>
      </ol>
    </div>
  )
}
