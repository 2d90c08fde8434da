import { useEffect } from 'react'
import { KeyRound } from '../../icons/index.ts'
import { ApiError } from '../../lib/client/errors.ts'
import { t } from '../../lib/i18n/t.ts'
import { cancelPasskeyPrompt, signInWithPasskey } from '../../lib/stores/passkeys.ts'
import { getPathAfterSignIn } from '../../lib/stores/path-after-sign-in.ts'
import { redirectTo } from '../../lib/stores/route-guard.ts'
import { Button } from '../../ui/Button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { formatPasskeyError } from './format-passkey-error.ts'

/**
 * Signs in with a passkey. The user presses the button or picks a suggestion of the browser in the email
 * field.
 */
export default function PasskeySignIn({ onError }: { onError: (errorText: string | null) => void }) {
  const [isSigningIn, runAction] = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, to turn on the suggestions
  useEffect(() => {
    void signIn(true)
    return cancelPasskeyPrompt
  }, [])
  const signIn = async (isAutofill: boolean) => {
    const targetPath = getPathAfterSignIn()
    if (!isAutofill) onError(null)
    try {
      const isSignedIn = await signInWithPasskey({ isAutofill })
      if (isSignedIn) await redirectTo(targetPath, { history: 'replace', state: history.state })
      else if (!isAutofill) onError(t('secondfactor:passkeyUnavailable'))
    } catch (error) {
      // Autofill starts without an action of the user. Its errors are therefore not shown, except when the server has
      // rejected a passkey. After every error, the user can still sign in with the form.
      if (!isAutofill || (error instanceof ApiError && error.status === 401))
        onError(formatPasskeyError(error))
    }
  }
  return (
    <Button
      icon={<KeyRound aria-hidden size={18} />}
      aria-disabled={isSigningIn}
      onClick={() => void runAction(() => signIn(false))}
    >
      {t('secondfactor:passkeySignIn')}
    </Button>
  )
}
