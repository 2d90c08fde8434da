import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { Link2 } from '../../icons/index.ts'
import { ApiError } from '../../lib/client/errors.ts'
import type { LinkedIdentity, ProviderLabel } from '../../lib/contract/identities.ts'
import { formatLocalDate, formatRelativeTime } from '../../lib/i18n/format-instant.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $identities,
  linkIdentity,
  openProviderForLink,
  unlinkIdentity,
} from '../../lib/stores/identities.ts'
import { takeProviderResponse } from '../../lib/stores/provider-sign-in.ts'
import { getFailureKey, showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ConfirmActions } from '../ConfirmActions.tsx'
import { formatProviderError } from '../identity/format-provider-error.ts'
import { PasswordForm } from '../profiles/PasswordForm.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

/**
 * Section of the account page: linked identities of identity providers. Renders nothing if no identity is linked and
 * there is no provider to link.
 */
export function IdentitySection() {
  const { data: identitiesReply } = useStore($identities)
  const [identityToUnlink, setIdentityToUnlink] = useState<LinkedIdentity | null>(null)
  const [providerToLink, setProviderToLink] = useState<ProviderLabel | null>(null)
  const [errorText, setErrorText] = useState<string | null>(null)
  useIdentityLinkResponse(setErrorText)
  if (!identitiesReply) return <SectionPlaceholder $read={$identities} />
  if (identitiesReply.results.length === 0 && identitiesReply.providers.length === 0) return null
  const linkProvider = async (provider: ProviderLabel, password?: string) => {
    setErrorText(null)
    try {
      await openProviderForLink(provider.id, password)
    } catch (error) {
      const isPasswordRejected = error instanceof ApiError && error.errors['password'] !== undefined
      if (isPasswordRejected && password !== undefined) throw error
      // The server asks for the password, because the account has received a password on another device since the
      // section was loaded.
      if (isPasswordRejected) return setProviderToLink(provider)
      setProviderToLink(null)
      setErrorText(formatProviderError(error))
    }
  }
  return (
    <section aria-label={t('security:identities')} className="flex max-w-xl flex-col items-start gap-4">
      <h2 className="text-lg font-bold">{t('security:identities')}</h2>
      <p className="text-muted">{t('security:identitiesText')}</p>
      {!identitiesReply.has_password && <p className="text-muted">{t('security:noPassword')}</p>}
      {identitiesReply.results.length > 0 && (
        <ul className="w-full divide-y divide-line">
          {identitiesReply.results.map((identity) => (
            <IdentityRow
              key={identity.identity_id}
              identity={identity}
              onUnlink={() => setIdentityToUnlink(identity)}
            />
          ))}
        </ul>
      )}
      {errorText && (
        <p role="alert" className="text-danger">
          {errorText}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {identitiesReply.providers.map((provider) => (
          <Button
            key={provider.id}
            onClick={() =>
              identitiesReply.has_password ? setProviderToLink(provider) : void linkProvider(provider)
            }
          >
            {t('security:identityLink', { name: isolateBidi(provider.name) })}
          </Button>
        ))}
      </div>
      {providerToLink && (
        <Dialog
          title={t('security:identityLink', { name: isolateBidi(providerToLink.name) })}
          closeLabel={t('common:close')}
          onClose={() => setProviderToLink(null)}
        >
          <PasswordForm onSubmit={(password) => linkProvider(providerToLink, password)} />
        </Dialog>
      )}
      {identityToUnlink && (
        <UnlinkIdentityDialog identity={identityToUnlink} onClose={() => setIdentityToUnlink(null)} />
      )}
    </section>
  )
}

/** Links the identity if the page was opened with the response of an identity provider. */
function useIdentityLinkResponse(onError: (errorText: string) => void): void {
  const hasTakenResponseRef = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, because a response can be used only once
  useEffect(() => {
    if (hasTakenResponseRef.current) return
    hasTakenResponseRef.current = true
    const providerResponse = takeProviderResponse()
    if (!providerResponse) return
    linkIdentity(providerResponse).then(
      () => showToast('security:identityLinked'),
      (error: unknown) => onError(formatProviderError(error)),
    )
  }, [])
}

const getProviderName = ({ provider }: LinkedIdentity) => provider ?? t('security:identityUnknown')

/** Returns a text that says when an identity was last used or, if it was never used, when it was linked. */
export const formatLastUse = ({
  last_used: lastUsedAt,
  created_at: createdAt,
}: Pick<LinkedIdentity, 'last_used' | 'created_at'>) =>
  lastUsedAt
    ? t('common:pair', { name: t('security:passkeyLastUsed'), value: formatRelativeTime(lastUsedAt) })
    : t('security:identityLinkedOn', { date: formatLocalDate(createdAt) })

function IdentityRow({ identity, onUnlink }: { identity: LinkedIdentity; onUnlink: () => void }) {
  const providerName = getProviderName(identity)
  return (
    <li className="flex flex-wrap items-center gap-4 py-4">
      <Link2 aria-hidden className="text-muted" />
      <div className="min-w-0 grow basis-64">
        <p className="font-semibold">
          <bdi>{providerName}</bdi>
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          {identity.name && <bdi className="block">{identity.name}</bdi>}
          {formatLastUse(identity)}
        </p>
      </div>
      <Button
        aria-label={t('security:identityUnlinkNamed', { name: isolateBidi(providerName) })}
        onClick={onUnlink}
      >
        {t('security:identityUnlink')}
      </Button>
    </li>
  )
}

function UnlinkIdentityDialog({ identity, onClose }: { identity: LinkedIdentity; onClose: () => void }) {
  const [errorText, setErrorText] = useState<string | null>(null)
  const unlinkProvider = () =>
    unlinkIdentity(identity.identity_id).then(onClose, (error: unknown) =>
      setErrorText(
        t(error instanceof ApiError && error.status === 409 ? 'security:lastWay' : getFailureKey(error)),
      ),
    )
  return (
    <Dialog
      title={t('security:identityUnlinkNamed', { name: isolateBidi(getProviderName(identity)) })}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <p className="text-muted">{t('security:identityUnlinkText')}</p>
      {errorText && (
        <p role="alert" className="text-danger">
          {errorText}
        </p>
      )}
      <ConfirmActions label={t('security:identityUnlink')} onConfirm={unlinkProvider} onCancel={onClose} />
    </Dialog>
  )
}
