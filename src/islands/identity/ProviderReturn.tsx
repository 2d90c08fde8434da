import { useEffect, useRef } from 'react'
import { t } from '../../lib/i18n/t.ts'
import {
  getRequestedPath,
  signInWithProvider,
  takeProviderResponse,
} from '../../lib/stores/provider-sign-in.ts'
import { redirectTo } from '../../lib/stores/route-guard.ts'
import { PendingAnimation } from '../../ui/EmptyState.tsx'
import { formatProviderError } from './format-provider-error.ts'

interface Props {
  onSecondFactorNeeded: (signInToken: string) => void
  /** Called with an error message if the response of the provider cannot be used. */
  onError: (errorText: string) => void
}

/** Completes the sign-in if the login page was opened with the response of an identity provider. */
export default function ProviderReturn({ onSecondFactorNeeded, onError }: Props) {
  const hasStartedRef = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, because a response can be used only once
  useEffect(() => {
    if (hasStartedRef.current) return
    hasStartedRef.current = true
    const providerResponse = takeProviderResponse()
    if (!providerResponse) return onError(t('auth:provider_expired'))
    signInWithProvider(providerResponse)
      .then((secondStep) =>
        secondStep
          ? onSecondFactorNeeded(secondStep.sign_in_token)
          : redirectTo(getRequestedPath(), { history: 'replace', state: history.state }),
      )
      .catch((error: unknown) => onError(formatProviderError(error)))
  }, [])
  return <PendingAnimation label={t('common:loading')} />
}
