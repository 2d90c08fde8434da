import { useStore } from '@nanostores/react'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { $passkeys, confirmWithPasskey } from '../../lib/stores/passkeys.ts'
import { Button } from '../../ui/Button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { formatPasskeyError } from './format-passkey-error.ts'

/** Button that confirms the second factor with a passkey, if the account has one. */
export default function PasskeyConfirmation() {
  const { data: passkeysReply } = useStore($passkeys)
  const [errorText, setErrorText] = useState<string | null>(null)
  const [isConfirming, runAction] = useAction()
  if (!passkeysReply?.results.length) return null
  const confirmIdentity = () =>
    confirmWithPasskey().catch((error: unknown) => setErrorText(formatPasskeyError(error)))
  return (
    <>
      {errorText && (
        <p role="alert" className="text-sm text-danger">
          {errorText}
        </p>
      )}
      <Button
        icon={<KeyRound aria-hidden size={18} />}
        aria-disabled={isConfirming}
        onClick={() => void runAction(confirmIdentity)}
      >
        {t('secondfactor:passkeyUse')}
      </Button>
    </>
  )
}
