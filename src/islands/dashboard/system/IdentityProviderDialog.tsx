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
import { ActionButton } from '../kit/ActionButton.tsx'
import { DialogActions } from '../kit/DialogActions.tsx'

interface Props {
  /** Null for a new provider. */
  provider: IdentityProviderEntry | null
  redirectUriTemplate: string
  /** Resolves with the key of an error message, or with null on success. */
  onSave: (change: IdentityProviderChange) => Promise<TranslationKey | null>
  onClose: () => void
}

const parseList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/**
 * Form of an identity provider. The id of a saved provider cannot change, because the redirect URI contains
 * it.
 */
export function IdentityProviderDialog({ provider, redirectUriTemplate, onSave, onClose }: Props) {
  const [id, setId] = useState(provider?.id ?? '')
  const [registration, setRegistration] = useState(provider?.registration ?? 'invitation')
  const [isLocal, setIsLocal] = useState(provider?.local_network ?? false)
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const read = (name: string) => String(form.get(name) ?? '').trim()
    const secret = read('client_secret')
    const failureKey = await onSave({
      id,
      name: read('name'),
      issuer: read('issuer'),
      client_id: read('client_id'),
      ...(secret && { client_secret: secret }),
      registration,
      email_domains: parseList(read('email_domains')),
      group_claim: read('group_claim'),
      admin_groups: parseList(read('admin_groups')),
      user_groups: parseList(read('user_groups')),
      local_network: isLocal,
    })
    setErrorKey(failureKey)
    if (!failureKey) onClose()
  }
  const text = (name: keyof IdentityProviderEntry) => ({
    name,
    defaultValue: provider?.[name]?.toString() ?? '',
  })
  const hint = (key: TranslationKey) => <p className="text-sm text-muted">{t(key)}</p>
  return (
    <Dialog
      isWide
      title={provider ? isolateBidi(provider.name) : t('dashboardsystem:addProvider')}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field
          label={t('dashboardsystem:providerName')}
          {...text('name')}
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
            hint={hint('dashboardsystem:providerIdHint')}
          />
        )}
        <Field
          label={t('dashboardsystem:redirectUri')}
          value={redirectUriTemplate.replace('{id}', id || '…')}
          readOnly
          dir="ltr"
          onFocus={(event) => event.target.select()}
          hint={hint('dashboardsystem:redirectUriHint')}
        />
        <Field
          label={t('dashboardsystem:issuer')}
          {...text('issuer')}
          required
          dir="ltr"
          inputMode="url"
          maxLength={300}
          autoComplete="off"
          hint={hint('dashboardsystem:issuerHint')}
        />
        <Switch
          label={t('dashboardsystem:localNetwork')}
          hint={t('dashboardsystem:localNetworkHint')}
          checked={isLocal}
          onChange={setIsLocal}
        />
        <Field
          label={t('dashboardsystem:clientId')}
          {...text('client_id')}
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
          hint={hint(
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
            {...text('email_domains')}
            dir="ltr"
            hint={hint('dashboardsystem:emailDomainsHint')}
          />
        )}
        <Field
          label={t('dashboardsystem:groupClaim')}
          name="group_claim"
          defaultValue={provider?.group_claim ?? 'groups'}
          dir="ltr"
          maxLength={100}
          hint={hint('dashboardsystem:groupClaimHint')}
        />
        <Field
          label={t('dashboardsystem:adminGroups')}
          {...text('admin_groups')}
          dir="ltr"
          hint={hint('dashboardsystem:adminGroupsHint')}
        />
        <Field
          label={t('dashboardsystem:userGroups')}
          {...text('user_groups')}
          dir="ltr"
          hint={hint('dashboardsystem:userGroupsHint')}
        />
        {errorKey && (
          <p role="alert" className="text-sm text-danger">
            {t(errorKey)}
          </p>
        )}
        <DialogActions>
          <ActionButton onClick={onClose}>{t('common:cancel')}</ActionButton>
          <ActionButton variant="primary" type="submit">
            {t('common:save')}
          </ActionButton>
        </DialogActions>
      </form>
    </Dialog>
  )
}
