/** The identities that are linked to the account. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { ignoreNotFound } from '../client/ignore-not-found.ts'
import { listActivities } from '../contract/account.ts'
import * as calls from '../contract/identities.ts'
import { getCurrentLocale } from '../i18n/t.ts'
import type { ProviderResponse } from './provider-sign-in.ts'
import { createReadStore, refetch } from './query.ts'
import { $user } from './session.ts'

export const $identities = createReadStore(
  calls.listIdentities,
  computed($user, (user) => user && {}),
)

const refetchIdentities = () => refetch(calls.listIdentities, listActivities)

/**
 * Opens the sign-in page of a provider. The provider then redirects to the account page. An account with a password
 * needs `password`. Throws `ApiError`.
 */
export async function openProviderForLink(providerId: string, password?: string): Promise<void> {
  const linkBody = { locale: getCurrentLocale(), ...(password !== undefined && { password }) }
  const { url } = await callApi(calls.startIdentityLink, { params: { id: providerId }, body: linkBody })
  location.assign(url)
}

/** Links the identity in the response of a provider. Throws `ApiError`; its field `provider` contains the reason. */
export async function linkIdentity({ providerId, response }: ProviderResponse): Promise<void> {
  await callApi(calls.linkIdentity, { body: { provider_id: providerId, response } })
  refetchIdentities()
}

/** Unlinks an identity. Throws `ApiError`, with status 409 when the identity is the last way to sign in. */
export const unlinkIdentity = (identityId: string): Promise<void> =>
  ignoreNotFound(callApi(calls.unlinkIdentity, { params: { id: identityId }, body: {} })).finally(
    refetchIdentities,
  )
