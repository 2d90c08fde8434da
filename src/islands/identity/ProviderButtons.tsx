import type { ProviderLabel } from '../../lib/contract/identities.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { openProvider } from '../../lib/stores/provider-sign-in.ts'
import { Button } from '../../ui/Button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { formatProviderError } from './format-provider-error.ts'

interface Props {
  providers: readonly ProviderLabel[]
  /** Token of the invitation with which the account is created. */
  invitation?: string
  onError: (errorText: string | null) => void
}

/** One button per identity provider. Each button opens the page of its provider. */
export default function ProviderButtons({ providers, invitation, onError }: Props) {
  const [isOpening, runAction] = useAction()
  const openSelectedProvider = async (providerId: string) => {
    onError(null)
    try {
      await openProvider(providerId, invitation)
      // The buttons stay disabled until the browser leaves the page, because another request would replace the cookie
      // of this sign-in. After Back, the buttons work again.
      await new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }))
    } catch (error) {
      onError(formatProviderError(error))
    }
  }
  return providers.map(({ id, name }) => (
    <Button key={id} aria-disabled={isOpening} onClick={() => void runAction(() => openSelectedProvider(id))}>
      {t('auth:signInWith', { name: isolateBidi(name) })}
    </Button>
  ))
}
