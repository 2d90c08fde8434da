/** Identity providers in the dashboard. */
import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { IdentityProviderEntry } from '../../contract/admin-identity-providers.ts'
import * as providers from '../../contract/admin-identity-providers.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { createReadStore, refetch } from '../query.ts'
import { $dashboardView } from './dashboard-view.ts'
import { submitAdminForm } from './run-action.ts'

export const $identityProviders = createReadStore(
  providers.listIdentityProviders,
  computed($dashboardView, ({ section }) => (section === 'settings' ? {} : null)),
)

export type IdentityProviderChange = BodyOf<typeof providers.changeIdentityProviders>['providers'][number]

/** Converts a provider from the list to the format of the request that replaces all providers. */
export function toIdentityProviderChange(provider: IdentityProviderEntry): IdentityProviderChange {
  const { has_secret: _hasSecret, redirect_uri: _redirectUri, ...change } = provider
  return change
}

/**
 * Replaces all providers with `changes` if the list on the server still has `version`. Returns the key of a failure
 * message, or null. Refetches the list after a success and after a failure.
 */
export function saveIdentityProviders(
  changes: IdentityProviderChange[],
  version: string,
): Promise<TranslationKey | null> {
  return submitAdminForm('dashboardsystem:saved', async () => {
    try {
      $identityProviders.mutate(
        await callApi(providers.changeIdentityProviders, { body: { version, providers: changes } }),
      )
    } finally {
      refetch(providers.listIdentityProviders)
    }
  })
}

/** State of an open identity provider form: the edited provider and the version of the list. */
export interface IdentityProviderForm {
  /** Null for a new provider. */
  provider: IdentityProviderEntry | null
  /** Version of the list when the form was opened. */
  version: string
}

/**
 * Adds the provider of a form, or changes it. A provider is not changed if the list has a new version since the form
 * was opened. The form does not display the changes of other administrators, and would otherwise revert them. Returns
 * the key of a failure message, or null.
 */
export async function saveIdentityProvider(
  form: IdentityProviderForm,
  change: IdentityProviderChange,
): Promise<TranslationKey | null> {
  const { results = [], version = '' } = $identityProviders.get().data ?? {}
  const savedProviders = results.map(toIdentityProviderChange)
  const isSaved = savedProviders.some(({ id }) => id === change.id)
  if (!form.provider)
    return isSaved
      ? 'dashboardsystem:providerIdTaken'
      : saveIdentityProviders([...savedProviders, change], version)
  if (!isSaved) return 'errors:gone'
  return saveIdentityProviders(
    savedProviders.map((savedProvider) => (savedProvider.id === change.id ? change : savedProvider)),
    form.version,
  )
}

/** Lets the server read the configuration of a provider. Returns the result. Throws `ApiError`. */
export const testIdentityProvider = (id: string) =>
  callApi(providers.testIdentityProvider, { params: { id } })
