/** Accounts: their roles, blocks and signed-in devices. */

import { atom, computed } from 'nanostores'
import { call } from '../../client/call.ts'
import * as devices from '../../contract/admin-users.ts'
import type { Account } from '../../contract/auth.ts'
import * as auth from '../../contract/auth.ts'
import { isolate } from '../../i18n/isolate.ts'
import { read, refetch } from '../query.ts'
import { act } from './act.ts'
import { choiceOf, filtersIn, pageOf } from './view.ts'

export const ROLES = ['admin', 'user'] as const
export const $users = read(
  auth.listUsers,
  computed(filtersIn('users'), (filters) => {
    if (!filters) return null
    const role = choiceOf(filters, 'role', ROLES)
    const state = choiceOf(filters, 'state', ['active', 'blocked'])
    return {
      query: {
        page: pageOf(filters),
        ...(filters['search'] && { search: filters['search'] }),
        ...(role && { role }),
        ...(state && { blocked: state === 'blocked' }),
      },
    }
  }),
)

/** Id of the account whose devices are displayed. */
export const $devicesOf = atom<string | null>(null)
export const $userDevices = read(
  devices.listUserDevices,
  computed($devicesOf, (id) => (id === null ? null : { params: { id }, query: { limit: 100 } })),
)

export function setRole(account: Account, role: Account['role']): Promise<void> {
  const saveRole = async (value: Account['role']) => {
    await call(auth.updateUser, { body: { user_id: account.user_id, role: value } })
    refetch(auth.listUsers)
  }
  return act(
    role === 'admin' ? 'dashboardpeople:promoted' : 'dashboardpeople:demoted',
    () => saveRole(role),
    {
      values: { name: isolate(account.email) },
      undo: () => void act('dashboard:undone', () => saveRole(account.role)),
    },
  )
}

export function setBlocked(account: Account, blocked: boolean): Promise<void> {
  const saveBlocked = async (value: boolean) => {
    await call(auth.updateUser, { body: { user_id: account.user_id, blocked: value } })
    refetch(auth.listUsers)
  }
  return act(blocked ? 'dashboardpeople:blocked' : 'dashboardpeople:unblocked', () => saveBlocked(blocked), {
    values: { name: isolate(account.email) },
    undo: () => void act('dashboard:undone', () => saveBlocked(!blocked)),
  })
}

/** Deletes an account permanently; there is no Undo. */
export function deleteUser(account: Account): Promise<void> {
  return act(
    'dashboardpeople:deleted',
    async () => {
      await call(auth.deleteUser, { params: { id: account.user_id } })
      refetch(auth.listUsers)
    },
    { values: { name: isolate(account.email) } },
  )
}

export function signOutEverywhere(account: Account): Promise<void> {
  return act(
    'dashboardpeople:signedOut',
    async () => {
      await call(devices.signOutUser, { params: { id: account.user_id } })
      refetch(auth.listUsers, devices.listUserDevices)
    },
    { values: { name: isolate(account.email) } },
  )
}

export function signOutDevice(userId: string, deviceId: string): Promise<void> {
  return act('dashboardpeople:deviceSignedOut', async () => {
    await call(devices.signOutUserDevice, { params: { id: userId, device_id: deviceId } })
    refetch(auth.listUsers, devices.listUserDevices)
  })
}
