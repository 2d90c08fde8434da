/** Stream resolvers in the dashboard. */
import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { StreamResolver } from '../../contract/admin-resolvers.ts'
import * as resolvers from '../../contract/admin-resolvers.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { createReadStore, refetch } from '../query.ts'
import { $dashboardView } from './dashboard-view.ts'
import { submitAdminForm } from './run-action.ts'

export const $resolvers = createReadStore(
  resolvers.listResolvers,
  computed($dashboardView, ({ section }) => (section === 'settings' ? {} : null)),
)

export type ResolverChange = BodyOf<typeof resolvers.changeResolvers>['resolvers'][number]

/** Returns an unchanged resolver in the format of the request that replaces all resolvers. */
export const toResolverChange = ({ id, media_origins, public_hosts }: StreamResolver): ResolverChange => ({
  id,
  media_origins,
  public_hosts,
})

/**
 * Replaces the resolvers of the dashboard if the list still has the version from which `changes` derives. Returns the
 * key of a failure message, or null. After success and failure, the list is refetched.
 */
export function saveResolvers(changes: ResolverChange[], version: string): Promise<TranslationKey | null> {
  return submitAdminForm('dashboardsystem:saved', async () => {
    try {
      $resolvers.mutate(await callApi(resolvers.changeResolvers, { body: { version, resolvers: changes } }))
    } finally {
      refetch(resolvers.listResolvers)
    }
  })
}

/** Sends a test request to a resolver. Throws `ApiError`. */
export const testResolver = (id: string) => callApi(resolvers.testResolver, { params: { id } })
