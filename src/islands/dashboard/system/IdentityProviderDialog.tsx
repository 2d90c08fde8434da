import { type FormEvent, useState } from 'react'
import {
  type IdentityProviderEntry,
  REGISTRATION_MODES,
} from '../../../lib/contract/admin-identity-providers.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { IdentityProviderChange } from '../../../lib/stores/admin/identity-providers.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { FormActions } from '../kit/FormActions.tsx'

interface Props {
  /** Null for a new provider. */
  provider: IdentityProviderEntry | null
  redirectUriTemplate: string
  /** Resolves with the key of an error message, or with null on success. */
  onSave: (change: IdentityProviderChange) => Promise<TranslationKey | null>
  onClose: () => void
}

const parseCommaSeparated = (text: string) =>
  text
    .split(',')
    .map((listItem) => listItem.trim())
    .filter(Boolean)

/**
 * Form of an identity provider. The id of a saved provider cannot change, because the redirect URI contains
 * it.
 */
export function IdentityProviderDialog({ provider, redirectUriTemplate, onSave, onClose }: Props) {
  const [id, setId] = useState(provider?.id ?? '')
  const [registration, setRegistration] = useState(provider?.registration ?? 'invitation')
  const [isLocalNetworkAllowed, setIsLocalNetworkAllowed] = useState(provider?.local_network ?? false)
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [isSubmitting, runAction] = useAction()
  const submitForm = async (form: FormData) => {
    const readField = (name: string) => String(form.get(name) ?? '').trim()
    const clientSecret = readField('client_secret')
    const failureKey = await onSave({
      id,
      name: readField('name'),
      issuer: readField('issuer'),
      client_id: readField('client_id'),
      ...(clientSecret && { client_secret: clientSecret }),
      registration,
      // The field for domains is rendered only for automatic registration. Without the field, the saved domains stay.
      email_domains: form.has('email_domains')
        ? parseCommaSeparated(readField('email_domains'))
        : (provider?.email_domains ?? []),
      group_claim: readField('group_claim'),
      admin_groups: parseCommaSeparated(readField('admin_groups')),
      user_groups: parseCommaSeparated(readField('user_groups')),
      local_network: isLocalNetworkAllowed,
    })
    setErrorKey(failureKey)
    if (!failureKey) onClose()
  }
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void runAction(() => submitForm(form))
  }
  const getFieldProps = (name: keyof IdentityProviderEntry) => ({
    name,
    defaultValue: provider?.[name]?.toString() ?? '',
  })
  const renderHint = (key: TranslationKey) => <p className="text-sm text-muted">{t(key)}</p>
  return (
    <Dialog
      isWide
      title={provider ? isolateBidi(provider.name) : t('dashboardsystem:addProvider')}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <form onSubmit={handleSubmit} className="flex flex-col gap-5">
        <Field
          label={t('dashboardsystem:providerName')}
          {...getFieldProps('name')}
          required
          maxLength={60}
          data-first
        />
        {!provider && (
          <Field
            label={t('dashboardsystem:providerId')}
            value={id}
            required
            dir="ltr"
            maxLength={32}
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            autoComplete="off"
            onChange={(event) => setId(event.target.value.toLowerCase())}
            hint={renderHint('dashboardsystem:providerIdHint')}
          />
        )}
        <Field
          label={t('dashboardsystem:redirectUri')}
          value={redirectUriTemplate.replace('{id}', id || '…')}
          readOnly
          dir="ltr"
          onFocus={(event) => event.target.select()}
          hint={renderHint('dashboardsystem:redirectUriHint')}
        />
        <Field
          label={t('dashboardsystem:issuer')}
          {...getFieldProps('issuer')}
          required
          dir="ltr"
          inputMode="url"
          maxLength={300}
          autoComplete="off"
          hint={renderHint('dashboardsystem:issuerHint')}
        />
        <Switch
          label={t('dashboardsystem:localNetwork')}
          hint={t('dashboardsystem:localNetworkHint')}
          checked={isLocalNetworkAllowed}
          onChange={setIsLocalNetworkAllowed}
        />
        <Field
          label={t('dashboardsystem:clientId')}
          {...getFieldProps('client_id')}
          required
          dir="ltr"
          maxLength={200}
          autoComplete="off"
        />
        <Field
          label={t('dashboardsystem:clientSecret')}
          name="client_secret"
          type="password"
          dir="ltr"
          maxLength={500}
          autoComplete="new-password"
          hint={renderHint(
            provider?.has_secret ? 'dashboardsystem:clientSecretKept' : 'dashboardsystem:clientSecretHint',
          )}
        />
        <Select
          label={t('dashboardsystem:registration')}
          value={registration}
          options={REGISTRATION_MODES.map((value) => ({
            value,
            label: t(`dashboardsystem:registration_${value}`),
          }))}
          onChange={setRegistration}
        />
        {registration === 'automatic' && (
          <Field
            label={t('dashboardsystem:emailDomains')}
            {...getFieldProps('email_domains')}
            dir="ltr"
            hint={renderHint('dashboardsystem:emailDomainsHint')}
          />
        )}
        <Field
          label={t('dashboardsystem:groupClaim')}
          name="group_claim"
          defaultValue={provider?.group_claim ?? 'groups'}
          dir="ltr"
          maxLength={100}
          hint={renderHint('dashboardsystem:groupClaimHint')}
        />
        <Field
          label={t('dashboardsystem:adminGroups')}
          {...getFieldProps('admin_groups')}
          dir="ltr"
          hint={renderHint('dashboardsystem:adminGroupsHint')}
        />
        <Field
          label={t('dashboardsystem:userGroups')}
          {...getFieldProps('user_groups')}
          dir="ltr"
          hint={renderHint('dashboardsystem:userGroupsHint')}
        />
        <FormActions
          errorKey={errorKey}
          isSubmitting={isSubmitting}
          submitLabel={t('common:save')}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
