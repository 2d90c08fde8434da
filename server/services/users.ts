/** Creates, changes and deletes accounts. The last administrator can neither be deleted nor lose the role. */
import type { Account, User } from '../../src/lib/contract/auth.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { Db } from '../db/open.ts'
import { Problem } from '../problem.ts'
import { accountById, countAdmins, deleteAccount, insertAccount, updateAccount } from '../queries/account.ts'
import { forgetAccount } from '../queries/audit.ts'
import { type AccountRow, deleteLogins } from '../queries/login.ts'
import { listAccounts } from '../queries/user.ts'
import { newAccount, userOf } from './accounts.ts'
import { audit } from './audit.ts'
import { provePassword } from './auth.ts'
import type { RequestContext } from './context.ts'
import { requireAdult } from './profiles.ts'

export async function list(
  { deps }: Pick<RequestContext, 'deps'>,
  query: Parameters<typeof listAccounts>[1],
) {
  const { rows, total } = await listAccounts(deps.database.primary, query)
  const results = rows.map(
    (row): Account => ({
      ...userOf(row),
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
    results,
  }
}

interface NewUser {
  email: string
  password: string
  role?: 'admin' | 'user' | undefined
  language?: string | undefined
}

export async function create(context: RequestContext, input: NewUser): Promise<User> {
  const account = await newAccount(context.deps, {
    email: input.email,
    password: input.password,
    ...(input.role && { role: input.role }),
    language: input.language ?? null,
  })
  await context.deps.database.primary.transaction().execute(async (trx) => {
    if (!(await insertAccount(trx, account))) throw new Problem('conflict', { errors: { email: ['taken'] } })
    await recordUserAudit(trx, context, 'user_create', account.account_id)
  })
  return userOf(account)
}

interface UserChange {
  onboarded?: boolean | undefined
  preferences?: { [K in keyof User['preferences']]?: User['preferences'][K] | undefined } | undefined
  user_id?: string | undefined
  role?: 'admin' | 'user' | undefined
  blocked?: boolean | undefined
}

/** Changes an account. Callers change their own preferences; only administrators change role or block of an account. Throws 403, 404 or 409. */
export async function update(context: RequestContext, change: UserChange): Promise<User> {
  const { deps, caller } = context
  const isPrivileged =
    change.user_id !== undefined || change.role !== undefined || change.blocked !== undefined
  if (isPrivileged) requireAdmin(context)
  const accountId = change.user_id ?? caller.account.account_id
  return deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    const account = await accountById(trx, accountId)
    if (!account) throw new Problem('not_found')
    const columns = toColumns(change)
    await updateAccount(trx, accountId, columns)
    if ((await countAdmins(trx)) === 0) throw lastAdminProblem()
    if (change.blocked) await deleteLogins(trx, accountId)
    if (isPrivileged)
      await recordUserAudit(
        trx,
        context,
        change.blocked === undefined ? 'user_role' : 'user_block',
        accountId,
      )
    return userOf({ ...account, ...columns })
  })
}

function toColumns({ onboarded, preferences, role, blocked }: UserChange): Partial<AccountRow> {
  return {
    ...(onboarded !== undefined && { onboarded: onboarded ? 1 : 0 }),
    ...(preferences?.interface_language && { interface_language: preferences.interface_language }),
    ...(preferences?.title_language && { title_language: preferences.title_language }),
    ...(preferences?.media_quality && { media_quality: preferences.media_quality }),
    ...(role && { role }),
    ...(blocked !== undefined && { blocked: blocked ? 1 : 0 }),
  }
}

function requireAdmin({ caller: { account, acting, profiles } }: RequestContext): void {
  const main = profiles.find((profile) => profile.main)
  const isMainEnterable = acting ? acting.main === 1 : (main?.enterable ?? true)
  if (account.role !== 'admin' || !isMainEnterable) throw new Problem('forbidden')
}

const lastAdminProblem = () =>
  new Problem('conflict', {
    message: 'The last administrator cannot be removed.',
    errors: { role: ['last_admin'] },
  })

export async function remove(context: RequestContext, accountId: string): Promise<void> {
  await context.deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    await recordUserAudit(trx, context, 'user_delete', accountId)
    await forgetAccount(trx, accountId)
    if (!(await deleteAccount(trx, accountId))) throw new Problem('not_found')
    if ((await countAdmins(trx)) === 0) throw lastAdminProblem()
  })
}

/** Deletes the caller's account after checking the password. Only a pseudonym remains in the audit log. Throws 403 or 409. */
export async function removeOwn(context: RequestContext, password: string): Promise<void> {
  await requireAdult(context, password)
  const { deps, caller } = context
  await provePassword(deps, caller.account, password)
  const { account_id, role } = caller.account
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    await audit(
      trx,
      { now: deps.now(), request: context.request },
      { action: 'account_delete', accountId: account_id },
    )
    await forgetAccount(trx, account_id)
    await deleteAccount(trx, account_id)
    if (role === 'admin' && (await countAdmins(trx)) === 0) throw lastAdminProblem()
  })
}

export async function signOut(context: RequestContext, accountId: string): Promise<void> {
  await context.deps.database.primary.transaction().execute(async (trx) => {
    if (!(await accountById(trx, accountId))) throw new Problem('not_found')
    await deleteLogins(trx, accountId)
    await recordUserAudit(trx, context, 'user_sign_out', accountId)
  })
}

function recordUserAudit(
  trx: Db,
  { deps, caller, request }: RequestContext,
  action: string,
  target: string | null,
): Promise<void> {
  const { account, login } = caller
  return audit(
    trx,
    { now: deps.now(), request },
    {
      action,
      target,
      accountId: account.account_id,
      sid: login.sid,
      deviceName: login.device_name,
    },
  )
}
