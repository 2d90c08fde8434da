/** Creates, changes and deletes accounts. The last administrator cannot be deleted, blocked or given the role user. */
import type { AccountSummary } from '../../../src/lib/contract/admin-users.ts'
import type { User } from '../../../src/lib/contract/auth.ts'
import { Problem } from '../../core/problem.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { countAdmins, insertAccount, selectAccountById, updateAccount } from '../../queries/account.ts'
import { selectAccountsForAdmin } from '../../queries/admin-account.ts'
import { deleteApiKeys } from '../../queries/api-key.ts'
import { revokeInvitationsOfCreator } from '../../queries/invitation.ts'
import { type AccountRow, deleteLoginsOfAccount, lockLoginRows, lockLogins } from '../../queries/login.ts'
import { canAdminister } from '../auth/authorize.ts'
import { endPendingLinks } from '../auth/pending-links.ts'
import type { RequestContext } from '../context.ts'
import { lockActiveCaller, recordCallerAction, recordLockedCallerAction } from '../operations/audit.ts'
import { buildAccount, requirePasswordSignIn, toUser } from './accounts.ts'
import { eraseAccountRows, finishErasure } from './erasure.ts'

export async function listUsers(
  { deps }: Pick<RequestContext, 'deps'>,
  query: Parameters<typeof selectAccountsForAdmin>[1],
) {
  const { rows, total } = await selectAccountsForAdmin(deps.database.primary, query, deps.now())
  const accountSummaries = rows.map(
    (row): AccountSummary => ({
      ...toUser(row),
      email: row.email,
      blocked: row.blocked === 1,
      profiles: Number(row.profiles),
      devices: Number(row.devices),
      last_active: row.last_active ? new Date(Number(row.last_active)).toISOString() : null,
    }),
  )
  return {
    page: query.page,
    limit: query.limit,
    total_results: total,
    total_pages: Math.ceil(total / query.limit),
    results: accountSummaries,
  }
}

interface NewUser {
  email: string
  password: string
  role?: 'admin' | 'user' | undefined
  language?: string | undefined
}

/**
 * Creates an account with a password. Throws 403 while sign-in with passwords is turned off, 409 when the email already
 * has an account, and 422 when the password breaks the rules.
 */
export async function createUser(context: RequestContext, input: NewUser): Promise<User> {
  await requirePasswordSignIn(context.deps)
  const account = await buildAccount(context.deps, {
    email: input.email,
    password: input.password,
    ...(input.role && { role: input.role }),
    language: input.language ?? null,
    requesterKey: context.caller.account.account_id,
  })
  await context.deps.database.primary.transaction().execute(async (trx) => {
    if (!(await insertAccount(trx, account))) throw new Problem('conflict', { errors: { email: ['taken'] } })
    await recordCallerAction(trx, context, { action: 'user_create', targetAccountId: account.account_id })
  })
  return toUser(account)
}

interface UserChange {
  onboarded?: boolean | undefined
  preferences?: { [K in keyof User['preferences']]?: User['preferences'][K] | undefined } | undefined
  user_id?: string | undefined
  role?: 'admin' | 'user' | undefined
  blocked?: boolean | undefined
}

/**
 * Changes an account. Callers may change their own preferences. Only administrators may change the role of an account,
 * block an account, or change another account; other callers get 403. Throws 404 for an unknown account. Throws 409
 * when no administrator would remain, or all remaining administrators would be blocked.
 */
