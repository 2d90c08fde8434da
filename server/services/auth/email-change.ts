/**
 * Changes the email address of an account, with a link that is sent to the new address, or on behalf of an
 * administrator (security.md, decision 20).
 */
import { toIsoTime } from '../../core/dates.ts'
import { toErrorFields } from '../../core/log.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { DbTransaction } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { deleteFirstSignInFile } from '../../providers/first-sign-in.ts'
import { selectAccountByEmail, selectAccountById } from '../../queries/account.ts'
import {
  consumeEmailChange,
  deleteEmailChanges,
  type EmailChangeRow,
  insertEmailChange,
  selectEmailChange,
  updateAccountEmail,
} from '../../queries/email-change.ts'
import { type AccountRow, deleteLoginsOfAccount, lockLogins, selectLoginById } from '../../queries/login.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { type AuditOrigin, recordAuditEvent, recordCallerAction } from '../operations/audit.ts'
import { sendEmailChangeConfirmation, sendEmailChangedAlert } from '../operations/email.ts'
import { countAttemptOrThrow, withdrawAttempts } from './attempt-limit.ts'
import { deleteOtherAccess } from './other-access.ts'
import { computeAddressKey } from './password-check.ts'
import { maySignInWithPassword } from './password-sign-in.ts'
import { endPendingLinks } from './pending-links.ts'
import { createRandomToken, sha256 } from './secret.ts'

const CONFIRMATION_LINK_LIFETIME_MS = 60 * 60_000
const CANCELLATION_LINK_LIFETIME_MS = 7 * 24 * 3_600_000
/** Delay of the lookup of the new address, so that the response is sent before the lookup. */
const LOOKUP_DELAY_MS = 100

/**
 * Sends a link to the new address, unless the address has an account. The account is looked up after the
 * response, so that the response does not reveal whether the address has an account. Without a mail server, sends
 * nothing and returns `by_mail: false`. Throws 422 for the current address, and 429 above the limit.
 */
export async function requestEmailChange(
  context: RequestContext,
  newEmail: string,
): Promise<{ by_mail: boolean }> {
  const { deps, caller } = context
  const { account } = caller
  if (newEmail === account.email) throw createFieldProblem('new_email', 'same')
  await countAttemptOrThrow(deps, [{ limit: 'emailChangeAccount', key: account.account_id }])
  if (!deps.config.smtpUrl) return { by_mail: false }
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'email_change_request' }))
  setTimeout(() => {
    sendConfirmation(context, newEmail).catch((error: unknown) =>
      deps.log.error('email change failed', toErrorFields(error)),
    )
  }, LOOKUP_DELAY_MS)
  return { by_mail: true }
}

const buildEmailLink = ({ config }: Deps, token: string) =>
  new URL(`/email/?token=${token}`, config.publicUrl).href

/**
 * Sends a link that confirms the change. The change replaces an earlier change that was not confirmed. Sends nothing
 * if the address has an account, or if the login of the request has ended since the response.
 */
async function sendConfirmation({ deps, caller }: RequestContext, newEmail: string): Promise<void> {
  const { account, login } = caller
  const { primary } = deps.database
  if (await selectAccountByEmail(primary, newEmail)) return
  const token = createRandomToken()
  const nowMs = deps.now()
  const isChangeStored = await primary.transaction().execute(async (trx) => {
    await lockLogins(trx, account.account_id)
    if (!(await selectLoginById(trx, login.sid))) return false
    await deleteEmailChanges(trx, account.account_id)
    await insertEmailChange(trx, {
      token_hash: sha256(token),
      account_id: account.account_id,
      old_email: account.email,
      new_email: newEmail,
      confirmed_at: null,
      created_at: nowMs,
      expires_at: nowMs + CONFIRMATION_LINK_LIFETIME_MS,
    })
    return true
  })
  if (!isChangeStored) return
  const language = account.interface_language
  await sendEmailChangeConfirmation(deps, { email: newEmail, language, url: buildEmailLink(deps, token) })
}

const describeEmailLink = ({ confirmed_at, new_email, old_email }: EmailChangeRow) =>
  confirmed_at === null
    ? { kind: 'confirm' as const, email: new_email }
    : { kind: 'cancel' as const, email: old_email }

const createUnusableLinkProblem = () =>
  new Problem('not_found', { message: 'This link cannot be used.', errors: { token: ['unusable'] } })

/**
 * Returns the email change of a link. The attempt is counted before the link is checked, and withdrawn if the link is
 * usable.
 */
