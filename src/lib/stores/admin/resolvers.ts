/** Stream resolvers in the dashboard. */
import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { StreamResolver } from '../../contract/admin-resolvers.ts'
import * as resolvers from '../../contract/admin-resolvers.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { writeOptimistically } from '../optimistic-writes.ts'
import { createReadStore } from '../query.ts'
import { $dashboardView } from './dashboard-view.ts'
import type { ListChange } from './list-changes.ts'
import { submitAdminForm } from './run-action.ts'

export const $resolvers = createReadStore(
  resolvers.listResolvers,
  computed($dashboardView, ({ section }) => (section === 'settings' ? {} : null)),
)

type ResolverFields = BodyOf<typeof resolvers.changeResolvers>['resolvers'][number]

/** Converts a resolver from the list to the format of the request that replaces all resolvers. */
const toResolverFields = ({ id, media_origins, public_hosts }: StreamResolver): ResolverFields => ({
  id,
  media_origins,
  public_hosts,
})
/**
 * Applies a change to the resolvers that were added in the dashboard. A resolver from an environment variable stays
 * unchanged and comes first.
 */
const changeStoredResolvers = (
  listedResolvers: readonly StreamResolver[],
  change: ListChange<StreamResolver>,
): StreamResolver[] => [
  ...listedResolvers.filter(({ variable }) => variable !== null),
  ...change(listedResolvers.filter(({ variable }) => variable === null)),
]

/**
 * Applies `change` to the resolvers that were added in the dashboard, and displays the result immediately. Also adds
 * `newResolver`, which is displayed after the reply. Several changes are sent one after another, each with the version
 * of the list from the reply to the previous change. Returns the key of a failure message, or null.
 */
export const saveResolvers = (
  change: ListChange<StreamResolver>,
  newResolver?: ResolverFields,
): Promise<TranslationKey | null> =>
  submitAdminForm('dashboardsystem:saved', () =>
    writeOptimistically($resolvers, {
      applyChange: (data) => ({ ...data, results: changeStoredResolvers(data.results, change) }),
      send: (serverData) => {
        const { results = [], version = '' } = serverData ?? {}
        const storedResolvers = change(results.filter(({ variable }) => variable === null))
        return callApi(resolvers.changeResolvers, {
          body: {
            version,
            resolvers: [...storedResolvers.map(toResolverFields), ...(newResolver ? [newResolver] : [])],
          },
        })
      },
    }),
  )

/** Sends a test request to a resolver. Throws `ApiError`. */
export const testResolver = (id: string) => callApi(resolvers.testResolver, { params: { id } })
