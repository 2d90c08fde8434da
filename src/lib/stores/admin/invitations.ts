import { computed } from 'nanostores'
import { call } from '../../client/call.ts'
import * as auth from '../../contract/auth.ts'
import type { BodyOf, ReplyOf } from '../../contract/endpoint.ts'
import { read, refetch } from '../query.ts'
import { act } from './act.ts'
import { filtersIn, pageOf } from './view.ts'

export const $invitations = read(
  auth.listInvitations,
  computed(filtersIn('invitations'), (filters) => filters && { query: { page: pageOf(filters) } }),
)

export type Sent = ReplyOf<typeof auth.invite>

/** The address to pass on; it is told once. Throws `ApiError`; the form says why. */
export async function invite(body: BodyOf<typeof auth.invite>): Promise<Sent> {
  const sent = await call(auth.invite, { body })
  refetch(auth.listInvitations)
  return sent
}

export function revokeInvitation(id: string): Promise<void> {
  return act('dashboardpeople:revoked', async () => {
    await call(auth.revokeInvitation, { params: { id } })
    refetch(auth.listInvitations)
  })
}