async function requireEmailLink(deps: Deps, request: RequestInfo, token: string): Promise<EmailChangeRow> {
  const addressKey = computeAddressKey(deps.keys, request.address)
  const attempts = [{ limit: 'emailLinkAddress' as const, key: addressKey }]
  await countAttemptOrThrow(deps, attempts)
  const change = await selectEmailChange(deps.database.primary, sha256(token), deps.now())
  if (!change) throw createUnusableLinkProblem()
  await withdrawAttempts(deps, attempts)
  return change
}

/** Returns what a link does. Throws 404 for an unusable link, and 429 after too many unusable links. */
export async function validateEmailLink(deps: Deps, request: RequestInfo, token: string) {
  const change = await requireEmailLink(deps, request, token)
  return { ...describeEmailLink(change), expires_at: toIsoTime(change.expires_at) }
}

/**
 * Performs the action of a link. A link that confirms a change changes the address. A link that cancels a change
 * restores the old address. It also ends all logins and deletes the other access to the account (`deleteOtherAccess`),
 * because somebody else has probably changed the address. Throws 404 for an unusable link, and 429 after too many
 * unusable links.
 */
export async function completeEmailLink(deps: Deps, request: RequestInfo, token: string) {
  const change = await requireEmailLink(deps, request, token)
  const account = await selectAccountById(deps.database.primary, change.account_id)
  if (!account) throw createUnusableLinkProblem()
  const origin = { nowMs: deps.now(), request }
  const canSignInWithPassword = await maySignInWithPassword(deps, account)
  if (change.confirmed_at === null) await confirmEmailChange(deps, origin, account, change)
  else
    await deps.database.primary.transaction().execute(async (trx) => {
      await changeAccountEmail(trx, account, change)
      await deleteEmailChanges(trx, account.account_id, { includesConfirmed: true })
      await deleteLoginsOfAccount(trx, account.account_id)
      await deleteOtherAccess(trx, account.account_id, { canSignInWithPassword })
      await recordAuditEvent(trx, origin, { action: 'email_change_cancel', accountId: account.account_id })
    })
  return describeEmailLink(change)
}

/**
 * Marks the link as used, sets the address of the link, and ends the pending links of the account. Throws 404 when the
 * link was used before, or the address is taken.
 */
async function changeAccountEmail(
  trx: DbTransaction,
  account: AccountRow,
  change: EmailChangeRow,
): Promise<void> {
  await lockUntilCommit(trx, 'email')
  await lockLogins(trx, account.account_id)
  const isFirstLinkUse = await consumeEmailChange(trx, change.token_hash)
  if (!isFirstLinkUse || !(await updateAccountEmail(trx, account, describeEmailLink(change).email)))
    throw createUnusableLinkProblem()
  await endPendingLinks(trx, account.account_id)
}

/** Changes the address and sends an email to the old address, with a link that cancels the change. */
async function confirmEmailChange(
  deps: Deps,
  origin: AuditOrigin,
  account: AccountRow,
  change: EmailChangeRow,
): Promise<void> {
  const cancelToken = createRandomToken()
  await deps.database.primary.transaction().execute(async (trx) => {
    await changeAccountEmail(trx, account, change)
    await insertEmailChange(trx, {
      ...change,
      token_hash: sha256(cancelToken),
      old_email: account.email,
      confirmed_at: deps.now(),
      expires_at: deps.now() + CANCELLATION_LINK_LIFETIME_MS,
    })
    await recordAuditEvent(trx, origin, { action: 'email_change', accountId: account.account_id })
  })
  deleteFirstSignInFile(deps.config.dataDir, account.email)
  await sendEmailChangedAlert(deps, {
    email: account.email,
    language: account.interface_language,
    url: buildEmailLink(deps, cancelToken),
  })
}

/**
 * Changes the email address of an account on behalf of an administrator. Throws 404 for an unknown account, and 409
 * when another account has the address.
 */
export async function changeUserEmail(
  context: RequestContext,
  accountId: string,
  email: string,
): Promise<void> {
  const { deps } = context
  const previousEmail = await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'email')
    await lockLogins(trx, accountId)
    const account = await selectAccountById(trx, accountId)
    if (!account) throw new Problem('not_found')
    if (!(await updateAccountEmail(trx, account, email)))
      throw new Problem('conflict', { errors: { email: ['taken'] } })
    await deleteEmailChanges(trx, accountId, { includesConfirmed: true })
    await endPendingLinks(trx, accountId)
    await recordCallerAction(trx, context, { action: 'user_email', targetAccountId: accountId })
    return account.email
  })
  deleteFirstSignInFile(deps.config.dataDir, previousEmail)
}
