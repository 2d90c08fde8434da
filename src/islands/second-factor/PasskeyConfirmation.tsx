import { useStore } from '@nanostores/react'
import { KeyRound } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { $passkeys, confirmWithPasskey } from '../../lib/stores/passkeys.ts'
import { Button } from '../../ui/Button.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { formatPasskeyError } from './format-passkey-error.ts'

/** Button that confirms the second factor with a passkey, if the account has one. */
export default function PasskeyConfirmation() {
  const { data: passkeysReply } = useStore($passkeys)
  const { error: errorText, isSubmitting, submit } = useFormAction(formatPasskeyError)
  if (!passkeysReply?.results.length) return null
  return (
    <>
      {errorText && (
        <p role="alert" className="w-full text-sm text-danger">
          {errorText}
        </p>
      )}
      <Button
        icon={<KeyRound aria-hidden size={18} />}
        className="min-h-12"
        aria-disabled={isSubmitting}
        onClick={() => void submit(confirmWithPasskey)}
      >
        {t('secondfactor:passkeyUse')}
      </Button>
    </>
  )
}
