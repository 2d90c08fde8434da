import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { BodyOf, ReplyOf } from '../../contract/endpoint.ts'
import * as contract from '../../contract/invitations.ts'
import { createReadStore, refetch } from '../query.ts'
import { createFiltersStore, parsePaging } from './dashboard-view.ts'
import { runAdminAction } from './run-action.ts'

export const $invitations = createReadStore(
  contract.listInvitations,
  computed(createFiltersStore('invitations'), (filters) => filters && { query: parsePaging(filters) }),
)

export type CreatedInvitation = ReplyOf<typeof contract.createInvitation>

/** Creates an invitation. Only this reply contains its URL. Throws `ApiError`; the form displays the reason. */
export async function createInvitation(
  invitationFields: BodyOf<typeof contract.createInvitation>,
): Promise<CreatedInvitation> {
  const createdInvitation = await callApi(contract.createInvitation, { body: invitationFields })
  refetch(contract.listInvitations)
  return createdInvitation
}

export function revokeInvitation(id: string): Promise<void> {
  return runAdminAction('dashboardpeople:revoked', async () => {
    await callApi(contract.revokeInvitation, { params: { id } })
    refetch(contract.listInvitations)
  })
}
