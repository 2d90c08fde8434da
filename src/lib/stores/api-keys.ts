/** API keys of the account. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { ignoreNotFound } from '../client/ignore-not-found.ts'
import { listActivities } from '../contract/account.ts'
import * as calls from '../contract/api-keys.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import { createReadStore, refetch } from './query.ts'
import { $user } from './session.ts'

export const $apiKeys = createReadStore(
  calls.listApiKeys,
  computed($user, (user) => user && {}),
)

const refetchApiKeys = () => refetch(calls.listApiKeys, listActivities)

/** Creates a key and returns its token, which is shown once. Throws `ApiError`. */
export async function createApiKey(apiKeyFields: BodyOf<typeof calls.createApiKey>): Promise<string> {
  const { token } = await callApi(calls.createApiKey, { body: apiKeyFields })
  refetchApiKeys()
  return token
}

/** Revokes a key. Throws `ApiError`. */
export const revokeApiKey = (keyId: string): Promise<void> =>
  ignoreNotFound(callApi(calls.revokeApiKey, { params: { id: keyId }, body: {} })).finally(refetchApiKeys)
