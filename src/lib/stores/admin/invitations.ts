import { computed } from 'nanostores'
import { call } from '../../client/call.ts'
import type { BodyOf, ReplyOf } from '../../contract/endpoint.ts'
import * as calls from '../../contract/invitations.ts'
import { read, refetch } from '../query.ts'
import { act } from './act.ts'
import { filtersIn, pageOf } from './view.ts'

export const $invitations = read(
  calls.listInvitations,
  computed(filtersIn('invitations'), (filters) => filters && { query: { page: pageOf(filters) } }),
)

export type Sent = ReplyOf<typeof calls.invite>

/** The address to pass on; it is told once. Throws `ApiError`; the form says why. */
export async function invite(body: BodyOf<typeof calls.invite>): Promise<Sent> {
  const sent = await call(calls.invite, { body })
  refetch(calls.listInvitations)
  return sent
}

export function revokeInvitation(id: string): Promise<void> {
  return act('dashboardpeople:revoked', async () => {
    await call(calls.revokeInvitation, { params: { id } })
    refetch(calls.listInvitations)
  })
}
