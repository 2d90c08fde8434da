import { atom, computed } from 'nanostores'
import { call } from '../client/call.ts'
import * as auth from '../contract/auth.ts'
import { read, refetch } from './query.ts'
import { $user } from './session.ts'

export const $usersPage = atom(1)
export const $users = read(
  auth.listUsers,
  computed([$user, $usersPage], (user, page) => (user?.role === 'admin' ? { query: { page } } : null)),
)
export const $invitations = read(
  auth.listInvitations,
  computed($user, (user) => (user?.role === 'admin' ? {} : null)),
)

/** The address to send; it is shown once. */
export async function invite(email: string): Promise<string> {
  const { url } = await call(auth.invite, { body: email ? { email } : {} })
  refetch(auth.listInvitations)
  return url
}

export async function revokeInvitation(id: string): Promise<void> {
  await call(auth.revokeInvitation, { params: { id } })
  refetch(auth.listInvitations)
}
