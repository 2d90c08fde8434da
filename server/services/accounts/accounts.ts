/** Builds new accounts, registers accounts by invitation, and converts accounts to their wire format. */

import type { User } from '../../../src/lib/contract/auth.ts'
import { validatePassword } from '../../../src/lib/rules/password.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { DbTransaction } from '../../db/database.ts'
import { insertAccount } from '../../queries/account.ts'
import { consumeInvitation, type InvitationRow, recordInvitedAccount } from '../../queries/invitation.ts'
import type { AccountRow } from '../../queries/login.ts'
import { hashPassword } from '../auth/password-hash.ts'
import { loadSignInMethods } from '../auth/password-sign-in.ts'
import { createRandomId } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { loadSettingValue } from '../operations/settings.ts'

/**
 * Returns the wire format of an account. The email is null when `showsEmail` is false. Callers set `showsEmail` to
 * false while the device has not proven that an adult uses the device (`isAdultProven`).
 */
export function toUser(account: AccountRow, { showsEmail } = { showsEmail: true }): User {
  return {
    user_id: account.account_id,
    email: showsEmail ? account.email : null,
    role: account.role as User['role'],
    onboarded: account.onboarded === 1,
    created_at: new Date(account.created_at).toISOString(),
    preferences: {
      interface_language: account.interface_language as User['preferences']['interface_language'],
      title_language: account.title_language,
      media_quality: account.media_quality as User['preferences']['media_quality'],
    },
  }
}

/** Throws 422 with one error code for each password rule that the password breaks. */
export function requireValidPassword(password: string, fieldName = 'password'): void {
  const errors = validatePassword(password)
  if (errors.length > 0) throw createFieldProblem(fieldName, ...errors)
}

/**
 * Throws 403 while sign-in with passwords is turned off, because nobody could sign in to a new account that has only a
 * password.
 */
export async function requirePasswordSignIn(deps: Deps): Promise<void> {
  if (!(await loadSignInMethods(deps, deps.database.primary)).acceptsPasswords)
    throw new Problem('forbidden', { errors: { password: ['off'] } })
}

interface NewAccount {
  email: string
  /** Null for an account that signs in with an identity provider. */
  password: string | null
  role?: 'admin' | 'user'
  language?: string | null
  /** Id of the account or invitation that asks for the hash of the password; absent on the command line. */
  requesterKey?: string
}

export async function buildAccount(
  deps: Deps,
  { email, password, role, language, requesterKey = 'command line' }: NewAccount,
): Promise<AccountRow> {
  if (password !== null) requireValidPassword(password)
  const { primary } = deps.database
  return {
    account_id: createRandomId(),
    email,
    password_hash: password === null ? '' : await hashPassword(deps, requesterKey, password),
    role: role ?? 'user',
    onboarded: 0,
    blocked: 0,
    interface_language: language ?? (await loadSettingValue(primary, 'default_language')),
    title_language: language ?? (await loadSettingValue(primary, 'default_title_language')),
    media_quality: await loadSettingValue(primary, 'default_media_quality'),
    exit_pin_hash: null,
    created_at: deps.now(),
  }
}

/**
 * Creates the account and consumes the invitation in one transaction, so that concurrent requests create one account
 * only. Throws 401 when the invitation was used, revoked or expired, 403 while sign-in with passwords is turned off,
 * and 409 when the email already has an account. Throws 422 when the email is not the invited email, and when the
 * password breaks the rules.
 */
export async function registerAccount(
  deps: Deps,
  _request: RequestInfo,
  invitation: InvitationRow,
  credentials: { email: string; password: string },
): Promise<AccountRow> {
  if (invitation.email && invitation.email !== credentials.email)
    throw createFieldProblem('email', 'not_invited')
  await requirePasswordSignIn(deps)
  const account = await buildInvitedAccount(deps, invitation, credentials)
  await insertInvitedAccount(deps, invitation, account)
  return account
}

/** Builds the account that an invitation offers. */
export const buildInvitedAccount = (
  deps: Deps,
  { invitation_id, role, language }: Pick<InvitationRow, 'invitation_id' | 'role' | 'language'>,
  credentials: Pick<NewAccount, 'email' | 'password'>,
): Promise<AccountRow> =>
  buildAccount(deps, {
    ...credentials,
    role: role === 'admin' ? 'admin' : 'user',
    language,
    requesterKey: invitation_id,
  })

/**
 * Stores the account of an invitation and calls `runInTransaction` in the same transaction. Throws 401 when the
 * invitation was used, revoked or expired, and 409 when the email already has an account.
 */
export async function insertInvitedAccount(
  deps: Deps,
  invitation: Pick<InvitationRow, 'invitation_id'>,
  account: AccountRow,
  runInTransaction: (trx: DbTransaction) => Promise<void> = async () => {},
): Promise<void> {
  await deps.database.primary.transaction().execute(async (trx) => {
    const isInvitationConsumed = await consumeInvitation(trx, {
      invitationId: invitation.invitation_id,
      nowMs: deps.now(),
    })
    if (!isInvitationConsumed)
      throw new Problem('unauthorized', { message: 'This invitation cannot be used.' })
    if (!(await insertAccount(trx, account))) {
      throw new Problem('conflict', { message: 'This email is taken.', errors: { email: ['taken'] } })
    }
    await recordInvitedAccount(trx, invitation.invitation_id, account.account_id)
    await runInTransaction(trx)
  })
}
