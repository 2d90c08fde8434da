/** Sets a new password with a link from an email or from an administrator (security.md, decision 13). */

import { toErrorFields } from '../../core/log.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { deleteFirstSignInFile } from '../../providers/first-sign-in.ts'
import { selectAccountByEmail, selectAccountById, updateAccount } from '../../queries/account.ts'
import { deleteApiKeys } from '../../queries/api-key.ts'
import { type AccountRow, deleteLoginsOfAccount, lockLogins } from '../../queries/login.ts'
import {
  consumePasswordReset,
  insertPasswordReset,
  selectPasswordReset,
} from '../../queries/password-reset.ts'
import { requireValidPassword } from '../accounts/accounts.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent, recordCallerAction } from '../operations/audit.ts'
import { sendPasswordChangedAlert, sendPasswordResetEmail } from '../operations/email.ts'
import { countAttemptOrThrow, type LimitedAttempt, withdrawAttempts } from './attempt-limit.ts'
import { countOtherAccess, deleteOtherAccess } from './other-access.ts'
import { computeAddressKey, resetPasswordAttempts } from './password-check.ts'
import { hashPassword } from './password-hash.ts'
import { maySignInWithPassword } from './password-sign-in.ts'
import { endPendingLinks } from './pending-links.ts'
import { createRandomToken, hmacSha256, sha256 } from './secret.ts'

const EMAIL_LINK_LIFETIME_MS = 30 * 60_000
/** Delay of the account lookup, so that the response is sent before the lookup. */
const LOOKUP_DELAY_MS = 100
/**
 * Links of an administrator are valid for longer than links in emails, because they are passed on by hand.
 */
const ADMIN_LINK_LIFETIME_MS = 24 * 3_600_000

/**
 * Sends a link to the owner of an email address. The account is looked up after the response, so that neither
 * the content nor the time of the response reveals which addresses have an account. Without a mail server, sends
 * nothing and returns `by_mail: false`. Throws 429 above the limits, which also count addresses without an account.
 */
export async function requestPasswordReset(
  deps: Deps,
  request: RequestInfo,
  email: string,
): Promise<{ by_mail: boolean }> {
  await countAttemptOrThrow(deps, [
    { limit: 'resetEmail', key: hmacSha256(deps.keys.pepper, 'reset', email) },
    { limit: 'resetAddress', key: computeAddressKey(deps.keys, request.address) },
  ])
  if (!deps.config.smtpUrl) return { by_mail: false }
  setTimeout(() => {
    sendResetLink(deps, request, email).catch((error: unknown) =>
      deps.log.error('password reset failed', toErrorFields(error)),
    )
  }, LOOKUP_DELAY_MS)
  return { by_mail: true }
}

async function sendResetLink(deps: Deps, request: RequestInfo, email: string): Promise<void> {
  const account = await selectAccountByEmail(deps.database.primary, email)
  if (!account || account.blocked) return
  const { url } = await createResetLink(deps, account, EMAIL_LINK_LIFETIME_MS, (trx) =>
    recordAuditEvent(
      trx,
      { nowMs: deps.now(), request },
      { action: 'password_reset_request', accountId: account.account_id },
    ),
  )
  await sendPasswordResetEmail(deps, { email, language: account.interface_language, url })
}

/**
 * Creates a reset link, which an administrator passes on to the owner. The link replaces all pending
 * links of the account. Throws 404 for an unknown account.
 */
export async function createPasswordResetLink(context: RequestContext, accountId: string) {
  const { deps } = context
  const account = await selectAccountById(deps.database.primary, accountId)
  if (!account) throw new Problem('not_found')
  const { url, expiresAtMs } = await createResetLink(deps, account, ADMIN_LINK_LIFETIME_MS, async (trx) => {
    await endPendingLinks(trx, accountId)
    await recordCallerAction(trx, context, { action: 'user_password_reset', targetAccountId: accountId })
  })
  return { url, expires_at: new Date(expiresAtMs).toISOString() }
}

async function createResetLink(
  deps: Deps,
  { account_id }: AccountRow,
  lifetimeMs: number,
  recordRequest: (trx: Parameters<typeof recordAuditEvent>[0]) => Promise<void>,
): Promise<{ url: string; expiresAtMs: number }> {
  const token = createRandomToken()
  const nowMs = deps.now()
  const expiresAtMs = nowMs + lifetimeMs
  await deps.database.primary.transaction().execute(async (trx) => {
    await recordRequest(trx)
    await insertPasswordReset(trx, {
      token_hash: sha256(token),
      account_id,
      created_at: nowMs,
      expires_at: expiresAtMs,
    })
  })
  return { url: new URL(`/reset/?token=${token}`, deps.config.publicUrl).href, expiresAtMs }
}