export async function editUser(context: RequestContext, change: UserChange): Promise<User> {
  const { deps, caller } = context
  const isAdministratorChange =
    change.user_id !== undefined || change.role !== undefined || change.blocked !== undefined
  if (isAdministratorChange && !canAdminister(caller)) throw new Problem('forbidden')
  const accountId = change.user_id ?? caller.account.account_id
  return deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    if (change.blocked) await lockLogins(trx, accountId)
    const account = await selectAccountById(trx, accountId)
    if (!account) throw new Problem('not_found')
    const changedColumns = toChangedColumns(change)
    await updateAccount(trx, accountId, changedColumns)
    if ((await countAdmins(trx)) === 0) throw createLastAdminProblem()
    await lockActiveCaller(trx, caller)
    if (change.blocked || change.role === 'user') await revokeInvitationsOfCreator(trx, accountId, deps.now())
    if (change.blocked) {
      await deleteLoginsOfAccount(trx, accountId)
      await endPendingLinks(trx, accountId)
    }
    for (const action of listAuditActions(change, accountId === caller.account.account_id))
      await recordLockedCallerAction(trx, context, { action, targetAccountId: accountId })
    return toUser({ ...account, ...changedColumns })
  })
}

/**
 * Returns one action of the audit log for each kind of change. A change of the caller's own preferences is not
 * recorded.
 */
function listAuditActions(
  { role, blocked, onboarded, preferences }: UserChange,
  isOwnAccount: boolean,
): string[] {
  const hasOtherChange = onboarded !== undefined || preferences !== undefined
  return [
    ...(role === undefined ? [] : ['user_role']),
    ...(blocked === undefined ? [] : ['user_block']),
    ...(isOwnAccount || !hasOtherChange ? [] : ['user_preferences']),
  ]
}

function toChangedColumns({ onboarded, preferences, role, blocked }: UserChange): Partial<AccountRow> {
  return {
    ...(onboarded !== undefined && { onboarded: onboarded ? 1 : 0 }),
    ...(preferences?.interface_language && { interface_language: preferences.interface_language }),
    ...(preferences?.title_language && { title_language: preferences.title_language }),
    ...(preferences?.media_quality && { media_quality: preferences.media_quality }),
    ...(role && { role }),
    ...(blocked !== undefined && { blocked: blocked ? 1 : 0 }),
  }
}

const createLastAdminProblem = () =>
  new Problem('conflict', {
    message: 'The last administrator cannot be removed.',
    errors: { role: ['last_admin'] },
  })

export async function deleteUser(context: RequestContext, accountId: string): Promise<void> {
  const { deps } = context
  const erasedAccount = await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    await lockLogins(trx, accountId)
    await lockActiveCaller(trx, context.caller)
    await lockLoginRows(trx, accountId)
    await recordLockedCallerAction(trx, context, { action: 'user_delete', targetAccountId: accountId })
    const account = await eraseAccountRows(trx, deps, accountId)
    if (!account) throw new Problem('not_found')
    if ((await countAdmins(trx)) === 0) throw createLastAdminProblem()
    return account
  })
  await finishErasure(deps, erasedAccount)
}

/**
 * Deletes the caller's account. Only a pseudonym remains in the audit log. Throws 409 if the account is the last
 * administrator.
 */
export async function deleteOwnAccount(context: RequestContext): Promise<void> {
  const { deps, caller } = context
  const { account_id, role } = caller.account
  const erasedAccount = await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    await lockLogins(trx, account_id)
    await lockActiveCaller(trx, caller)
    await lockLoginRows(trx, account_id)
    await recordLockedCallerAction(trx, context, { action: 'account_delete' })
    const account = await eraseAccountRows(trx, deps, account_id)
    if (role === 'admin' && (await countAdmins(trx)) === 0) throw createLastAdminProblem()
    return account
  })
  if (erasedAccount) await finishErasure(deps, erasedAccount)
}

export async function signOutUser(context: RequestContext, accountId: string): Promise<void> {
  await context.deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    await lockLogins(trx, accountId)
    if (!(await selectAccountById(trx, accountId))) throw new Problem('not_found')
    await lockActiveCaller(trx, context.caller)
    await deleteLoginsOfAccount(trx, accountId)
    await deleteApiKeys(trx, accountId)
    await endPendingLinks(trx, accountId)
    await recordLockedCallerAction(trx, context, { action: 'user_sign_out', targetAccountId: accountId })
  })
}
