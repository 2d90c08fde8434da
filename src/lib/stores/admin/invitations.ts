import { computed } from 'nanostores'
import { call } from '../../client/call.ts'
import type { BodyOf, ReplyOf } from '../../contract/endpoint.ts'
import * as contract from '../../contract/invitations.ts'
import { read, refetch } from '../query.ts'
import { act } from './act.ts'
import { filtersIn, pageOf } from './view.ts'

export const $invitations = read(
  contract.listInvitations,
  computed(filtersIn('invitations'), (filters) => filters && { query: { page: pageOf(filters) } }),
)

export type Sent = ReplyOf<typeof contract.invite>

/** Creates an invitation. Only this reply contains its URL. Throws `ApiError`; the form displays the reason. */
export async function invite(body: BodyOf<typeof contract.invite>): Promise<Sent> {
  const created = await call(contract.invite, { body })
  refetch(contract.listInvitations)
  return created
}

export function revokeInvitation(id: string): Promise<void> {
  return act('dashboardpeople:revoked', async () => {
    await call(contract.revokeInvitation, { params: { id } })
    refetch(contract.listInvitations)
  })
}