/**
 * Returns the email address of the account of a link, the expiry of the link, and the counts of other access to the
 * account. Throws 404 for an unusable link, and 429 after too many unusable links.
 */
export async function validatePasswordReset(deps: Deps, request: RequestInfo, token: string) {
  const { account, expiresAtMs } = await requireResetLink(deps, request, token)
  return {
    email: account.email,
    expires_at: new Date(expiresAtMs).toISOString(),
    other_access: await countOtherAccess(deps, account.account_id, {
      canSignInWithPassword: await maySignInWithPassword(deps, account),
    }),
  }
}

interface NewPassword {
  token: string
  new_password: string
  remove_access?: boolean | undefined
}

/**
 * Sets the password. Ends all logins, API keys and pending links of the account and, with `remove_access`, the other
 * access to the account (`deleteOtherAccess`). Informs the owner by email. Throws 404 for an unusable link, 422 for a
 * password that breaks the rules, and 429 after too many unusable links.
 */
export async function completePasswordReset(
  deps: Deps,
  request: RequestInfo,
  { token, new_password: newPassword, remove_access: shouldRemoveAccess = false }: NewPassword,
): Promise<void> {
  requireValidPassword(newPassword, 'new_password')
  const { account } = await requireResetLink(deps, request, token)
  const { account_id, email } = account
  const passwordHash = await hashPassword(deps, account_id, newPassword)
  const canSignInWithPassword = await maySignInWithPassword(deps, account)
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockLogins(trx, account_id)
    if (!(await consumePasswordReset(trx, sha256(token)))) throw createUnusableLinkProblem()
    await endPendingLinks(trx, account_id)
    await updateAccount(trx, account_id, { password_hash: passwordHash })
    await deleteLoginsOfAccount(trx, account_id)
    if (shouldRemoveAccess) await deleteOtherAccess(trx, account_id, { canSignInWithPassword })
    else await deleteApiKeys(trx, account_id)
    const origin = { nowMs: deps.now(), request }
    await recordAuditEvent(trx, origin, { action: 'password_reset', accountId: account_id })
    if (shouldRemoveAccess)
      await recordAuditEvent(trx, origin, { action: 'access_remove', accountId: account_id })
  })
  await resetPasswordAttempts(deps, email)
  deleteFirstSignInFile(deps.config.dataDir, email)
  // The password is changed, so the response neither waits for this email nor fails with it.
  void alertAccountOwner(deps, account, canSignInWithPassword).catch((error: unknown) =>
    deps.log.error('email about a changed password failed', toErrorFields(error)),
  )
}

/** Informs the owner of an account by email that the password was changed, and whether other access remains. */
async function alertAccountOwner(
  deps: Deps,
  account: AccountRow,
  canSignInWithPassword: boolean,
): Promise<void> {
  const { account_id } = account
  const { passkeys, identities, calendar_addresses } = await countOtherAccess(deps, account_id, {
    canSignInWithPassword,
  })
  await sendPasswordChangedAlert(deps, {
    email: account.email,
    language: account.interface_language,
    url: new URL('/reset/', deps.config.publicUrl).href,
    hasOtherAccess: passkeys + identities + calendar_addresses > 0,
  })
}

const createUnusableLinkProblem = () =>
  new Problem('not_found', { message: 'This link cannot be used.', errors: { token: ['unusable'] } })

/**
 * Returns the account and the expiry of a link. The attempt is counted before the link is checked, and withdrawn if the
 * link is usable.
 */
async function requireResetLink(deps: Deps, request: RequestInfo, token: string) {
  const attempts: LimitedAttempt[] = [
    { limit: 'resetLinkAddress', key: computeAddressKey(deps.keys, request.address) },
  ]
  await countAttemptOrThrow(deps, attempts)
  const passwordReset = await selectPasswordReset(deps.database.primary, sha256(token), deps.now())
  if (!passwordReset) throw createUnusableLinkProblem()
  await withdrawAttempts(deps, attempts)
  return passwordReset
}
