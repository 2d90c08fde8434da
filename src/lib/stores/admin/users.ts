/** Accounts: their roles, blocks and signed-in devices. */

import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { AccountSummary } from '../../contract/admin-users.ts'
import * as userCalls from '../../contract/admin-users.ts'
import * as auth from '../../contract/auth.ts'
import { changeUserEmail as changeUserEmailCall } from '../../contract/email-change.ts'
import type { BodyOf, ReplyOf } from '../../contract/endpoint.ts'
import { isolateBidi } from '../../i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { perProfile } from '../per-profile.ts'
import { createReadStore, refetch } from '../query.ts'
import { createFiltersStore, parseFilterChoice, parsePaging } from './dashboard-view.ts'
import { runAdminAction, submitAdminForm } from './run-action.ts'

export type PasswordResetLink = ReplyOf<typeof userCalls.createPasswordResetLink>

export const ACCOUNT_ROLES: readonly auth.AccountRole[] = ['admin', 'user']
export const $users = createReadStore(
  userCalls.listUsers,
  computed(createFiltersStore('users'), (filters) => {
    if (!filters) return null
    const role = parseFilterChoice(filters, 'role', ACCOUNT_ROLES)
    const state = parseFilterChoice(filters, 'state', ['active', 'blocked'])
    return {
      query: {
        ...parsePaging(filters),
        ...(filters['search'] && { search: filters['search'] }),
        ...(role && { role }),
        ...(state && { blocked: state === 'blocked' }),
      },
    }
  }),
)

/** Id of the account whose devices are displayed. */
export const $deviceListUserId = perProfile<string | null>(() => null)
export const $userDevices = createReadStore(
  userCalls.listUserDevices,
  computed($deviceListUserId, (userId) =>
    userId === null ? null : { params: { id: userId }, query: { limit: 100 } },
  ),
)

export function setUserRole(account: AccountSummary, role: AccountSummary['role']): Promise<void> {
  const saveRole = async (newRole: AccountSummary['role']) => {
    await callApi(auth.updateUser, { body: { user_id: account.user_id, role: newRole } })
    refetch(userCalls.listUsers)
  }
  return runAdminAction(
    role === 'admin' ? 'dashboardpeople:promoted' : 'dashboardpeople:demoted',
    () => saveRole(role),
    {
      values: { name: isolateBidi(account.email) },
      undo: () => void runAdminAction('dashboard:undone', () => saveRole(account.role)),
    },
  )
}

export function setUserBlocked(account: AccountSummary, isBlocked: boolean): Promise<void> {
  const saveUserBlocked = async (shouldBlock: boolean) => {
    await callApi(auth.updateUser, { body: { user_id: account.user_id, blocked: shouldBlock } })
    refetch(userCalls.listUsers)
  }
  return runAdminAction(
    isBlocked ? 'dashboardpeople:blocked' : 'dashboardpeople:unblocked',
    () => saveUserBlocked(isBlocked),
    {
      values: { name: isolateBidi(account.email) },
      undo: () => void runAdminAction('dashboard:undone', () => saveUserBlocked(!isBlocked)),
    },
  )
}

/**
 * Creates a link with which the owner sets a new password. The server returns the link only once. Throws `ApiError`.
 */
export const createPasswordResetLink = (account: AccountSummary): Promise<PasswordResetLink> =>
  callApi(userCalls.createPasswordResetLink, { params: { id: account.user_id } })

/** Creates an account with a password. Returns the key of a failure message, or null. */
export function createUser(
  accountFields: BodyOf<typeof userCalls.createUser>,
): Promise<TranslationKey | null> {
  return submitAdminForm(
    'dashboardpeople:created',
    async () => {
      await callApi(userCalls.createUser, { body: accountFields })
      refetch(userCalls.listUsers)
    },
    { values: { name: isolateBidi(accountFields.email) } },
  )
}

/** Changes the email address of an account. Returns the key of a failure message, or null. */
export function changeUserEmail(account: AccountSummary, email: string): Promise<TranslationKey | null> {
  return submitAdminForm('dashboardpeople:emailChanged', async () => {
    await callApi(changeUserEmailCall, { params: { id: account.user_id }, body: { email } })
    refetch(userCalls.listUsers)
  })
}

/** Removes the second factor of an account whose owner has lost it. */
export function resetSecondFactor(account: AccountSummary): Promise<void> {
  return runAdminAction(
    'dashboardpeople:secondFactorReset',
    async () => {
      await callApi(userCalls.resetSecondFactor, { params: { id: account.user_id } })
      refetch(userCalls.listUsers, userCalls.listUserDevices)
    },
    { values: { name: isolateBidi(account.email) } },
  )
}

/** Deletes an account permanently; there is no Undo. */
export function deleteUser(account: AccountSummary): Promise<void> {
  return runAdminAction(
    'dashboardpeople:deleted',
    async () => {
      await callApi(userCalls.deleteUser, { params: { id: account.user_id } })
      refetch(userCalls.listUsers)
    },
    { values: { name: isolateBidi(account.email) } },
  )
}

export function signOutAllDevices(account: AccountSummary): Promise<void> {
  return runAdminAction(
    'dashboardpeople:signedOut',
    async () => {
      await callApi(userCalls.signOutUser, { params: { id: account.user_id } })
      refetch(userCalls.listUsers, userCalls.listUserDevices)
    },
    { values: { name: isolateBidi(account.email) } },
  )
}

export function signOutDeviceOfUser(userId: string, deviceId: string): Promise<void> {
  return runAdminAction('dashboardpeople:deviceSignedOut', async () => {
    await callApi(userCalls.signOutUserDevice, { params: { id: userId, device_id: deviceId } })
    refetch(userCalls.listUsers, userCalls.listUserDevices)
  })
}
