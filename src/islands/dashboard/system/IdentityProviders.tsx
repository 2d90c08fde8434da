import { useState } from 'react'
import type { IdentityProviderEntry } from '../../../lib/contract/admin-identity-providers.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import {
  $identityProviders,
  type IdentityProviderForm,
  saveIdentityProvider,
  saveIdentityProviders,
  testIdentityProvider,
  toIdentityProviderChange,
} from '../../../lib/stores/admin/identity-providers.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx'
import { Subsection } from '../kit/SectionHeader.tsx'
import { LoadError } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'
import { ConnectionTest } from './ConnectionTest.tsx'
import { IdentityProviderDialog } from './IdentityProviderDialog.tsx'

/** Identity providers (OpenID Connect) with which members sign in. */
export function IdentityProviders() {
  const { data: providersReply, error, retry } = useStoreQuery($identityProviders)
  const [form, setForm] = useState<IdentityProviderForm | null>(null)
  const [providerToRemove, setProviderToRemove] = useState<IdentityProviderEntry | null>(null)
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const { results: providers = [], version = '' } = providersReply ?? {}
  const removeProvider = async ({ id }: IdentityProviderEntry) =>
    setErrorKey(
      await saveIdentityProviders(
        providers.filter((otherProvider) => otherProvider.id !== id).map(toIdentityProviderChange),
        version,
      ),
    )
  return (
    <Subsection title={t('dashboardsystem:providers')} hint={t('dashboardsystem:providersHint')}>
      {error && <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />}
      {providers.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {providers.map((provider) => (
            <ProviderRow
              key={provider.id}
              provider={provider}
              onEdit={() => setForm({ provider, version })}
              onRemove={() => setProviderToRemove(provider)}
            />
          ))}
        </ul>
      )}
      {errorKey && (
        <p role="alert" className="text-sm text-danger">
          {t(errorKey)}
        </p>
      )}
      {providersReply && (
        <ActionButton
          variant="primary"
          className="self-start"
          onClick={() => setForm({ provider: null, version })}
        >
          {t('dashboardsystem:addProvider')}
        </ActionButton>
      )}
      {providersReply && form && (
        <IdentityProviderDialog
          provider={form.provider}
          redirectUriTemplate={providersReply.redirect_uri_template}
          onSave={(change) => saveIdentityProvider(form, change)}
          onClose={() => setForm(null)}
        />
      )}
      {providerToRemove && (
        <ConfirmDialog
          title={t('dashboardsystem:removeNamed', { name: isolateBidi(providerToRemove.name) })}
          confirmLabel={t('dashboardsystem:removeSecret')}
          onConfirm={() => removeProvider(providerToRemove)}
          onClose={() => setProviderToRemove(null)}
        >
          <p>{t('dashboardsystem:removeProviderText')}</p>
        </ConfirmDialog>
      )}
    </Subsection>
  )
}

interface ProviderRowProps {
  provider: IdentityProviderEntry
  onEdit: () => void
  onRemove: () => void
}

function ProviderRow({ provider, onEdit, onRemove }: ProviderRowProps) {
  const formatProviderLabel = (label: string) =>
    t('common:pair', { name: label, value: isolateBidi(provider.name) })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium">
          <bdi>{provider.name}</bdi>
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          <bdi dir="ltr">{provider.issuer}</bdi>
        </p>
        <ConnectionTest
          label={t('dashboardsystem:testResolver')}
          accessibleLabel={formatProviderLabel(t('dashboardsystem:testResolver'))}
          testService={() => testIdentityProvider(provider.id)}
        />
      </div>
      <div className="flex gap-2">
        <ActionButton aria-label={formatProviderLabel(t('dashboardsystem:changeText'))} onClick={onEdit}>
          {t('dashboardsystem:changeText')}
        </ActionButton>
        <ActionButton
          variant="danger"
          aria-label={formatProviderLabel(t('dashboardsystem:removeSecret'))}
          onClick={onRemove}
        >
          {t('dashboardsystem:removeSecret')}
        </ActionButton>
      </div>
    </li>
  )
}
